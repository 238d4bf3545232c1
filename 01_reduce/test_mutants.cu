/*
 * test_mutants.cu - kernels of the ladder with one thing broken.  Every one of them must be rejected, by the
 * check or by the stand-in (test_reduce.c says by which).
 */
#include "chapter.h"

enum { BLOCK = 256, TILE = 2 * BLOCK };

enum mutant {
    CORRECT,
    NO_TAIL_GUARD,
    DROPS_LAST,
    ADDS_TWICE,
    NO_BARRIER,
    NO_WARP_SYNC,
    UNWRITTEN,
    ADDS_INTO_OUT,
    NANS
};

template <int MUTANT>
__global__ void mutant_kernel(const float *__restrict__ in, size_t n, float *sums)
{
    __shared__ float partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * TILE + tid;
    if (MUTANT == DROPS_LAST && n > 0) --n;

    float sum = MUTANT == NO_TAIL_GUARD || i < n ? in[i] : 0.f;
    if (MUTANT == NO_TAIL_GUARD || i + BLOCK < n) sum += in[i + BLOCK];
    if (MUTANT == ADDS_TWICE && i == 0) sum += in[0];
    if (MUTANT == NANS && i == 0) sum = nanf("");
    partial[tid] = sum;
    if (MUTANT != NO_BARRIER) __syncthreads();

    for (unsigned s = BLOCK / 2; s > 32; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        sum = partial[tid];
        for (unsigned s = 32; s > 0; s /= 2) {
            sum += partial[tid + s];
            if (MUTANT != NO_WARP_SYNC) __syncwarp();
            partial[tid] = sum;
            if (MUTANT != NO_WARP_SYNC) __syncwarp();
        }
    }
    if (tid == 0 && MUTANT == ADDS_INTO_OUT) sums[blockIdx.x] += sum;
    else if (tid == 0 && !(MUTANT == UNWRITTEN && n > 0)) sums[blockIdx.x] = sum;
}

template <int MUTANT>
static cudaError_t launch(const void *in, size_t n, void *out, void *sums, cudaStream_t stream)
{
    const float *d_in = (const float *)in;
    float *d_sums = (float *)sums;
    for (;;) {
        const size_t blocks = n > TILE ? (n + TILE - 1) / TILE : 1;
        float *to = blocks > 1 ? d_sums : (float *)out;
        mutant_kernel<MUTANT><<<(unsigned)blocks, BLOCK, 0, stream>>>(d_in, n, to);
        if (blocks == 1) return cudaGetLastError();
        d_in = to;
        n = blocks;
        d_sums += blocks;
    }
}

#define MUTANT(name, which)                                                                             \
    extern "C" cudaError_t name(REDUCE_ARGS)                                                            \
    {                                                                                                   \
        (void)dtype, (void)d_words;                                                                     \
        return launch<which>(d_in, n, d_out, d_sums, stream);                                           \
    }
MUTANT(mutant_correct, CORRECT)
MUTANT(mutant_no_tail_guard, NO_TAIL_GUARD)
MUTANT(mutant_drops_last, DROPS_LAST)
MUTANT(mutant_adds_twice, ADDS_TWICE)
MUTANT(mutant_no_barrier, NO_BARRIER)
MUTANT(mutant_no_warp_sync, NO_WARP_SYNC)
MUTANT(mutant_unwritten, UNWRITTEN)
MUTANT(mutant_adds_into_out, ADDS_INTO_OUT)
MUTANT(mutant_nans, NANS)

// v10: a block goes on with the tile next to its own, which is another block's, and not with the one a grid further.
template <bool TWICE>
__global__ void walking_kernel(const float *__restrict__ in, size_t n, float *sums)
{
    __shared__ float partial[BLOCK];
    float sum = 0;
    for (size_t tile = (size_t)blockIdx.x * BLOCK; tile < n; tile += (size_t)(TWICE ? 1 : gridDim.x) * BLOCK)
        if (tile + threadIdx.x < n) sum += in[tile + threadIdx.x];
    partial[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (unsigned k = 1; k < BLOCK; ++k) sum += partial[k];
    sums[blockIdx.x] = sum;
}

template <bool TWICE>
static cudaError_t walk(const void *in, size_t n, void *out, void *sums, cudaStream_t stream)
{
    walking_kernel<TWICE><<<8, BLOCK, 0, stream>>>((const float *)in, n, (float *)sums);
    walking_kernel<TWICE><<<1, BLOCK, 0, stream>>>((const float *)sums, 8, (float *)out);
    return cudaGetLastError();
}

#define WALKER(name, twice)                                                                             \
    extern "C" cudaError_t name(REDUCE_ARGS)                                                            \
    {                                                                                                   \
        (void)dtype, (void)d_words;                                                                     \
        return walk<twice>(d_in, n, d_out, d_sums, stream);                                             \
    }
WALKER(mutant_walker, false)
WALKER(mutant_tiles_twice, true)
