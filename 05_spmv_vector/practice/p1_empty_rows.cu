/*
 * p1_empty_rows - a row without nonzeros needs a result, too
 *
 * Kind    repair
 * Idea    CSR stores where a row begins and ends. An empty row begins where it ends, and its y is 0.
 * Page    docs/05_spmv_vector.md, docs/04_spmv_scalar.md
 * Task    Each thread computes one row. Rows without nonzeros are skipped: repair that.
 * Data    spmv random:6,6,5 random:300,300,900 empty_rows:2000,7
 * Goal    max_warp <= 4
 * Hint    What does the message say about y of the row that it names? Which thread should have written it?
 * Hint    The loop over an empty row does nothing, and all is 0 after it.
 * Hint    Remove the condition: y[row] = all; for every row below rows.
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void spmv(uint32_t rows, const uint32_t *offsets, const int32_t *columns, const float *values,
                     const float *x, float *y)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    const uint32_t begin = offsets[row], end = offsets[row + 1];
    float all = 0;
    for (uint32_t k = begin; k < end; ++k) all += values[k] * x[columns[k]];
    if (end > begin) y[row] = all;
}

void launch(const practice_t *p)
{
    spmv<<<(p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(p->rows, p->offsets, p->columns, p->values, p->x, p->y);
}
