/* v19_flags_plan.c - where rows start in the tiles, on the host: a word a lane, a list for tiles with empty rows. */
#include "v19_flags_plan.h"

size_t csr5_flags(const csr_t *A, uint32_t *tile_row, uint32_t *word, uint32_t *empty_start, uint32_t *empty_offset)
{
    size_t row = 0, listed = 0;
    for (size_t tile = 0; tile * CSR5_TILE < A->nnz; ++tile) {
        const size_t from = tile * CSR5_TILE, end = from + CSR5_TILE < A->nnz ? from + CSR5_TILE : A->nnz;
        while (row < A->rows && (size_t)A->row_offsets[row + 1] == from) ++row; // empty rows before the tile
        const size_t first = row;
        size_t starts = 0;
        for (; row < A->rows && (size_t)A->row_offsets[row] < end; ++row) {
            const size_t nz = (size_t)A->row_offsets[row];
            if ((size_t)A->row_offsets[row + 1] == nz) continue;
            word[nz / CSR5_SIGMA] |= 1u << nz % CSR5_SIGMA;
            for (size_t lane = nz / CSR5_SIGMA + 1; lane < 32 * (tile + 1); ++lane) word[lane] += 1u << 16;
            empty_offset[listed + starts++] = (uint32_t)(row - first);
        }
        const bool has_empty = row - first != starts;
        tile_row[tile] = (uint32_t)first | (has_empty ? CSR5_HAS_EMPTY : 0);
        empty_start[tile] = (uint32_t)listed;
        if (has_empty) listed += starts;
    }
    return listed;
}
