/*
 * reduce v10 - a grid sized to the GPU
 *
 * From    v9
 * Was     v9 starts one block for 2048 elements, and passes the sums on until one is left: 2^26 elements are 32768
 *         blocks, then 16, then one.
 * Idea    Start as many blocks as the GPU can hold, and let each loop over the data.  Their sums fit into one
 *         block, whatever n is: never more than two launches.
 * Moves   n elements in, one per block out: some hundreds, whatever n is.
 * Expect  The loads of v9.  No block starts in the middle of the work, and large n needs one launch less: a small gain.
 * Still   A lane loads 4 bytes at a time, a warp 128. (-> v11)
 * Needs   BLOCK a multiple of 32, at most 1024.  Any n.
 * Launch  grid = enough for n, at most what fits on the GPU at once; block = BLOCK.
 * Source  D. Merrill's library CUB sizes its grids so.
 */
#include "chapter.h"

enum { BLOCK = 256, PER_THREAD = 8, TILE = PER_THREAD * BLOCK };

// Lane 0 gets the sum over the 32 lanes of its warp.
template <typename T>
static __device__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

// Thread 0 gets the sum over the threads of its block.
template <unsigned THREADS, typename T>
static __device__ T sum_block(T sum)
{
    __shared__ T partial[THREADS / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    sum = sum_warp(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) sum = sum_warp(lane < THREADS / 32 ? partial[lane] : T(0));
    return sum;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK) reduce_v10_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    T sum = 0;

    // Each block takes every gridDim.x-th tile of TILE elements.
#pragma unroll 1
    for (size_t tile = (size_t)blockIdx.x * TILE; tile < n; tile += (size_t)gridDim.x * TILE) {
#pragma unroll
        for (unsigned k = 0; k < PER_THREAD; ++k) {
            const size_t i = tile + k * BLOCK + threadIdx.x;
            if (i < n) sum += in[i];
        }
    }

    sum = sum_block<BLOCK>(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// Returns as many blocks as n keeps busy, but no more than the GPU can hold at once.
template <typename kernel_t>
static unsigned grid_for(kernel_t kernel, size_t n)
{
    int gpu = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, BLOCK, 0);
    const size_t resident = (size_t)sms * (size_t)blocks_per_sm;
    const size_t busy = (n + TILE - 1) / TILE;
    return (unsigned)(busy < 1 ? 1 : busy < resident ? busy : resident);
}

template <typename T>
static cudaError_t reduce_v10_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                     cudaStream_t stream)
{
    const unsigned blocks = grid_for(reduce_v10_kernel<T>, n);
    reduce_v10_kernel<T><<<blocks, BLOCK, 0, stream>>>(d_in, n, blocks > 1 ? d_sums : d_out);
    if (blocks > 1) reduce_v10_kernel<T><<<1, BLOCK, 0, stream>>>(d_sums, blocks, d_out);
    return cudaGetLastError();
}

REDUCE_STEP(reduce_v10)
