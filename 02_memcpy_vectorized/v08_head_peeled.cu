/*
 * memcpy v8 - the head peeled off
 *
 * From    v7
 * Was     v7 tests whether the addresses are aligned: one byte past a boundary, and it copies byte by byte.
 * Idea    It is enough that both addresses are equally far past a boundary.  The bytes before the target's next sector
 *         are copied one by one; after them both addresses are aligned, and whole vectors copy the rest.
 * Moves   Same as v1.
 * Expect  Equal alignment: v7 at 16 bytes, wherever the copy begins.  Else: v7 with its fallback.
 * Still   Addresses with different alignments: no head brings both to a boundary.  (-> v9)
 * Needs   Any bytes, any alignment: pairs that differ modulo 16 go to v7.
 * Launch  grid = enough tiles, at most what fits on the GPU at once; block = BLOCK.
 * Source  Our own; C libraries start memcpy in the same way.
 */
#include "chapter.h"

enum { WIDTH = 16, SECTOR = 32, BLOCK = 512, IN_FLIGHT = 4, TILE = BLOCK * IN_FLIGHT };

__global__ void __launch_bounds__(BLOCK)
    memcpy_v8_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes, size_t head)
{
    const size_t units = (bytes - head) / WIDTH, tail = head + units * WIDTH;
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    uint4 *to16 = (uint4 *)(to + head);
    const uint4 *from16 = (const uint4 *)(from + head);

    // Issue all loads of a tile before the first store, which has to wait for its load.
#pragma unroll 1
    for (size_t tile = (size_t)blockIdx.x * TILE; tile < units; tile += (size_t)gridDim.x * TILE) {
        uint4 v[IN_FLIGHT] = {};
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) v[j] = __ldcs(&from16[i]);
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) __stcs(&to16[i], v[j]);
        }
    }

    // Copy the bytes before the vectors (fewer than 32) and after them (fewer than 16).
    if (thread < head) to[thread] = from[thread];
    if (tail + thread < bytes) to[tail + thread] = from[tail + thread];
}

// Returns as many blocks as there are tiles, but no more than the GPU can hold at once.
template <typename kernel_t>
static unsigned grid_for(kernel_t kernel, size_t units)
{
    int gpu = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, BLOCK, 0);
    const size_t resident = (size_t)sms * (size_t)blocks_per_sm, tiles = (units + TILE - 1) / TILE;
    return (unsigned)(tiles < 1 ? 1 : tiles < resident ? tiles : resident);
}

static cudaError_t memcpy_v8_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes, cudaStream_t stream)
{
    if (((size_t)d_to - (size_t)d_from) % WIDTH) return memcpy_v7(d_to, d_from, bytes, 1, stream);
    size_t head = (SECTOR - (size_t)d_to % SECTOR) % SECTOR; // bytes before the target's first sector
    if (head > bytes) head = bytes;
    const unsigned blocks = grid_for(memcpy_v8_kernel, (bytes - head) / WIDTH);
    memcpy_v8_kernel<<<blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes, head);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v8)
