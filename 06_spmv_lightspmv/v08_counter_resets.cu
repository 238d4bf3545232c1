/*
 * spmv_lightspmv v8 - the last request resets the counter
 *
 * From    v7
 * Was     v7 zeroes its counter by a memset, which is a second launch.
 * Idea    Each warp makes exactly one request that returns no work.  So the last number of all is known beforehand, and
 *         the warp that gets it knows that no request will follow: it writes zero for the next call.  This needs no
 *         second counter and no fence, and a CUDA graph may replay the kernel.
 * Moves   Same as v7, without the memset.
 * Expect  About 2 us less per call, at every size: half of the time of a small matrix.
 * Still   Every warp begins with a request: four trips to memory instead of three.  (-> v9)
 * Needs   As v7; *d_counter zero before the call, and one call at a time on a counter.
 * Launch  grid = enough for the rows, at most what fits on the GPU at once; block = 256.
 * Source  Chapter 01, v12, which also resets its counter for the next launch.
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
    spmv_lightspmv_v8_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned STRETCH = 32 / LANES; // rows of a warp at a time
    const unsigned warps = gridDim.x * (BLOCK / 32);
    const unsigned last = ((rows - 1) / STRETCH + warps) * STRETCH; // all row ranges, then one empty request per warp

#pragma unroll 1
    for (;;) {
        unsigned first = 0;
        if (threadIdx.x % 32 == 0) first = atomicAdd(counter, STRETCH);
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first >= rows) {
            if (first == last && threadIdx.x % 32 == 0) atomicExch(counter, 0u);
            break;
        }

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
static cudaError_t spmv_lightspmv_v8_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                            cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, needed = (rows + VECTORS - 1) / VECTORS;
    if (needed == 0) return cudaSuccess;
    const unsigned blocks = min(needed, resident_blocks(spmv_lightspmv_v8_kernel<LANES, T, O>));
    spmv_lightspmv_v8_kernel<LANES, T, O><<<blocks, BLOCK, 0, stream>>>(
        rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v8)
