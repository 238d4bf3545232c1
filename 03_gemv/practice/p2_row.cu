/*
 * p2_row - a warp walks a row
 *
 * Kind    fill
 * Idea    By rows, neighbouring columns are neighbours in memory: the lanes of a warp take them side by side.
 * Page    docs/03_gemv.md, "v2"
 * Task    Fill in the loop: the warp's 32 lanes go over the row's columns together. What adds up the lanes is there.
 * Data    row 33,50 7,1000 100,512
 * Goal    ld_sectors <= 13000, ld_requests <= 3200
 * Hint    Lane 0 takes columns 0, 32, 64, ...; lane 1 takes 1, 33, 65, ...
 * Hint    Begin with c = lane, go on by 32, as long as c < p.cols. A(row, c) lies at row * p.cols + c.
 * Hint    for (uint32_t c = lane; c < p.cols; c += 32) all += p.A[row * p.cols + c] * p.x[c];
 */
#include "practice.h"

enum { BLOCK = 128 };

__global__ void gemv(practice_t p)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float all = 0;
    if (row < p.rows) {
        // TODO: the sum of A(row, c) * x[c] over this lane's columns
    }
    for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
    if (row < p.rows && lane == 0) p.y[row] = all;
}

void launch(const practice_t *p) { gemv<<<(32 * p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
