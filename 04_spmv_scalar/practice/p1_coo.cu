/*
 * p1_coo - many threads, one element of y
 *
 * Kind    repair
 * Idea    In COO each thread takes one nonzero. The threads of one row add to the same y, and an addition is a read
 *         and a write.
 * Page    docs/04_spmv_scalar.md, "v2"
 * Task    y is cleared before the launch. Repair the addition.
 * Data    spmv random:4,6,8 random:300,300,3000 random:2000,1500,9000
 * Goal    atomics <= 300, ld_sectors <= 13000
 * Hint    Two threads read y[r], both add, both write: which sum is lost?
 * Hint    atomicAdd(address, value) reads, adds and writes in one indivisible operation.
 * Hint    atomicAdd(&p.y[p.row_of[k]], p.values[k] * p.x[p.columns[k]]);
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void spmv(practice_t p)
{
    const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
    if (k >= p.nnz) return;
    p.y[p.row_of[k]] += p.values[k] * p.x[p.columns[k]];
}

void launch(const practice_t *p)
{
    cudaMemsetAsync(p->y, 0, p->rows * sizeof *p->y, 0);
    spmv<<<(p->nnz + BLOCK - 1) / BLOCK, BLOCK>>>(*p);
}
