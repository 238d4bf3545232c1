/*
 * p1_layout - who reads neighbours
 *
 * Kind    repair
 * Idea    The layout says which elements are neighbours; neighbouring threads should take those.
 * Page    docs/03_gemv.md, "v17"
 * Task    The matrix lies by columns, and a warp walks along a row: right, but 32 sectors a request. Give each thread
 *         a row of its own.
 * Data    col 5,4 100,50 512,64
 * Goal    ld_sectors <= 5200
 * Hint    A(r, c) lies at c * rows + r. Which element lies beside it?
 * Hint    Thread i takes row i: all 32 lanes of a warp then read 32 neighbours of column c. No shuffle is needed.
 * Hint    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x; a loop over all c; y[row] = all. The launch needs a
 *         thread for each row: (rows + BLOCK - 1) / BLOCK blocks.
 */
#include "practice.h"

enum { BLOCK = 128 };

__global__ void gemv(practice_t p)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float all = 0;
    if (row < p.rows)
        for (uint32_t c = lane; c < p.cols; c += 32) all += p.A[c * p.rows + row] * p.x[c];
    for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
    if (row < p.rows && lane == 0) p.y[row] = all;
}

void launch(const practice_t *p)
{
    gemv<<<(32 * p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p);
}
