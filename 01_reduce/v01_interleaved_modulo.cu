/*
 * reduce v1 - interleaved pairs, chosen by modulo
 *
 * Was     One CPU core adds n numbers one after the other.
 * Idea    A block adds 256 of them as a tree in shared memory: in round s,
 *         every 2s-th thread adds its neighbour s away.  The sums of the
 *         blocks are summed by the same kernel again, until one is left.
 * Moves   n elements in, one per block out; then the same for n/256 elements.
 * Expect  v1 is far from the GPU's bandwidth: eight rounds with a barrier each.
 * Still   The threads that work are spread over all warps, so every warp
 *         executes every round for ever fewer lanes, and % is slow. (-> v2)
 * Needs   BLOCK a power of two.  Any n: missing elements count as 0.
 * Launch  grid = ceil(n / BLOCK), block = BLOCK, BLOCK elements of shared memory.
 * Source  M. Harris, Optimizing Parallel Reduction in CUDA (2007), reduction #1.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void reduce_v1_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    partial[tid] = i < n ? in[i] : T(0);
    __syncthreads();

    // Round s: partial[tid] takes over the s elements to its right.
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];
        __syncthreads(); // the next round reads what this one wrote
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

template <typename T>
static cudaError_t reduce_v1_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v1_kernel<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v1)
