/*
 * spmv_vector v17 - blocks of two warps, no loop over rows
 *
 * From    v8
 * Was     In v8 a block of eight warps occupies the SM until the longest of its rows is done.
 *         The grids of v9 to v16 do not help if rows are uneven: their scheduling is static and
 *         ignores the lengths of rows, and v8 is faster.
 * Idea    Blocks of two warps.  When their few rows are done, the GPU starts the block of the next rows; its block
 *         scheduler assigns them dynamically, in hardware.
 * Moves   Same as v8.
 * Expect  On rows of 13 to 662 up to a fifth less time: a fifth of v8's warp slots is idle
 *         (lesson_small_blocks in the tests counts it).  Rows of one batch gain nothing.
 *         A million short rows lose: four times the blocks, one or two started per nanosecond.
 * Still   Within a warp the short rows wait for the longest, and one vector processes a huge row
 *         alone.  Chapter 06 schedules rows dynamically, chapter 07 cuts them.
 * Needs   32-bit offsets; fp32 or fp64.  Columns and values on 16-byte boundaries: the
 *         launcher gives other arrays to v7.
 * Launch  grid = ceil(rows / VECTORS), block = 64 = VECTORS vectors of LANES.
 * Source  Ours.
 */
#include "chapter.h"

enum { BLOCK = 64, BLOCKS_PER_SM = 16, IN_FLIGHT = 8 };

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

// The types of a lane's loads: 16 bytes of values, and the columns that belong to them.
template <typename T> struct pack;
template <> struct pack<float> { using values = float4; using columns = int4; };
template <> struct pack<double> { using values = double2; using columns = int2; };
template <typename T> constexpr unsigned WIDTH = sizeof(typename pack<T>::columns) / sizeof(int32_t);

__device__ __forceinline__ void unpack(int4 p, int32_t *to) { to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = p.w; }
__device__ __forceinline__ void unpack(int2 p, int32_t *to) { to[0] = p.x, to[1] = p.y; }
__device__ __forceinline__ void unpack(float4 p, float *to) { to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = p.w; }
__device__ __forceinline__ void unpack(double2 p, double *to) { to[0] = p.x, to[1] = p.y; }

// IN_FLIGHT nonzeros of this lane, in packs that lie LANES packs apart: their columns and values are all
// in flight before the first x is loaded.  Only a row's first batch can begin before the row does.
template <int LANES, bool FIRST, typename T>
__device__ __forceinline__ T sum_batch(uint32_t nz, uint32_t start, uint32_t end,
                                       const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                       const T *__restrict__ x)
{
    int32_t col[IN_FLIGHT];
    T value[IN_FLIGHT], sum = 0;
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; j += WIDTH<T>) {
        const uint32_t k = nz + j * LANES;
        if (k < end) {
            unpack(__ldcs((const typename pack<T>::columns *)&col_indices[k]), &col[j]);
            unpack(__ldcs((const typename pack<T>::values *)&values[k]), &value[j]);
        }
    }
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j) {
        const uint32_t k = nz + j / WIDTH<T> * WIDTH<T> * LANES + j % WIDTH<T>;
        if ((!FIRST || k >= start) && k < end) sum += value[j] * __ldg(&x[col[j]]);
    }
    return sum;
}

// Returns this lane's part of a row.  The first batch begins with the pack that holds the row's start.
// `whole` is nnz rounded down to whole packs; the nonzeros after it are loaded one by one.
template <int LANES, typename T>
__device__ __forceinline__ T sum_row(unsigned lane, uint32_t start, uint32_t end, uint32_t whole,
                                     const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                     const T *__restrict__ x)
{
    const uint32_t packs_end = min(end, whole);
    uint32_t nz = start - start % WIDTH<T> + WIDTH<T> * lane;
    T sum = sum_batch<LANES, true>(nz, start, packs_end, col_indices, values, x);
#pragma unroll 1
    for (nz += IN_FLIGHT * LANES; nz < packs_end; nz += IN_FLIGHT * LANES)
        sum += sum_batch<LANES, false>(nz, start, packs_end, col_indices, values, x);
#pragma unroll 1
    for (nz = max(start, whole) + lane; nz < end; nz += LANES) sum += values[nz] * __ldg(&x[col_indices[nz]]);
    return sum;
}

template <int LANES, typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    spmv_vector_v17_kernel(unsigned rows, uint32_t whole, const uint32_t *__restrict__ row_offsets,
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

    T sum = sum_row<LANES>(lane, start, end, whole, col_indices, values, x);
    sum = sum_vector<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_v17_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    const uint32_t whole = (uint32_t)A->nnz / WIDTH<T> * WIDTH<T>;
    if (blocks == 0) return cudaSuccess;
    if (((uintptr_t)A->col_indices | (uintptr_t)A->values) % 16) return spmv_vector_v7(A, d_x, d_y, LANES, stream);
    spmv_vector_v17_kernel<LANES, T><<<blocks, BLOCK, 0, stream>>>(rows, whole, (const uint32_t *)A->row_offsets,
                                                                  A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_v17)
