/*
 * p6_which - one thread per row, or eight lanes
 *
 * Kind    choose
 * Idea    The number of lanes per row decides which addresses a warp reads in one iteration.
 * Page    docs/05_spmv_vector.md, "v1"
 * Task    The rows have 32 nonzeros. Kernel a or kernel b: which is better, and in which count do they differ most?
 *         Write a or b, and one of ld_sectors, max_warp, atomics.
 * Data    spmv even:512,512,32
 * Goal    ld_sectors, max_warp, atomics
 * Hint    All rows have the same length: does one warp have more work than another?
 * Hint    In one iteration of a: how far apart are values[k] of lane 0 and lane 1?
 * Hint    A sector of 8 floats that 8 lanes read at once is read once. If one lane reads it in 8 iterations, it is
 *         read 8 times.
 */
#include "practice.h"

enum { BLOCK = 256, LANES = 8 };

__global__ void a(uint32_t rows, const uint32_t *offsets, const int32_t *columns, const float *values,
                  const float *x, float *y)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    float all = 0;
    if (row >= rows) return;
    for (uint32_t k = offsets[row]; k < offsets[row + 1]; ++k) all += values[k] * x[columns[k]];
    y[row] = all;
}

__global__ void b(uint32_t rows, const uint32_t *offsets, const int32_t *columns, const float *values,
                  const float *x, float *y)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    float all = 0;
    if (row < rows)
        for (uint32_t k = offsets[row] + lane; k < offsets[row + 1]; k += LANES) all += values[k] * x[columns[k]];
    for (int s = LANES / 2; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s, LANES);
    if (row < rows && lane == 0) y[row] = all;
}

void launch_a(const practice_t *p)
{
    a<<<(p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(p->rows, p->offsets, p->columns, p->values, p->x, p->y);
}
void launch_b(const practice_t *p)
{
    const uint32_t per_block = BLOCK / LANES;
    b<<<(p->rows + per_block - 1) / per_block, BLOCK>>>(p->rows, p->offsets, p->columns, p->values, p->x, p->y);
}

// answer: winner = ?
// answer: count = ?
