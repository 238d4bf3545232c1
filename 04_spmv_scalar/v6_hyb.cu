/*
 * spmv_scalar v6 - HYB: ELL for most, COO for the rest
 *
 * From    v3
 * Was     v4 is good until one row is long; v3 takes any row, but at 12 bytes per nonzero.
 * Idea    Store the first w entries of each row as ELL and its other entries as COO.  v4 writes
 *         y, then v3's kernel adds the COO part to it.
 * Moves   HYB: w * rows * (4 + v) bytes, and v + 8 for each of the rest.  w is the largest width
 *         that a third of the rows (and 4096 rows) still fill.
 * Expect  Padding is at most two thirds of ELL's part, however long the longest row is.  Good where
 *         most rows have similar lengths.  Two launches: bad for small matrices.
 * Still   A column index is stored for every nonzero, even in small dense blocks.  (-> v7)
 * Needs   HYB, the rest sorted by row; fp32 or fp64.  Sums vary in the last bits where a row
 *         has more than one atomic.
 * Launch  v4's; then grid = ceil(rest / 256), block = 256.
 * Source  N. Bell, M. Garland, Implementing Sparse Matrix-Vector Multiplication on
 *         Throughput-Oriented Processors (SC 2009).
 */
#include "chapter.h"

enum { BLOCK = 256, LANES = 32 };

// Sums the lanes of this row up to this lane.  Rows are sorted: if lane - d has our row, all lanes between have it.
template <typename T>
__device__ __forceinline__ T sum_segment(T sum, int row, unsigned lane)
{
#pragma unroll
    for (unsigned d = 1; d < LANES; d *= 2) {
        const T left = __shfl_up_sync(0xffffffffu, sum, d);
        const int left_row = __shfl_up_sync(0xffffffffu, row, d);
        if (lane >= d && left_row == row) sum += left;
    }
    return sum;
}

template <typename T>
__global__ void spmv_scalar_v6_rest_kernel(size_t nnz, const int32_t *__restrict__ row_indices,
                                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                           const T *__restrict__ x, T *__restrict__ y)
{
    const size_t nz = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    const unsigned lane = threadIdx.x % LANES;

    // A lane past the last nonzero has no row, but takes part in the shuffles.
    int row = -1;
    T product = 0;
    if (nz < nnz) {
        row = row_indices[nz];
        product = values[nz] * x[col_indices[nz]];
    }

    const T sum = sum_segment(product, row, lane);
    const int next_row = __shfl_down_sync(0xffffffffu, row, 1);
    if (row >= 0 && (lane == LANES - 1 || next_row != row)) atomicAdd(&y[row], sum);
}

template <typename T>
static cudaError_t spmv_scalar_v6_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    // region: step
    const unsigned blocks = (unsigned)((A->coo.nnz + BLOCK - 1) / BLOCK);
    const cudaError_t ell = spmv_scalar_v4(A, d_x, d_y, stream); // writes every y, also if the width is 0
    if (ell != cudaSuccess || blocks == 0) return ell;
    spmv_scalar_v6_rest_kernel<T><<<blocks, BLOCK, 0, stream>>>(A->coo.nnz, A->coo.row_indices, A->coo.col_indices,
                                                                (const T *)A->coo.values, d_x, d_y);
    // end: step
    return cudaGetLastError();
}

SPMV_SCALAR_STEP(spmv_scalar_v6)
