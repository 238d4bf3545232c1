/*
 * memcpy v7 - streaming hints
 *
 * From    v6
 * Was     v6 leaves all lines it touches in L2, as if they were needed again.
 * Idea    Tell the cache that they are not: __ldcs and __stcs mark loads and stores evict-first.
 * Moves   Same as v1.
 * Expect  Nothing in the counts.  On a GPU a small gain at sizes beyond L2, where dirty lines
 *         leave sooner and in order; no gain, or a loss, if the copy fits into L2.
 * Still   Addresses with different alignments fall back to units of 8, 4, 2 or 1 bytes: the speed
 *         of v3, or of v1 at worst.  (-> v8)
 * Needs   As v3.
 * Launch  grid = enough tiles, at most what fits on the GPU at once; block = BLOCK.
 * Source  CUDA C++ Programming Guide, load and store functions using cache hints.
 */
#include "chapter.h"

enum { WIDTH = 16, BLOCK = 512, IN_FLIGHT = 4, TILE = BLOCK * IN_FLIGHT };

template <typename unit_t>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v7_kernel(unit_t *__restrict__ to, const unit_t *__restrict__ from, size_t bytes)
{
    const size_t units = bytes / sizeof(unit_t), tail = units * sizeof(unit_t);
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    // Issue all loads of a tile before the first store, which has to wait for its load.
#pragma unroll 1
    for (size_t tile = (size_t)blockIdx.x * TILE; tile < units; tile += (size_t)gridDim.x * TILE) {
        unit_t v[IN_FLIGHT] = {};
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) v[j] = __ldcs(&from[i]);
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) __stcs(&to[i], v[j]);
        }
    }

    // Copy the remaining bytes, fewer than a unit.
    if (tail + thread < bytes) ((unsigned char *)to)[tail + thread] = ((const unsigned char *)from)[tail + thread];
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

template <typename unit_t>
static cudaError_t memcpy_v7_launch(unit_t *d_to, const unit_t *d_from, size_t bytes, cudaStream_t stream)
{
    const unsigned blocks = grid_for(memcpy_v7_kernel<unit_t>, bytes / sizeof(unit_t));
    memcpy_v7_kernel<unit_t><<<blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_STEP(memcpy_v7, WIDTH)
