/*
 * spmv_vector v1 - 32 lanes on a row, summed in shared memory
 *
 * Was     Chapter 04 gives a row to one thread: neighbouring threads read a whole row
 *         apart, so each of their loads touches 32 sectors.
 * Idea    Give a row to a vector of 32 lanes, a warp.  Lane l takes nonzeros l, l + 32, ...
 *         of the row; the 32 sums are added by a tree in shared memory.
 * Moves   Matrix once, y once; x once per nonzero, from L1 or L2 if rows share columns.
 * Expect  4 to 5 sectors where chapter 04 had up to 32, on rows of 32 nonzeros and more.
 * Still   Five rounds through shared memory at the end of every row.   (-> v2)
 * Needs   32-bit offsets; fp32 or fp64.  Any rows, cols, nnz; a row may be empty.
 * Launch  grid = ceil(rows / 8), block = 256 = 8 vectors, 256 elements of shared memory.
 * Source  N. Bell, M. Garland, Efficient Sparse Matrix-Vector Multiplication on CUDA (2008),
 *         the vector kernel, with __syncwarp() where it relied on lockstep warps.
 */
#include "chapter.h"

enum { BLOCK = 256, LANES = 32, VECTORS = BLOCK / LANES };

// Sums the lanes of a vector; lane 0's pointer points to the sum.  Lanes 0..s-1 add what lanes s..2s-1 stored.
template <typename T>
__device__ __forceinline__ const T *sum_vector(T sum, unsigned lane)
{
    __shared__ T partial[BLOCK];
    T *mine = &partial[threadIdx.x];
    *mine = sum;
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) {
        __syncwarp(); // what this round reads was written in the one before
        if (lane < s) *mine += mine[s];
    }
    return mine;
}

template <typename T>
__global__ void spmv_vector_v1_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                                      const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                      const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned row = blockIdx.x * VECTORS + threadIdx.x / LANES;

    // A vector past the last row processes an empty row: its lanes must take part in the sum.
    uint32_t start = 0, end = 0;
    if (row < rows) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }

    T sum = 0;
#pragma unroll 1
    for (uint32_t nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];

    const T *total = sum_vector(sum, lane);
    if (lane == 0 && row < rows) y[row] = *total;
}

template <typename T>
static cudaError_t spmv_vector_v1_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    spmv_vector_v1_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                           (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP_32(spmv_vector_v1)
