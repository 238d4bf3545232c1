/*
 * p4_busiest - one long row
 *
 * Kind    predict
 * Idea    A launch takes as long as its busiest warp.
 * Page    docs/07a_split_nonzeros.md, "v1"
 * Task    There are 64 rows with one warp each; 63 of them have 32 numbers, one has LONG. How many load requests do
 *         all warps make, and how many memory instructions (loads and stores) does the busiest warp execute
 *         (warp_work)?
 * Data    free 8192
 * Goal    ld_requests, warp_work
 * Hint    A warp reads 32 numbers with one request. How many requests does it need for LONG numbers?
 * Hint    63 warps make one load each, one makes LONG / 32. In addition each warp stores one number, with one lane.
 * Hint    ld_requests = 63 + LONG / 32; warp_work = LONG / 32 + 1.
 */
#include "practice.h"

enum { ROWS = 64, LONG = DRAW(1024, 512, 2048, 1536) };

__global__ void row_sums(const float *in, float *out)
{
    const unsigned row = (blockIdx.x * 128 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const unsigned length = row == 5 ? LONG : 32;
    float all = 0;
    for (unsigned k = lane; k < length; k += 32) all += in[row * 32 + k];
    for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
    if (lane == 0) out[row] = all;
}

void launch(const practice_t *p) { row_sums<<<ROWS / 4, 128>>>(p->in, p->out); }

// answer: ld_requests = ?
// answer: warp_work = ?
