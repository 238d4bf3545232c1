/*
 * p2_neighbours - the lanes of a row read side by side
 *
 * Kind    repair
 * Idea    Lanes that share a row should read adjacent nonzeros in the same iteration.
 * Page    docs/05_spmv_vector.md, "v1" and "v2"
 * Task    Eight lanes share a row, and each takes a contiguous part of it. The result is right; let the lanes
 *         alternate instead: lane 0 takes the first nonzero, lane 1 the second, and so on, then the next eight.
 * Data    spmv random:300,300,4000 even:512,512,64
 * Goal    ld_sectors <= 43000
 * Hint    In the first iteration lane 0 reads nonzero 0 and lane 1 reads nonzero 8: how far apart are they in memory?
 * Hint    Lane l should read begin + l, begin + l + 8, begin + l + 16, ...
 * Hint    for (uint32_t k = begin + lane; k < end; k += LANES) all += values[k] * x[columns[k]];
 */
#include "practice.h"

enum { BLOCK = 256, LANES = 8 };

__global__ void spmv(uint32_t rows, const uint32_t *offsets, const int32_t *columns, const float *values,
                     const float *x, float *y)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    float all = 0;
    if (row < rows) {
        const uint32_t begin = offsets[row], end = offsets[row + 1];
        const uint32_t each = (end - begin + LANES - 1) / LANES;
        for (uint32_t k = begin + lane * each; k < begin + (lane + 1) * each && k < end; ++k)
            all += values[k] * x[columns[k]];
    }
    for (int s = LANES / 2; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s, LANES);
    if (row < rows && lane == 0) y[row] = all;
}

void launch(const practice_t *p)
{
    const uint32_t per_block = BLOCK / LANES;
    spmv<<<(p->rows + per_block - 1) / per_block, BLOCK>>>(p->rows, p->offsets, p->columns, p->values, p->x, p->y);
}
