/*
 * memcpy v15 - only the copy
 *
 * From    v5
 * Was     A thread of v5 has a loop, two guards and a tail around its one vector, and its block has 1024 threads.
 * Idea    If both ends lie on 16-byte boundaries, a thread of a whole tile copies one vector and ends.  Blocks are
 *         small, there is one for each tile, and the GPU starts them in order.
 * Moves   Same as v1.
 * Expect  Same counts as v5.  A block of 128 threads makes room for the next sooner than one of 1024.  As in v5, blocks
 *         start in order, so reads and writes stay in one region; the persistent blocks of v6 to v12 do not.
 * Still   One vector per thread and 128 threads per block are too little for copies of a few megabytes.  (-> v16)
 * Needs   Any bytes, any alignment: copies that do not lie on 16-byte boundaries use v14.
 * Launch  grid = a block for each tile, block = BLOCK.
 * Source  Our own.
 */
#include "chapter.h"

enum { WIDTH = 16, BLOCK = 128, TILE_BYTES = BLOCK * WIDTH };

// Each block copies one tile; the last tile may be partial, and also copies the bytes after the last whole vector.
__global__ void __launch_bounds__(BLOCK)
    memcpy_v15_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes)
{
    const size_t first = (size_t)blockIdx.x * TILE_BYTES;
    const uint4 *from16 = (const uint4 *)(from + first) + threadIdx.x;
    uint4 *to16 = (uint4 *)(to + first) + threadIdx.x;

    if (first + TILE_BYTES <= bytes) {
        __stcg(to16, __ldcg(from16));
        return;
    }
    const size_t whole = (bytes - first) / WIDTH;
    if (threadIdx.x < whole) __stcg(to16, __ldcg(from16));
    const size_t left = first + whole * WIDTH + threadIdx.x;
    if (left < bytes) to[left] = from[left];
}

static cudaError_t memcpy_v15_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes,
                                     cudaStream_t stream)
{
    if (((size_t)d_to | (size_t)d_from) % WIDTH) return memcpy_v14(d_to, d_from, bytes, 1, stream);
    const size_t blocks = (bytes + TILE_BYTES - 1) / TILE_BYTES;
    memcpy_v15_kernel<<<(unsigned)blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v15)
