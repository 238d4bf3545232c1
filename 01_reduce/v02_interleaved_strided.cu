/*
 * reduce v2 - interleaved pairs, adjacent threads
 *
 * From    v1
 * Was     v1 spreads its working threads over all warps.
 * Idea    Number the pairs, not the elements: thread t takes the t-th pair of
 *         the round.  The working threads are 0, 1, 2, ...: whole warps retire.
 * Moves   Same as v1.
 * Expect  Fewer instructions from round 2 on: with 32 pairs left, one warp works
 *         instead of eight.
 * Still   The t-th pair lies 2s elements from the next: in round s, lanes
 *         collide on every 2s-th bank of shared memory.                (-> v3)
 * Needs   BLOCK a power of two.  Any n.
 * Launch  grid = ceil(n / BLOCK), block = BLOCK, BLOCK elements of shared memory.
 * Source  M. Harris, Optimizing Parallel Reduction in CUDA (2007), reduction #2.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void reduce_v2_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    partial[tid] = i < n ? in[i] : T(0);
    __syncthreads();

    // Round s: partial[left] takes over the s elements to its right.
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        const unsigned left = 2 * s * tid;
        if (left < blockDim.x) partial[left] += partial[left + s];
        __syncthreads(); // the next round reads what this one wrote
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

template <typename T>
static cudaError_t reduce_v2_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v2_kernel<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v2)
