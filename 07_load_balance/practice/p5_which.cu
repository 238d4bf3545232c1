/*
 * p5_which - equal rows, or equal nonzeros
 *
 * Kind    choose
 * Idea    Equal numbers of rows are not equal work.
 * Page    docs/07a_split_nonzeros.md, "v1" and "v6"
 * Task    The matrix is a diagonal with one full row. Kernel a has one warp per row; in b each warp takes 32 nonzeros
 *         and adds them to y by atomics. Which is better here, and in which count do they differ most? Write a or b,
 *         and one of ld_sectors, max_warp.
 * Data    spmv one_dense_row:2000
 * Goal    ld_sectors, max_warp
 * Hint    How many nonzeros does the longest row have, and how many do the others have?
 * Hint    In a, how many loads does the warp of the full row execute, and how many do the other warps execute?
 * Hint    ld_sectors differs, too, but by less than a factor of ten; the busiest warp of a has about 30 times the
 *         mean work.
 */
#include "practice.h"

enum { BLOCK = 128 };

__global__ void a(practice_t p)
{
    const uint32_t row = (blockIdx.x * BLOCK + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float all = 0;
    if (row < p.rows)
        for (uint32_t k = p.offsets[row] + lane; k < p.offsets[row + 1]; k += 32)
            all += p.values[k] * p.x[p.columns[k]];
    for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
    if (row < p.rows && lane == 0) p.y[row] = all;
}

__global__ void b(practice_t p)
{
    const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
    if (k < p.nnz) atomicAdd(&p.y[p.row_of[k]], p.values[k] * p.x[p.columns[k]]);
}

void launch_a(const practice_t *p) { a<<<(32 * p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
void launch_b(const practice_t *p)
{
    cudaMemsetAsync(p->y, 0, p->rows * sizeof *p->y, 0);
    b<<<(p->nnz + BLOCK - 1) / BLOCK, BLOCK>>>(*p);
}

// answer: winner = ?
// answer: count = ?
