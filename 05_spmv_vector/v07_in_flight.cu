/*
 * spmv_vector v7 - four nonzeros in flight in each lane
 *
 * From    v6
 * Was     v6 has one nonzero in flight in each lane: it loads a column, then x, and adds.
 * Idea    Take four at a time: load four columns and four values together, then four x.  A mask,
 *         not a loop, handles the end of a row.  The values in flight are in registers: the
 *         launch bounds let the compiler use more of them than its default of 32.
 * Moves   Same as v6.
 * Expect  A fourth of the round trips to memory on rows longer than LANES, so fewer lanes
 *         suffice for a row of the same length.  Rows of one round gain nothing and lose
 *         a little: fewer blocks fit on an SM.
 * Still   16 bytes of a row take four 4-byte loads, each with its own address.  (-> v8)
 * Needs   32-bit offsets; fp32 or fp64.  Arrays at any address; aligned ones gain.
 * Launch  grid = ceil(rows / VECTORS), block = 256 = VECTORS vectors of LANES.
 * Source  V. Volkov, Better Performance at Lower Occupancy (GTC 2010).
 */
#include "chapter.h"

enum { BLOCK = 256, BLOCKS_PER_SM = 4, IN_FLIGHT = 4 };

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

// region: step
// IN_FLIGHT nonzeros of this lane, LANES apart: their columns and values are all in flight
// before the first x is loaded.  Only a row's first batch can begin before the row does.
template <int LANES, bool FIRST, typename T>
__device__ __forceinline__ T sum_batch(uint32_t nz, uint32_t start, uint32_t end,
                                       const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                       const T *__restrict__ x)
{
    int32_t col[IN_FLIGHT];
    T value[IN_FLIGHT], sum = 0;
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j) {
        const uint32_t k = nz + j * LANES;
        if ((!FIRST || k >= start) && k < end) {
            col[j] = __ldcs(&col_indices[k]);
            value[j] = __ldcs(&values[k]);
        }
    }
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j) {
        const uint32_t k = nz + j * LANES;
        if ((!FIRST || k >= start) && k < end) sum += value[j] * __ldg(&x[col[j]]);
    }
    return sum;
}
// end: step

// Returns this lane's part of a row.  The first batch begins at the aligned position before the row's start.
template <int LANES, typename T>
__device__ __forceinline__ T sum_row(unsigned lane, uint32_t start, uint32_t end,
                                     const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                     const T *__restrict__ x)
{
    uint32_t nz = start - start % LANES + lane;
    T sum = sum_batch<LANES, true>(nz, start, end, col_indices, values, x);
#pragma unroll 1
    for (nz += IN_FLIGHT * LANES; nz < end; nz += IN_FLIGHT * LANES)
        sum += sum_batch<LANES, false>(nz, start, end, col_indices, values, x);
    return sum;
}

template <int LANES, typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    spmv_vector_v7_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
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

    T sum = sum_row<LANES>(lane, start, end, col_indices, values, x);
    sum = sum_vector<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_v7_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    spmv_vector_v7_kernel<LANES, T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets,
                                                                  A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_v7)
