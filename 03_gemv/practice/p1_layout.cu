/*
 * p1_layout - adjacent threads read adjacent elements
 *
 * Kind    repair
 * Idea    The layout decides which elements are adjacent in memory. Adjacent threads should read those.
 * Page    docs/03_gemv.md, "v17"
 * Task    The matrix is stored by columns, and each warp processes a row. The result is right, but a request needs 32
 *         sectors. Give each thread a row of its own.
 * Data    col 5,4 100,50 512,64
 * Goal    ld_sectors <= 5200
 * Hint    A(r, c) is stored at c * rows + r. Which element is next to it?
 * Hint    Let thread i compute row i: the 32 lanes of a warp then read 32 adjacent elements of column c. No shuffle
 *         is needed.
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
