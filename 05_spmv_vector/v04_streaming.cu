/*
 * spmv_vector v4 - the matrix is loaded evict-first, x stays in cache
 *
 * From    v3
 * Was     v3 lets the matrix, used once, push x, used often, out of the caches.
 * Idea    Tell the caches: __ldcs for columns and values (evict first), __ldg for x
 *         (the read-only path, cached).
 * Moves   Same as v3; x comes from a cache more often.
 * Expect  Nothing in the counts.  On a GPU a few percent if x and the matrix
 *         compete for L2; none if x is small or the whole problem fits.
 * Still   A row starts where the one before ends, in the middle of a sector: a vector's
 *         load spans one sector more than it needs.                    (-> v5)
 * Needs   32-bit offsets; fp32 or fp64; LANES a power of two from 2 to 32.
 * Launch  grid = ceil(rows / VECTORS), block = 256 = VECTORS vectors of LANES.
 * Source  CUDA C++ Programming Guide, load functions using cache hints; article S1.
 */
#include "chapter.h"

enum { BLOCK = 256 };

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

template <int LANES, typename T>
__global__ void spmv_vector_v4_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                                      const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                      const T *__restrict__ x, T *__restrict__ y)
{
    constexpr unsigned VECTORS = BLOCK / LANES;
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
    for (uint32_t nz = start + lane; nz < end; nz += LANES)
        sum += __ldcs(&values[nz]) * __ldg(&x[__ldcs(&col_indices[nz])]);

    sum = sum_vector<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_v4_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    spmv_vector_v4_kernel<LANES, T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets,
                                                                  A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_v4)
