/*
 * spmv_scalar v2 - COO, one thread per nonzero
 *
 * From    v1
 * Was     Each thread of v1 reads another row, of any length, far from its neighbour's.
 * Idea    COO stores the row of each nonzero.  Give each nonzero a thread, which adds its product
 *         to y[row] by an atomic.  y is set to 0 first, within the measured time.
 * Moves   COO: v + 8 bytes per nonzero, whatever the rows are; no padding.  One atomic per nonzero.
 * Expect  Matrix loads of 4 sectors (fp32), the minimum, and no thread waits for a long row.
 *         But the nonzeros of a row add to one address, one after the other, in L2.
 *         Good only for very sparse rows; bad for long ones.
 * Still   32 neighbours, often of one row, send 32 atomics to one address.     (-> v3)
 * Needs   COO, rows in any order; fp32 or fp64.  Sums vary in the last bits from run to run.
 * Launch  grid = ceil(nnz / 256), block = 256, after a memset of y.
 * Source  N. Bell, M. Garland, Efficient Sparse Matrix-Vector Multiplication on CUDA (2008), COO.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void spmv_scalar_v2_kernel(size_t nnz, const int32_t *__restrict__ row_indices,
                                      const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                      const T *__restrict__ x, T *__restrict__ y)
{
    const size_t nz = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (nz >= nnz) return;

    atomicAdd(&y[row_indices[nz]], values[nz] * x[col_indices[nz]]);
}

template <typename T>
static cudaError_t spmv_scalar_v2_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((A->coo.nnz + BLOCK - 1) / BLOCK);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    spmv_scalar_v2_kernel<T><<<blocks, BLOCK, 0, stream>>>(A->coo.nnz, A->coo.row_indices, A->coo.col_indices,
                                                           (const T *)A->coo.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP(spmv_scalar_v2)
