/*
 * reduce v9 - warp shuffles
 *
 * From    v8
 * Was     v8 passes every partial sum through shared memory.
 * Idea    Lanes of a warp read each other's registers (__shfl_down_sync).  Shared
 *         memory only carries one sum from each warp to warp 0.
 * Moves   Same as v8 from global memory; 8 words instead of 256 through shared.
 * Expect  One barrier instead of three, hardly any shared traffic.  The
 *         time is v8's unless the tree was in the way.
 * Still   4-byte loads, and n / 2048 blocks that each start, work a
 *         microsecond and end.                                         (-> v10)
 * Needs   BLOCK a multiple of 32, at most 1024.  Any n.
 * Launch  grid = ceil(n / (8 BLOCK)), block = BLOCK, BLOCK / 32 elements of shared memory.
 * Source  J. Luitjens, Faster Parallel Reductions on Kepler (NVIDIA blog, 2014).
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

template <unsigned THREADS, typename T>
__global__ void reduce_v9_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[THREADS / 32];
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t first = (size_t)blockIdx.x * TILE + tid;

    T sum = 0;
#pragma unroll
    for (unsigned k = 0; k < PER_THREAD; ++k) {
        const size_t i = first + k * THREADS;
        if (i < n) sum += in[i];
    }

    sum = sum_warp(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) sum = sum_warp(lane < THREADS / 32 ? partial[lane] : T(0));

    if (tid == 0) sums[blockIdx.x] = sum;
}

template <typename T>
static cudaError_t reduce_v9_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v9_kernel<BLOCK, T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v9)
