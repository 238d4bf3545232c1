/*
 * p2_row - a warp computes a row
 *
 * Kind    fill
 * Idea    If a matrix is stored by rows, adjacent columns are adjacent in memory, so the lanes of a warp should read
 *         adjacent columns.
 * Page    docs/03_gemv.md, "v2"
 * Task    Complete the loop: the 32 lanes of the warp read the columns of the row together. The code that adds up the
 *         lanes is complete.
 * Data    row 33,50 7,1000 100,512
 * Goal    ld_sectors <= 13000, ld_requests <= 3200
 * Hint    Lane 0 takes columns 0, 32, 64, ...; lane 1 takes columns 1, 33, 65, ...
 * Hint    Begin with c = lane and advance by 32 while c < p.cols. A(row, c) is stored at row * p.cols + c.
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
