/*
 * p3_filler - a filler has no column
 *
 * Kind    repair
 * Idea    Rows that are shorter than the width are padded with fillers. A filler has column -1, and x has no element
 *         -1.
 * Page    docs/04_spmv_scalar.md, "v4"
 * Task    Fillers have the value 0, so the kernel multiplies them like nonzeros, and reads x out of bounds. Repair
 *         it; a row ends at its first filler.
 * Data    spmv random:300,300,900 random:1000,1000,4000
 * Goal    max_warp <= 4
 * Hint    The report says which index of which array is out of bounds. Where does this index come from?
 * Hint    Test the column before x is read.
 * Hint    if (column < 0) break;
 */
#include "practice.h"

enum { BLOCK = 64 };

__global__ void spmv(practice_t p)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= p.rows) return;
    float all = 0;
    for (uint32_t k = 0; k < p.width; ++k) {
        const uint32_t at = k * p.rows + row;
        const int32_t column = p.ell_columns[at];
        all += p.ell_values[at] * p.x[column];
    }
    p.y[row] = all;
}

void launch(const practice_t *p) { spmv<<<(p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
