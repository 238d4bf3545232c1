/*
 * reduce v8 - eight elements per thread, a block apart
 *
 * From    v7
 * Was     In v7 neighbouring lanes read eight elements apart.
 * Idea    Stride by the block: in turn k, thread t takes element k * BLOCK + t.
 *         Neighbouring lanes read neighbouring elements in every turn.
 * Moves   The same n elements, four 32-byte sectors for 32 floats: nothing twice.
 * Expect  One eighth of v7's sectors; eight independent loads in flight for each
 *         thread and one tree for 2048 elements.
 * Still   The tree lives in shared memory: write, wait, read for each round. (-> v9)
 * Needs   BLOCK a power of two from 64 to 1024.  Any n.
 * Launch  grid = ceil(n / (8 BLOCK)), block = BLOCK, BLOCK elements of shared memory.
 * Source  M. Harris (2007), reduction #7, with a fixed count; article S3 in docs/sources.md.
 */
#include "chapter.h"

enum { BLOCK = 256, PER_THREAD = 8, TILE = PER_THREAD * BLOCK };

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
__global__ void reduce_v8_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[THREADS];
    const unsigned tid = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * TILE + tid;

    T sum = 0;
#pragma unroll
    for (unsigned k = 0; k < PER_THREAD; ++k) {
        const size_t i = first + k * THREADS;
        if (i < n) sum += in[i];
    }
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
static cudaError_t reduce_v8_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *,
                                    cudaStream_t stream)
{
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        T *sums = blocks > 1 ? d_sums : d_out;
        reduce_v8_kernel<BLOCK, T><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, sums);
        if (blocks == 1) return cudaGetLastError();
        d_in = sums; // the next pass sums the sums
        n = blocks;
        d_sums += blocks;
    }
}

REDUCE_STEP(reduce_v8)
