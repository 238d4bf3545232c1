/*
 * reduce v6 - fully unrolled
 *
 * From    v5
 * Was     v5 computes the stride of each round while it runs.
 * Idea    Make the block size a template argument: the compiler knows every
 *         stride, writes the rounds out and drops those that cannot happen.
 * Moves   Same as v4.
 * Expect  Fewer instructions, the same traffic: a few percent at best, and nothing
 *         where memory is already the limit.
 * Still   A tree of eight rounds pays for two elements per thread.       (-> v7)
 * Needs   BLOCK a power of two from 64 to 1024.  Any n.
 * Launch  grid = ceil(n / (2 BLOCK)), block = BLOCK, BLOCK elements of shared memory.
 * Source  M. Harris, Optimizing Parallel Reduction in CUDA (2007), reduction #6.
 */
#include "chapter.h"

enum { BLOCK = 256, TILE = 2 * BLOCK };

// The lanes of one warp add 64 elements up.  Each lane keeps its sum in `sum`; two __syncwarp() per
// round separate its reads from the writes of the other lanes.
template <typename T>
static __device__ void fold_warp(T *partial, unsigned tid)
{
    T sum = partial[tid];
    for (unsigned s = 32; s > 0; s /= 2) {
        sum += partial[tid + s];
        __syncwarp(); // all lanes have read
        partial[tid] = sum;
        __syncwarp(); // all lanes have written
    }
}

template <unsigned THREADS, typename T>
__global__ void reduce_v6_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[THREADS];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * (2 * THREADS) + tid;

    T sum = i < n ? in[i] : T(0);
    if (i + THREADS < n) sum += in[i + THREADS];
    partial[tid] = sum;
    __syncthreads();

    // Round s: the upper half of 2s elements folds onto the lower.
#pragma unroll
    for (unsigned s = THREADS / 2; s > 32; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads(); // the next round reads what this one wrote
    }
    if (tid < 32) fold_warp(partial, tid);

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

template <typename T>
static cudaError_t reduce_v6_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v6_kernel<BLOCK, T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v6)
