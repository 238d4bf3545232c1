/*
 * spmv_scalar v1 - CSR, one thread per row
 *
 * Was     c1 multiplies one row after another on one core.
 * Idea    Rows do not depend on each other: give each row a thread, with the loop of c1 unchanged.
 * Moves   CSR: v + 4 bytes per nonzero and o per row (v = 4 or 8 for a value, o = 4 or 8 for
 *         an offset).  Nothing is padded.
 * Expect  Neighbouring threads are at neighbouring rows, so their k-th nonzeros lie a row
 *         apart: on rows of 8 and more every lane of a load touches another sector.
 *         Good for short even rows; a warp is as slow as the longest of its 32 rows.
 * Still   A load of a warp touches up to 32 sectors; one long row delays all.    (-> v2)
 * Needs   CSR, 32- or 64-bit offsets; fp32 or fp64.  Any rows, cols, nnz; rows may be empty.
 * Launch  grid = ceil(rows / 256), block = 256.
 * Source  N. Bell, M. Garland, Efficient Sparse Matrix-Vector Multiplication on CUDA (2008),
 *         the scalar kernel.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename O, typename T>
__global__ void spmv_scalar_v1_kernel(unsigned rows, const O *__restrict__ row_offsets,
                                      const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                      const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;

    const O start = row_offsets[row], end = row_offsets[row + 1];
    T sum = 0;
#pragma unroll 1
    for (O nz = start; nz < end; ++nz) sum += values[nz] * x[col_indices[nz]];
    y[row] = sum;
}

template <typename O, typename T>
static cudaError_t spmv_scalar_v1_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    spmv_scalar_v1_kernel<O, T><<<blocks, BLOCK, 0, stream>>>(rows, (const O *)A->csr.row_offsets, A->csr.col_indices,
                                                              (const T *)A->csr.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP_OFFSETS(spmv_scalar_v1)
