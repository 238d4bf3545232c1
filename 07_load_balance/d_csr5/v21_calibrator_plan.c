/* v21_calibrator_plan.c - rows that one tile does not finish, listed on the host: empty, or in several tiles. */
#include "v21_calibrator_plan.h"

void csr5_list_rows(csr5_t *p, const csr_t *A)
{
    for (size_t row = 0; row < A->rows; ++row) {
        const size_t start = (size_t)A->row_offsets[row], end = (size_t)A->row_offsets[row + 1];
        const size_t first = start / CSR5_TILE, tiles = (end + CSR5_TILE - 1) / CSR5_TILE - first;
        if (start == end) p->empty_rows[p->empties++] = (uint32_t)row;
        else if (tiles > 1) p->run[p->runs++] = (piece_run_t){(uint32_t)row, (uint32_t)first + 1, (uint32_t)tiles - 1};
    }
}
