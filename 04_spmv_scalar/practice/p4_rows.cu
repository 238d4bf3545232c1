/*
 * p4_rows - what a thread a row costs in CSR
 *
 * Kind    predict
 * Idea    In CSR a row's nonzeros are neighbours, so 32 threads with a row each read from 32 places.
 * Page    docs/04_spmv_scalar.md, "v1"
 * Task    256 rows of exactly WIDTH nonzeros, stored as CSR stores them; a thread adds up a row's values. How many
 *         load requests, and how many sectors do they move?
 * Data    free 8192
 * Goal    ld_requests, ld_sectors
 * Hint    8 warps, WIDTH turns. In turn k lane l reads number l * WIDTH + k, counted from the warp's first.
 * Hint    8 floats share a sector: lanes that are closer than 8 numbers do, too.
 * Hint    A request touches min(32, 4 * WIDTH) sectors; there are 8 * WIDTH requests. Every turn moves them again.
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
