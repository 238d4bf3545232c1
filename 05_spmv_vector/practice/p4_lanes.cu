/*
 * p4_lanes - how many lanes for rows of eight
 *
 * Kind    predict
 * Idea    With more lanes than nonzeros some lanes are idle; with fewer lanes a row takes several iterations.
 * Page    docs/05_spmv_vector.md, "v3"
 * Task    There are 64 rows of 8 numbers and LANES lanes per row, without offsets and without x. How many load
 *         requests do all warps make together, and how many sectors do these read? Replace the question marks after
 *         "answer".
 * Data    free 512
 * Goal    ld_requests, ld_sectors
 * Hint    How many warps do 64 rows times LANES lanes make? How many iterations does each of them take?
 * Hint    In one iteration a warp reads from 32 / LANES rows. How many sectors of 8 floats does it touch?
 * Hint    Iterations: 8 / LANES, at least 1. Requests: warps times iterations. With 4 lanes each iteration reads half
 *         a sector of 8 rows, so every sector is read twice.
 */
#include "practice.h"

enum { LANES = DRAW(32, 16, 8, 4), ROWS = 64, LENGTH = 8, BLOCK = 64 };

__global__ void row_sums(const float *in, float *out)
{
    const unsigned row = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    float all = 0;
    for (unsigned k = lane; k < LENGTH; k += LANES) all += in[row * LENGTH + k];
    for (int s = LANES / 2; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s, LANES);
    if (lane == 0) out[row] = all;
}

void launch(const practice_t *p) { row_sums<<<ROWS * LANES / BLOCK, BLOCK>>>(p->in, p->out); }

// answer: ld_requests = ?
// answer: ld_sectors = ?
