/*
 * reduce v12 - one launch: the last block finishes
 *
 * From    v11
 * Was     v11 starts a second kernel to add a few hundred sums.
 * Idea    Every block increments a counter after it has written its sum.  The
 *         block that arrives last knows that all sums are written, and adds them.
 * Moves   Same as v11, and one atomic for each block.
 * Expect  The overhead of one launch instead of two: about 2 us less at every
 *         n, which is half of the time up to a million elements.
 * Still   Write, fence, count, read back: four trips to L2, one after the other. (-> v13)
 * Needs   d_words must be zero; launches that share it must be in one stream.  Any n.
 * Launch  grid = enough for n, at most what fits on the GPU at once; block = BLOCK.
 * Source  threadFenceReduction, NVIDIA CUDA samples (2009), for the idea.
 */
#include "chapter.h"

enum { BLOCK = 512, IN_FLIGHT = 4, TILE = BLOCK * IN_FLIGHT, TILE_BYTES = 16 * TILE };

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

static __device__ float sum_vector(float4 v) { return (v.x + v.y) + (v.z + v.w); }
static __device__ double sum_vector(double2 v) { return v.x + v.y; }

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

// Returns the sum of this thread's share: of the 16-byte vectors, and of the elements before and after them.
template <typename T>
static __device__ T sum_thread(const T *__restrict__ in, size_t n)
{
    using vector_t = typename vector_of<T>::type;
    constexpr size_t WIDTH = sizeof(vector_t) / sizeof(T);
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    // Split `in` into the elements before the first 16-byte boundary, whole vectors, and the remaining elements.
    const size_t misaligned = (size_t)in % sizeof(vector_t) / sizeof(T);
    const size_t head = misaligned == 0 ? 0 : min(n, WIDTH - misaligned);
    const vector_t *vectors = (const vector_t *)(in + head);
    const size_t count = (n - head) / WIDTH;
    const size_t tail = head + count * WIDTH;

    T sum = 0;
    if (thread < head) sum = in[thread];
    if (tail + thread < n) sum += in[tail + thread];

    // A block takes tiles of BLOCK * IN_FLIGHT vectors and issues all loads of a tile before it uses the first one.
#pragma unroll 1
    for (size_t tile = (size_t)blockIdx.x * TILE; tile < count; tile += (size_t)gridDim.x * TILE) {
        vector_t v[IN_FLIGHT] = {};
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t k = tile + j * BLOCK + threadIdx.x;
            if (k < count) v[j] = vectors[k];
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) sum += sum_vector(v[j]);
    }
    return sum;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK)
    reduce_v12_kernel(const T *__restrict__ in, size_t n, T *sums, unsigned long long *arrived, T *out)
{
    __shared__ bool last;
    T sum = sum_block<BLOCK>(sum_thread(in, n));
    if (gridDim.x == 1) { // a single block: its sum is the result
        if (threadIdx.x == 0) *out = sum;
        return;
    }

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence(); // a block that sees the count below also sees this sum
        last = atomicAdd(arrived, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;

    // All blocks have written their sums.  The order of the additions is fixed, and so is the rounding.
    __threadfence();
    sum = 0;
#pragma unroll 1
    for (unsigned k = threadIdx.x; k < gridDim.x; k += BLOCK) sum += __ldcg(&sums[k]);
    sum = sum_block<BLOCK>(sum);
    if (threadIdx.x == 0) {
        *out = sum;
        *arrived = 0; // ready for the next launch
    }
}

// Returns as many blocks as n keeps busy, but no more than the GPU can hold at once.
template <typename kernel_t>
static unsigned grid_for(kernel_t kernel, size_t bytes)
{
    int gpu = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, BLOCK, 0);
    const size_t resident = (size_t)sms * (size_t)blocks_per_sm;
    const size_t busy = (bytes + TILE_BYTES - 1) / TILE_BYTES;
    return (unsigned)(busy < 1 ? 1 : busy < resident ? busy : resident);
}

template <typename T>
static cudaError_t reduce_v12_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *d_words,
                                     cudaStream_t stream)
{
    const unsigned blocks = grid_for(reduce_v12_kernel<T>, n * sizeof(T));
    reduce_v12_kernel<T><<<blocks, BLOCK, 0, stream>>>(d_in, n, d_sums, d_words, d_out);
    return cudaGetLastError();
}

REDUCE_STEP(reduce_v12)
