/*
 * p5_which - rows to threads, or rows to warps
 *
 * Kind    choose
 * Idea    What was right for one layout is wrong for the other.
 * Page    docs/03_gemv.md, "v1" and "v2"
 * Task    The matrix lies by rows. Kernel a or kernel b: which is better, and which count decides, in which the two
 *         differ most? Write a or b, and one of ld_sectors, ld_requests, max_warp.
 * Data    row 256,256
 * Goal    ld_sectors, ld_requests, max_warp
 * Hint    In one turn, which elements of the matrix do lanes 0 and 1 of a read? And those of b?
 * Hint    In a they are a row apart, 256 floats; in b neighbours.
 * Hint    Has any warp more to do than the others? How many loads of 32 lanes does 256 x 256 take, in a and in b?
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
