/*
 * reduce v4 - first add during load
 *
 * From    v3
 * Was     In v3 half the threads are idle as soon as they have loaded.
 * Idea    A block covers 2 * BLOCK elements: every thread adds two numbers
 *         on their way into shared memory.
 * Moves   Same n elements in; half as many sums out, half as many blocks.
 * Expect  Nearly half the time: the same tree now serves twice the data.
 * Still   The last six rounds of the tree are one warp's work, yet all
 *         eight warps meet at a barrier in each of them.               (-> v5)
 * Needs   BLOCK a power of two.  Any n.
 * Launch  grid = ceil(n / (2 BLOCK)), block = BLOCK, BLOCK elements of shared memory.
 * Source  M. Harris, Optimizing Parallel Reduction in CUDA (2007), reduction #4.
 */
#include "chapter.h"

enum { BLOCK = 256, TILE = 2 * BLOCK };

template <typename T>
__global__ void reduce_v4_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * (2 * blockDim.x) + tid;

    T sum = i < n ? in[i] : T(0);
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    partial[tid] = sum;
    __syncthreads();

    // Round s: the upper half of 2s elements folds onto the lower.
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads(); // the next round reads what this one wrote
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

template <typename T>
static cudaError_t reduce_v4_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v4_kernel<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v4)
