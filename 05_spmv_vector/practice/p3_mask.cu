/*
 * p3_mask - every lane in the mask must arrive
 *
 * Kind    repair
 * Idea    __shfl_down_sync(mask, ...) waits for all lanes of the mask, including those that have no row.
 * Page    docs/05_spmv_vector.md, "v2"
 * Task    Four lanes share a row. If the last row ends in the middle of a warp, some lanes return before the
 *         shuffles. Repair it.
 * Data    spmv random:301,300,2000 random:1001,900,9000
 * Goal    max_warp <= 4
 * Hint    1001 rows of 4 lanes: which lanes of the last warp return, and which wait?
 * Hint    Change "if (row >= rows) return" to "if (row < rows) { ... }" around the loop only.
 * Hint    The shuffles come after that brace, for all lanes; only the last line tests row < rows again.
 */
#include "practice.h"

enum { BLOCK = 256, LANES = 4 };

__global__ void spmv(uint32_t rows, const uint32_t *offsets, const int32_t *columns, const float *values,
                     const float *x, float *y)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    float all = 0;
    if (row >= rows) return;
    for (uint32_t k = offsets[row] + lane; k < offsets[row + 1]; k += LANES) all += values[k] * x[columns[k]];
    for (int s = LANES / 2; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s, LANES);
    if (lane == 0) y[row] = all;
}

void launch(const practice_t *p)
{
    const uint32_t per_block = BLOCK / LANES;
    spmv<<<(p->rows + per_block - 1) / per_block, BLOCK>>>(p->rows, p->offsets, p->columns, p->values, p->x, p->y);
}
