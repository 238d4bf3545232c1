/*
 * p5_which - a row per thread, or a row per warp
 *
 * Kind    choose
 * Idea    The best assignment for one layout is the worst for the other.
 * Page    docs/03_gemv.md, "v1" and "v2"
 * Task    The matrix is stored by rows. Kernel a or kernel b: which is better, and in which count do they differ
 *         most? Write a or b, and one of ld_sectors, ld_requests, max_warp.
 * Data    row 256,256
 * Goal    ld_sectors, ld_requests, max_warp
 * Hint    In one iteration, which elements of the matrix do lanes 0 and 1 of a read? Which do those of b read?
 * Hint    In a they are one row apart, 256 floats; in b they are adjacent.
 * Hint    Does one warp have more work than the others? How many loads of 32 lanes does a matrix of 256 x 256 take,
 *         in a and in b?
 */
#include "practice.h"

enum { BLOCK = 128 };

__global__ void a(practice_t p)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    float all = 0;
    if (row >= p.rows) return;
    for (uint32_t c = 0; c < p.cols; ++c) all += p.A[row * p.cols + c] * p.x[c];
    p.y[row] = all;
}

__global__ void b(practice_t p)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float all = 0;
    if (row < p.rows)
        for (uint32_t c = lane; c < p.cols; c += 32) all += p.A[row * p.cols + c] * p.x[c];
    for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
    if (row < p.rows && lane == 0) p.y[row] = all;
}

void launch_a(const practice_t *p) { a<<<(p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
void launch_b(const practice_t *p) { b<<<(32 * p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }

// answer: winner = ?
// answer: count = ?
