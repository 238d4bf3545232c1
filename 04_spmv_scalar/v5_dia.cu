/*
 * spmv_scalar v5 - DIA, one thread per row
 *
 * From    v4
 * Was     v4 reads a column for each slot, though neighbours' columns differ by one.
 * Idea    Store whole diagonals: all entries with the same column - row.  One offset serves a
 *         diagonal, and the column is row + offset.
 * Moves   DIA: d * (v * rows + 4) bytes for d diagonals; padding 1 - nnz / (d * rows).
 * Expect  4 bytes per nonzero (fp32) instead of 8, and every load of a warp, also that of x, reads
 *         consecutive addresses.  Half the time of v4 on stencils and bands.  Other matrices have
 *         thousands of nearly empty diagonals, too many for memory.
 * Still   It suits only matrices made of full diagonals.                       (-> v6)
 * Needs   DIA; fp32 or fp64.  A filler inside the matrix is multiplied: 0 times an infinite or
 *         NaN x is NaN, in rows that do not use that x.  With a finite x it is right.
 * Launch  grid = ceil(rows / 256), block = 256.
 * Source  Y. Saad, SPARSKIT (1990), for the format; Bell and Garland (2008) for the kernel.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void spmv_scalar_v5_kernel(unsigned rows, unsigned cols, unsigned diagonals,
                                      const int32_t *__restrict__ offsets, const T *__restrict__ values,
                                      const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;

    T sum = 0;
#pragma unroll 4
    for (unsigned d = 0; d < diagonals; ++d) {
        const unsigned col = row + (unsigned)offsets[d]; // left of the matrix it wraps around, far past cols
        if (col < cols) sum += values[(size_t)d * rows + row] * x[col];
    }
    y[row] = sum;
}

template <typename T>
static cudaError_t spmv_scalar_v5_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    spmv_scalar_v5_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, (unsigned)A->cols, (unsigned)A->dia.diagonals,
                                                           A->dia.offsets, (const T *)A->dia.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP(spmv_scalar_v5)
