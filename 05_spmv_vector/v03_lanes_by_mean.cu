/*
 * spmv_vector v3 - as many lanes as the mean row can use
 *
 * From    v2
 * Was     v2 puts 32 lanes on every row; a row of 4 leaves 28 of them idle.
 * Idea    LANES is a template argument: 2, 4, 8, 16 or 32.  A warp serves 32 / LANES
 *         rows at once; the caller chooses LANES by the mean row length.
 * Moves   Same as v1.
 * Expect  Short rows: as many active lanes per request as there are nonzeros in 32 / LANES
 *         rows, so about a fourth of v2's requests at 8 lanes.  Rows of 32 and more: no
 *         change.  Too few lanes cost sectors: adjacent lanes read different rows again.
 * Still   The matrix is read once and x many times, but the caches treat both
 *         in the same way.                                             (-> v4)
 * Needs   32-bit offsets; fp32 or fp64; LANES a power of two from 2 to 32.
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
__global__ void spmv_vector_v3_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
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
    for (uint32_t nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];

    sum = sum_vector<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_v3_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    spmv_vector_v3_kernel<LANES, T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets,
                                                                  A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_v3)
