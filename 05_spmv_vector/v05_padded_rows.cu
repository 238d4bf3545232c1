/*
 * spmv_vector v5 - rows padded so that each starts aligned
 *
 * From    v4
 * Was     In v4 a row starts anywhere, so a vector's load spans one sector too many.
 * Idea    Copy the matrix once, each row filled up to a multiple of LANES entries.  Then
 *         every row starts aligned.  A filler has column -1 and is not multiplied.
 * Moves   The padded matrix: up to LANES - 1 entries more for each row.
 * Expect  Fewest sectors per request.  The gain depends on the padding: on rows of 4 it costs
 *         more than the saved sector, on rows of 70 it does not.
 * Still   It needs a second copy of the matrix, made before the first run (setup_ms) and
 *         again whenever the matrix changes.                           (-> v6)
 * Needs   A from spmv_vector_pad() with the same LANES; else as v4.
 * Launch  grid = ceil(rows / VECTORS), block = 256 = VECTORS vectors of LANES.
 * Source  Article S1 in docs/sources.md: "pad to force alignment, worth trying".
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
__global__ void spmv_vector_v5_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
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
    for (uint32_t nz = start + lane; nz < end; nz += LANES) {
        const int32_t col = __ldcs(&col_indices[nz]);
        const T value = __ldcs(&values[nz]);
        if (col >= 0) sum += value * __ldg(&x[col]); // padding: 0 * x would be NaN where x is Inf
    }

    sum = sum_vector<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_v5_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    spmv_vector_v5_kernel<LANES, T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets,
                                                                  A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_v5)
