/*
 * p5_rule - lanes by the mean row
 *
 * Kind    fill
 * Idea    One number of lanes does not suit all matrices: the mean row says how many lanes a row can use.
 * Page    docs/05_spmv_vector.md, "v3"
 * Task    lanes_for returns how many lanes share a row, so far always 32. Let it return the smallest power of two,
 *         from 2 to 32, that is not below the mean row.
 * Data    spmv even:300,300,20 empty_rows:500,9 even:2048,2048,4
 * Goal    ld_requests <= 1300, lanes >= 20
 * Hint    The counted matrix has 4 nonzeros per row: of 32 lanes 28 are idle.
 * Hint    Begin with 2 lanes and double them while they are fewer than the mean, but not beyond 32.
 * Hint    uint32_t lanes = 2; while (lanes < 32 && lanes * rows < nnz) lanes *= 2; return lanes;
 */
#include "practice.h"

enum { BLOCK = 256 };

static uint32_t lanes_for(uint32_t rows, uint32_t nnz)
{
    (void)rows, (void)nnz; // TODO
    return 32;
}

__global__ void spmv(uint32_t lanes, uint32_t rows, const uint32_t *offsets, const int32_t *columns,
                     const float *values, const float *x, float *y)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / lanes, lane = threadIdx.x % lanes;
    float all = 0;
    if (row < rows)
        for (uint32_t k = offsets[row] + lane; k < offsets[row + 1]; k += lanes) all += values[k] * x[columns[k]];
    for (uint32_t s = lanes / 2; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s, (int)lanes);
    if (row < rows && lane == 0) y[row] = all;
}

void launch(const practice_t *p)
{
    const uint32_t lanes = lanes_for(p->rows, p->nnz), per_block = BLOCK / lanes;
    spmv<<<(p->rows + per_block - 1) / per_block, BLOCK>>>(lanes, p->rows, p->offsets, p->columns, p->values,
                                                                  p->x, p->y);
}
