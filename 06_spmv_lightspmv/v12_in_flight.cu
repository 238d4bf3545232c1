/*
 * spmv_lightspmv v12 - four nonzeros in flight in each lane
 *
 * From    v11
 * Was     v11 has one nonzero in flight in each lane: it loads a column, then x, and adds.
 * Idea    Use the largest gain of chapter 05 (its v7): load four columns and four values
 *         together, then four x.  The matrix is loaded evict-first, x stays in cache.
 * Moves   Same as v11.
 * Expect  A fourth of the round trips on rows longer than LANES, so fewer lanes for the same row: the
 *         table has another column for it.  Rows of one round gain nothing.
 * Still   It makes an atomic for every 32 / LANES rows: for a million short rows L2 executes
 *         tens of thousands on one word.                               (-> v13)
 * Needs   As v10.
 * Launch  grid = enough for the rows, at most what fits on the GPU at once; block = 256.
 * Source  V. Volkov, Better Performance at Lower Occupancy (GTC 2010); chapter 05, v7.
 */
#include "chapter.h"
#include "tables.h"

enum { BLOCK = 256, BLOCKS_PER_SM = 4, IN_FLIGHT = 4 };

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

// Returns this lane's part of a row: the columns and values of IN_FLIGHT nonzeros, LANES apart, are all in flight
// before the first x is loaded.
template <int LANES, typename T, typename O>
__device__ __forceinline__ T sum_row(unsigned lane, O start, O end, const int32_t *__restrict__ col_indices,
                                     const T *__restrict__ values, const T *__restrict__ x)
{
    T sum = 0;
#pragma unroll 1
    for (O nz = start + lane; nz < end; nz += IN_FLIGHT * LANES) {
        int32_t col[IN_FLIGHT];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const O k = nz + j * LANES;
            if (k < end) {
                col[j] = __ldcs(&col_indices[k]);
                value[j] = __ldcs(&values[k]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (nz + j * LANES < end) sum += value[j] * __ldg(&x[col[j]]);
    }
    return sum;
}

template <int LANES, typename T, typename O>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    spmv_lightspmv_v12_kernel(unsigned rows, const O *__restrict__ row_offsets,
                              const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                              const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned STRETCH = 32 / LANES; // rows of a warp at a time
    const unsigned warps = gridDim.x * (BLOCK / 32);
    const unsigned assigned = warps * STRETCH;                      // rows of the first round
    const unsigned last = ((rows - 1) / STRETCH + warps) * STRETCH; // all row ranges, then one empty request per warp
    unsigned first = (blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * STRETCH;

#pragma unroll 1
    while (first < rows) {
        // A vector past the last row processes an empty row: its lanes must take part in the sum.
        const unsigned row = first + threadIdx.x % 32 / LANES;
        O start = 0, end = 0;
        if (row < rows) {
            start = row_offsets[row];
            end = row_offsets[row + 1];
        }

        T sum = sum_row<LANES>(lane, start, end, col_indices, values, x);
        sum = sum_vector<LANES>(sum);
        if (lane == 0 && row < rows) y[row] = sum;

        if (assigned >= rows) break; // the first round had all rows
        if (threadIdx.x % 32 == 0) first = assigned + atomicAdd(counter, STRETCH);
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first == last && threadIdx.x % 32 == 0) atomicExch(counter, 0u);
    }
}

// Returns the number of blocks that the GPU can hold at once.
template <typename K>
static unsigned resident_blocks(K *kernel)
{
    int gpu = 0, sms = 1, per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, BLOCK, 0);
    return (unsigned)(sms * per_sm);
}

template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_v12_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                             cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, needed = (rows + VECTORS - 1) / VECTORS;
    if (needed == 0) return cudaSuccess;
    const unsigned blocks = min(needed, resident_blocks(spmv_lightspmv_v12_kernel<LANES, T, O>));
    spmv_lightspmv_v12_kernel<LANES, T, O><<<blocks, BLOCK, 0, stream>>>(
        rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP_BY(spmv_lightspmv_v12, RETUNED_LANES_4)
