/*
 * p5_which - CSR or ELL, one thread per row
 *
 * Kind    choose
 * Idea    A format decides which numbers are adjacent in memory.
 * Page    docs/04_spmv_scalar.md, "v1" and "v4"
 * Task    Both kernels have one thread per row and the same matrix, 16 nonzeros in every row: a reads CSR, b reads
 *         ELL. Which is better, and in which count do they differ most? Write a or b, and one of ld_sectors,
 *         st_sectors, max_warp.
 * Data    spmv even:1024,64,16
 * Goal    ld_sectors, st_sectors, max_warp
 * Hint    In iteration k lane 0 of a reads values[begin + k], and lane 1 reads the same entry of the next row: how
 *         far apart are they?
 * Hint    In b they are at k * rows + row and k * rows + row + 1.
 * Hint    All rows have 16 nonzeros, so no warp has more work than another, and both kernels write y once.
 */
#include "practice.h"

enum { BLOCK = 128 };

__global__ void a(practice_t p)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    float all = 0;
    for (uint32_t k = p.offsets[row]; k < p.offsets[row + 1]; ++k) all += p.values[k] * p.x[p.columns[k]];
    p.y[row] = all;
}

__global__ void b(practice_t p)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    float all = 0;
    for (uint32_t k = 0; k < p.width; ++k) {
        const uint32_t at = k * p.rows + row;
        all += p.ell_values[at] * p.x[p.ell_columns[at]];
    }
    p.y[row] = all;
}

void launch_a(const practice_t *p) { a<<<p->rows / BLOCK, BLOCK>>>(*p); }
void launch_b(const practice_t *p) { b<<<p->rows / BLOCK, BLOCK>>>(*p); }

// answer: winner = ?
// answer: count = ?
