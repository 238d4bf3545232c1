/*
 * spmv_lightspmv v9 - the first row range without the counter
 *
 * From    v8
 * Was     In v8 every warp makes a request before its first rows, when no warp can be late yet.
 * Idea    Warp w begins with row range w.  Only the ranges after the first round are
 *         taken from the counter; if there are none, no warp makes a request.
 * Moves   As v8, with one atomic less per warp.
 * Expect  Small matrices, whose rows are all in the first round, need no atomics and one trip to L2
 *         less: the time of chapter 05's kernels.  Large ones hardly change.
 * Still   LightSpMV's rule allows only 2, 4, 8 and 32 lanes.            (-> v10)
 * Needs   As v8.
 * Launch  grid = enough for the rows, at most what fits on the GPU at once; block = 256.
 * Source  Ours.
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

template <int LANES, typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    spmv_lightspmv_v9_kernel(unsigned rows, const O *__restrict__ row_offsets,
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

        T sum = 0;
#pragma unroll 1
        for (O nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];

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
static cudaError_t spmv_lightspmv_v9_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                            cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, needed = (rows + VECTORS - 1) / VECTORS;
    if (needed == 0) return cudaSuccess;
    const unsigned blocks = min(needed, resident_blocks(spmv_lightspmv_v9_kernel<LANES, T, O>));
    spmv_lightspmv_v9_kernel<LANES, T, O><<<blocks, BLOCK, 0, stream>>>(
        rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v9)
