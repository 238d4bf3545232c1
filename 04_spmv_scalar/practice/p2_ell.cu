/*
 * p2_ell - entry k of row r
 *
 * Kind    fill
 * Idea    ELL pads all rows to the same width and stores them by columns: entry k of row r is at index k * rows + r.
 * Page    docs/04_spmv_scalar.md, "v4"
 * Task    Each thread computes one row. Complete the loop over its entries. Fillers have column -1 and come at the
 *         end of the row.
 * Data    spmv poisson2d:20,20 even:1024,1024,8
 * Goal    ld_sectors <= 11000, ld_requests <= 800
 * Hint    Write a loop over k from 0 to p.width - 1. At which index is entry k of this row?
 * Hint    const uint32_t at = k * p.rows + row; its column is p.ell_columns[at], its value p.ell_values[at].
 * Hint    Test the column first: if (column >= 0) all += p.ell_values[at] * p.x[column];
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void spmv(practice_t p)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= p.rows) return;
    float all = 0;
    // TODO: for every entry k of this row ...
    p.y[row] = all;
}

void launch(const practice_t *p) { spmv<<<(p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
