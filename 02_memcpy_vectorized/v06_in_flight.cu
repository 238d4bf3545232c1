/*
 * memcpy v6 - four vectors in flight, a grid sized to the GPU
 *
 * From    v5
 * Was     v5 starts a thread for every 16 bytes, and that thread waits once.
 * Idea    Start as many blocks as the GPU holds, each looping over tiles of the data; a thread
 *         starts four loads before it stores the first vector.
 * Moves   Same as v1.
 * Expect  The same requests.  More bytes in flight at any time, and no block start-up in the middle
 *         of the work: this should be near the peak copy bandwidth if the data is large.
 * Still   The caches keep lines that no thread reads again.  (-> v7)
 * Needs   As v3.
 * Launch  grid = enough tiles, at most what fits on the GPU at once; block = BLOCK.
 * Source  V. Volkov, Better Performance at Lower Occupancy (GTC 2010).
 */
#include "chapter.h"

enum { WIDTH = 16, BLOCK = 512, IN_FLIGHT = 4, TILE = BLOCK * IN_FLIGHT };

template <typename unit_t>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v6_kernel(unit_t *__restrict__ to, const unit_t *__restrict__ from, size_t bytes)
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
            if (i < units) v[j] = from[i];
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) to[i] = v[j];
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
static cudaError_t memcpy_v6_launch(unit_t *d_to, const unit_t *d_from, size_t bytes, cudaStream_t stream)
{
    const unsigned blocks = grid_for(memcpy_v6_kernel<unit_t>, bytes / sizeof(unit_t));
    memcpy_v6_kernel<unit_t><<<blocks, BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_STEP(memcpy_v6, WIDTH)
