/*
 * test_mutants_steps.cu - steps with the mistake that their own idea invites.  Every one of them must be rejected
 * (test_memcpy.c says by which word).
 */
#include "chapter.h"

enum { WIDTH = 16, BLOCK = 256 };

// v8: the bytes up to the first border, also where the copy ends before it.
static __global__ void head_not_cut_kernel(unsigned char *to, const unsigned char *from, size_t bytes, size_t head)
{
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (thread < head) to[thread] = from[thread];
    for (size_t i = head + thread; i < bytes; i += (size_t)gridDim.x * BLOCK) to[i] = from[i];
}

extern "C" cudaError_t mutant_head_not_cut(MEMCPY_ARGS)
{
    (void)unit_bytes;
    const size_t head = (WIDTH - (size_t)d_to % WIDTH) % WIDTH;
    head_not_cut_kernel<<<1, BLOCK, 0, stream>>>((unsigned char *)d_to, (const unsigned char *)d_from, bytes, head);
    return cudaGetLastError();
}

// v13: the table says 128 threads, and beside that a kernel compiled for 256.
template <unsigned THREADS>
static __global__ void other_block_kernel(uint4 *to, const uint4 *from, size_t units)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < units) to[i] = from[i];
}

extern "C" cudaError_t mutant_other_block(MEMCPY_ARGS)
{
    (void)unit_bytes;
    const size_t units = bytes / WIDTH;
    const unsigned blocks = (unsigned)(units / 256 + 1);
    other_block_kernel<256><<<blocks, 128, 0, stream>>>((uint4 *)d_to, (const uint4 *)d_from, units);
    return cudaGetLastError();
}

// v14: one branch for no hints, one for hints on both sides; a size whose row says "stores only" takes neither.
enum hints { PLAIN, STREAM_STORES, STREAM };

template <int HINTS>
static __global__ void hint_without_store_kernel(uint4 *to, const uint4 *from, size_t units)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < units && HINTS == PLAIN) to[i] = from[i];
    if (i < units && HINTS == STREAM) __stcs(&to[i], __ldcs(&from[i]));
}

extern "C" cudaError_t mutant_hint_without_store(MEMCPY_ARGS)
{
    (void)unit_bytes;
    const size_t units = bytes / WIDTH;
    const unsigned blocks = (unsigned)(units / BLOCK + 1);
    hint_without_store_kernel<STREAM_STORES><<<blocks, BLOCK, 0, stream>>>((uint4 *)d_to, (const uint4 *)d_from, units);
    return cudaGetLastError();
}

// v15: takes a tile for whole that only begins before the end.
static __global__ void begun_is_whole_kernel(uint4 *to, const uint4 *from, size_t bytes)
{
    const size_t first = (size_t)blockIdx.x * BLOCK;
    if (first * WIDTH < bytes) to[first + threadIdx.x] = from[first + threadIdx.x];
}

extern "C" cudaError_t mutant_begun_is_whole(MEMCPY_ARGS)
{
    (void)unit_bytes;
    const unsigned blocks = (unsigned)(bytes / WIDTH / BLOCK + 1);
    begun_is_whole_kernel<<<blocks, BLOCK, 0, stream>>>((uint4 *)d_to, (const uint4 *)d_from, bytes);
    return cudaGetLastError();
}

// v16: two vectors a thread, but as many blocks as one would need: half of them begin behind the end.
static __global__ void tile_of_one_kernel(uint4 *to, const uint4 *from, size_t bytes)
{
    const size_t tile_bytes = 2 * BLOCK * WIDTH, first = blockIdx.x * tile_bytes;
    const size_t whole = first + tile_bytes <= bytes ? 2 * BLOCK : (bytes - first) / WIDTH;
    for (size_t i = threadIdx.x; i < 2 * BLOCK; i += BLOCK)
        if (i < whole) to[first / WIDTH + i] = from[first / WIDTH + i];
}

extern "C" cudaError_t mutant_tile_of_one(MEMCPY_ARGS)
{
    (void)unit_bytes;
    const unsigned blocks = (unsigned)((bytes + BLOCK * WIDTH - 1) / (BLOCK * WIDTH));
    tile_of_one_kernel<<<blocks, BLOCK, 0, stream>>>((uint4 *)d_to, (const uint4 *)d_from, bytes);
    return cudaGetLastError();
}
