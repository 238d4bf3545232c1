/*
 * reduce v3 - sequential addressing
 *
 * From    v2
 * Was     v2 reads shared memory with stride 2s: banks collide, worse each round.
 * Idea    Halve the stride instead.  Threads 0..s-1 stay active and touch
 *         neighbouring words; whole warps retire.
 * Moves   Same as v1.
 * Expect  Bank conflicts go to zero: one wavefront for every warp and access.
 *         Time falls only if v2 was not yet limited by something else.
 * Still   Half the threads do nothing but load one element.            (-> v4)
 * Needs   BLOCK a power of two.  Any n.
 * Launch  grid = ceil(n / BLOCK), block = BLOCK, BLOCK elements of shared memory.
 * Source  M. Harris, Optimizing Parallel Reduction in CUDA (2007), reduction #3.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void reduce_v3_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    partial[tid] = i < n ? in[i] : T(0);
    __syncthreads();

    // Round s: the upper half of 2s elements folds onto the lower.
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads(); // the next round reads what this one wrote
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

template <typename T>
static cudaError_t reduce_v3_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > BLOCK ? (n + BLOCK - 1) / BLOCK : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v3_kernel<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v3)
