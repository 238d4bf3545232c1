/*
 * reduce v11 - 16-byte loads
 *
 * From    v10
 * Was     v10 loads 4 bytes per lane.
 * Idea    Loop over the data with 16-byte loads, four of them in flight in each thread.  Elements before the first
 *         16-byte boundary and after the last are added one at a time.  512 threads per block instead of 256.
 * Moves   Same as v10.
 * Expect  512 bytes per request instead of 128, a quarter of the requests, and twice the bytes in flight: this should
 *         reach the peak read bandwidth for large n.
 * Still   A second launch for the sums of the blocks: 2 us, which is most of the
 *         time when n is small.                                        (-> v12)
 * Needs   in aligned to its type.  Any n.
 * Launch  grid = enough for n, at most what fits on the GPU at once; block = BLOCK.
 * Source  Article S5 in docs/sources.md.
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
__global__ void __launch_bounds__(BLOCK) reduce_v11_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    const T sum = sum_block<BLOCK>(sum_thread(in, n));
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
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
static cudaError_t reduce_v11_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                     cudaStream_t stream)
{
    const unsigned blocks = grid_for(reduce_v11_kernel<T>, n * sizeof(T));
    reduce_v11_kernel<T><<<blocks, BLOCK, 0, stream>>>(d_in, n, blocks > 1 ? d_sums : d_out);
    if (blocks > 1) reduce_v11_kernel<T><<<1, BLOCK, 0, stream>>>(d_sums, blocks, d_out);
    return cudaGetLastError();
}

REDUCE_STEP(reduce_v11)
