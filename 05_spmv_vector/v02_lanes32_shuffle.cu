/*
 * spmv_vector v2 - 32 lanes on a row, summed by shuffles
 *
 * From    v1
 * Was     v1 sends every partial sum through shared memory, five rounds per row.
 * Idea    The lanes read each other's registers: __shfl_down_sync.
 * Moves   Same as v1; nothing through shared memory.
 * Expect  No shared wavefronts.  The time barely moves where memory is the limit, and
 *         falls a little where rows are short and the tree is most of the work.
 * Still   A row of 4 nonzeros keeps 4 lanes busy and 28 idle.          (-> v3)
 * Needs   32-bit offsets; fp32 or fp64.  Any rows, cols, nnz; a row may be empty.
 * Launch  grid = ceil(rows / 8), block = 256 = 8 vectors.
 * Source  J. Luitjens, Faster Parallel Reductions on Kepler (NVIDIA blog, 2014).
 */
#include "chapter.h"

enum { BLOCK = 256, LANES = 32, VECTORS = BLOCK / LANES };

// Lane 0 of a vector gets the sum over the vector's lanes.
template <typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

template <typename T>
__global__ void spmv_vector_v2_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
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

    sum = sum_vector(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <typename T>
static cudaError_t spmv_vector_v2_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    spmv_vector_v2_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                           (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP_32(spmv_vector_v2)
