/*
 * spmv_scalar v3 - COO, summed in the warp first
 *
 * From    v2
 * Was     v2 sends one atomic for each nonzero.
 * Idea    Nonzeros of a row are neighbours.  A warp adds up each run of equal rows by shuffles
 *         (a segmented scan), and the last lane of a run adds its sum to y.
 * Moves   COO as in v2.  Atomics: one for each row in a warp, at most L / 32 + 2 for a row of L.
 * Expect  The loads of v2 and a fraction of its atomics.  Many warps share even the longest row:
 *         good for skewed rows, and for matrices whose structure is unknown.
 * Still   12 bytes per nonzero (fp32) where CSR has 8, and a memset before.      (-> v4)
 * Needs   COO sorted by row; fp32 or fp64.  Sums vary in the last bits from run to run.
 * Launch  grid = ceil(nnz / 256), block = 256, after a memset of y.
 * Source  G. Blelloch, M. Heroux, M. Zagha, Segmented Operations for Sparse Matrix Computation
 *         on Vector Multiprocessors (1993); Bell and Garland (2008), COO.
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
__global__ void spmv_scalar_v3_kernel(size_t nnz, const int32_t *__restrict__ row_indices,
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
static cudaError_t spmv_scalar_v3_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((A->coo.nnz + BLOCK - 1) / BLOCK);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    spmv_scalar_v3_kernel<T><<<blocks, BLOCK, 0, stream>>>(A->coo.nnz, A->coo.row_indices, A->coo.col_indices,
                                                           (const T *)A->coo.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP(spmv_scalar_v3)
