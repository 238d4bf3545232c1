/*
 * spmv_vector v6 - each vector begins at an aligned position
 *
 * From    v5
 * Was     v5 needs a padded copy of the matrix for its aligned loads.
 * Idea    Keep the matrix unchanged and begin early: at the multiple of LANES at or before
 *         the row's start.  In that first round the lanes before the start are idle.
 * Moves   The matrix as it is; sectors as in v5, less the padding.
 * Expect  Sectors per request near v5's without set-up; in exchange some rows need one
 *         round more.  Gains on rows of many rounds, loses on rows of one.
 * Still   A lane loads one column, then one x, and waits each time: one nonzero
 *         is in flight.                                                (-> v7)
 * Needs   32-bit offsets; fp32 or fp64.  Arrays at any address; aligned ones gain.
 * Launch  grid = ceil(rows / VECTORS), block = 256 = VECTORS vectors of LANES.
 * Source  N. Bell, M. Garland, CUSP's csr_vector; article S1 in docs/sources.md.
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
__global__ void spmv_vector_v6_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
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

    // The first round begins at the aligned position before the row's start; lanes before the start are idle.
    T sum = 0;
    uint32_t nz = start - start % LANES + lane;
    if (nz >= start && nz < end) sum = __ldcs(&values[nz]) * __ldg(&x[__ldcs(&col_indices[nz])]);
#pragma unroll 1
    for (nz += LANES; nz < end; nz += LANES)
        sum += __ldcs(&values[nz]) * __ldg(&x[__ldcs(&col_indices[nz])]);

    sum = sum_vector<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_v6_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    spmv_vector_v6_kernel<LANES, T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets,
                                                                  A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_v6)
