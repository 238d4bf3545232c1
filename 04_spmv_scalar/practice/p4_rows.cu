/*
 * p4_rows - what one thread per row costs in CSR
 *
 * Kind    predict
 * Idea    In CSR the nonzeros of a row are adjacent, so 32 threads with a row each read from 32 places.
 * Page    docs/04_spmv_scalar.md, "v1"
 * Task    There are 256 rows of exactly WIDTH nonzeros, stored as in CSR; each thread adds up the values of one row.
 *         How many load requests are there, and how many sectors do they read?
 * Data    free 8192
 * Goal    ld_requests, ld_sectors
 * Hint    There are 8 warps with WIDTH iterations each. In iteration k lane l reads number l * WIDTH + k, counted
 *         from the first number of the warp.
 * Hint    8 floats share a sector, so lanes whose numbers are less than 8 apart may share one.
 * Hint    A request touches min(32, 4 * WIDTH) sectors, and there are 8 * WIDTH requests. Each request reads its
 *         sectors again.
 */
#include "practice.h"

enum { ROWS = 256, WIDTH = DRAW(2, 4, 8, 16) };

__global__ void row_sums(const float *values, float *out)
{
    const unsigned row = blockIdx.x * 128 + threadIdx.x;
    float all = 0;
    for (unsigned k = 0; k < WIDTH; ++k) all += values[row * WIDTH + k];
    out[row] = all;
}

void launch(const practice_t *p) { row_sums<<<ROWS / 128, 128>>>(p->in, p->out); }

// answer: ld_requests = ?
// answer: ld_sectors = ?
