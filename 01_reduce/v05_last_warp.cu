/*
 * reduce v5 - the last warp on its own
 *
 * From    v4
 * Was     v4 keeps eight warps at the barrier while one of them works.
 * Idea    Once 64 elements are left, warp 0 finishes alone: __syncwarp()
 *         instead of __syncthreads(), and the other warps end.
 * Moves   Same as v4.
 * Expect  Six barriers fewer; a little less time.
 * Still   The rounds before that are a loop whose bound the compiler does not know:
 *         a compare, a shift and a branch for each.                    (-> v6)
 * Needs   BLOCK a power of two, at least 64.  Any n.
 * Launch  grid = ceil(n / (2 BLOCK)), block = BLOCK, BLOCK elements of shared memory.
 * Source  M. Harris, Optimizing Parallel Reduction in CUDA (2007), reduction #5, with __syncwarp() where
 *         it relied on lockstep warps, which ended with Volta.
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

template <typename T>
__global__ void reduce_v5_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * (2 * blockDim.x) + tid;

    T sum = i < n ? in[i] : T(0);
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    partial[tid] = sum;
    __syncthreads();

    // Round s: the upper half of 2s elements folds onto the lower.
    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads(); // the next round reads what this one wrote
    }
    if (tid < 32) fold_warp(partial, tid);

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

template <typename T>
static cudaError_t reduce_v5_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v5_kernel<T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v5)
