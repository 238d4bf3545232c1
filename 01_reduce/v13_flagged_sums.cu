/*
 * reduce v13 - a sum that carries its own flag
 *
 * From    v12
 * Was     In v12 a sum is written, fenced, counted and read back.
 * Idea    A sum and its ready flag travel in one 64-bit word, so no order between two
 *         words is needed: no fence and no counter.  One block waits for the words of
 *         the others and takes each with an exchange that also clears it.
 * Moves   Same as v12.
 * Expect  Two trips to L2 instead of four: about 1 us less at small n, nothing at large n.
 * Still   The launch itself and one trip to memory, which take most of the remaining time.
 * Needs   d_words must be zero; launches that share it must be in one stream.  All blocks must fit on
 *         the GPU at once, since one of them waits for the others.  Any n.
 * Launch  grid = enough for n, at most what fits on the GPU at once; block = BLOCK.
 * Source  The flag beside the value: D. Merrill, M. Garland, Single-pass Parallel Prefix Scan with
 *         Decoupled Look-back (NVR-2016-002).
 */
#include "chapter.h"

#include <string.h>

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

// Stores a sum in words that hold 32 bits of it and a flag (1): a float takes one word, a double two.
template <typename T>
static __device__ void post(unsigned long long *words, T sum)
{
    unsigned part[sizeof(T) / 4];
    memcpy(part, &sum, sizeof sum);
#pragma unroll
    for (unsigned w = 0; w < sizeof(T) / 4; ++w) atomicExch(&words[w], (unsigned long long)part[w] << 32 | 1);
}

// Waits for the words of one sum, reads them, and sets them to 0 for the next launch.
template <typename T>
static __device__ T take(unsigned long long *words)
{
    unsigned part[sizeof(T) / 4];
#pragma unroll
    for (unsigned w = 0; w < sizeof(T) / 4; ++w) {
        unsigned long long word;
        do word = atomicExch(&words[w], 0ull);
        while (word == 0);
        part[w] = (unsigned)(word >> 32);
    }
    T sum;
    memcpy(&sum, part, sizeof sum);
    return sum;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK)
    reduce_v13_kernel(const T *__restrict__ in, size_t n, unsigned long long *words, T *out)
{
    constexpr unsigned WORDS = sizeof(T) / 4;
    const unsigned waiter = gridDim.x - 1; // the block that starts last has the least to wait for
    T sum = sum_block<BLOCK>(sum_thread(in, n));

    if (blockIdx.x != waiter) {
        if (threadIdx.x == 0) post(&words[blockIdx.x * WORDS], sum);
        return;
    }
    if (waiter > 0) {
        // The order of the additions is fixed, and so is the rounding.
        if (threadIdx.x > 0) sum = 0;
#pragma unroll 1
        for (unsigned k = threadIdx.x; k < waiter; k += BLOCK) sum += take<T>(&words[k * WORDS]);
        __syncthreads(); // sum_block's shared memory is about to be used again
        sum = sum_block<BLOCK>(sum);
    }
    if (threadIdx.x == 0) *out = sum;
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
static cudaError_t reduce_v13_launch(const T *d_in, size_t n, T *d_out, T *, unsigned long long *d_words,
                                     cudaStream_t stream)
{
    const unsigned blocks = grid_for(reduce_v13_kernel<T>, n * sizeof(T));
    reduce_v13_kernel<T><<<blocks, BLOCK, 0, stream>>>(d_in, n, d_words, d_out);
    return cudaGetLastError();
}

REDUCE_STEP(reduce_v13)
