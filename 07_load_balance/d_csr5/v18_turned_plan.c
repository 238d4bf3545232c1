/* v18_turned_plan.c - turns the nonzeros on the host: a lane's 16 stand 32 places apart in the tile. */
#include "v18_turned_plan.h"

void csr5_turn(const csr_t *A, size_t slots, int32_t *columns, double *values)
{
    for (size_t slot = 0; slot < slots; ++slot) {
        const size_t in_tile = slot % CSR5_TILE, lane = in_tile % 32, j = in_tile / 32;
        const size_t nz = slot - in_tile + lane * CSR5_SIGMA + j;
        columns[slot] = nz < A->nnz ? A->col_indices[nz] : -1;
        values[slot] = nz < A->nnz ? A->values[nz] : 0;
    }
}
