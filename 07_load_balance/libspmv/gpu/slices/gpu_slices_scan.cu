/*
 * gpu_slices_scan.cu - turns sizes into places: each number of an array becomes the sum of all before it.
 *
 * Three kernels: the first adds up tiles, in the second a single block scans these sums, and the third scans the tiles.
 */
#include "gpu_slices_build.cuh"

namespace {

__global__ void tile_sums_kernel(size_t n, const uint32_t *__restrict__ in, uint32_t *sums)
{
    __shared__ uint32_t warp_sums[WARPS];
    uint32_t sum = 0, total;
    for (unsigned j = 0; j < SCAN_ITEMS; ++j) {
        const size_t i = (size_t)blockIdx.x * SCAN_TILE + j * BLOCK + threadIdx.x;
        if (i < n) sum += in[i];
    }
    scan_block(sum, warp_sums, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// One block turns the sums of tiles into places of tiles, and stores the total behind them.
__global__ void scan_sums_kernel(size_t n, uint32_t *sums)
{
    __shared__ uint32_t warp_sums[WARPS];
    uint32_t before = 0;
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t i = first + threadIdx.x;
        uint32_t total;
        const uint32_t place = scan_block(i < n ? sums[i] : 0, warp_sums, &total);
        if (i < n) sums[i] = before + place;
        before += total;
    }
    if (threadIdx.x == 0) sums[n] = before;
}

// Scans in place: data[i] becomes the sum of all before it.
__global__ void scan_tiles_kernel(size_t n, uint32_t *data, const uint32_t *__restrict__ sums)
{
    __shared__ uint32_t warp_sums[WARPS];
    uint32_t value[SCAN_ITEMS], sum = 0, total;
    const size_t first = (size_t)blockIdx.x * SCAN_TILE + threadIdx.x * SCAN_ITEMS;
#pragma unroll
    for (unsigned j = 0; j < SCAN_ITEMS; ++j) {
        value[j] = first + j < n ? data[first + j] : 0;
        sum += value[j];
    }
    uint32_t before = sums[blockIdx.x] + scan_block(sum, warp_sums, &total);
#pragma unroll
    for (unsigned j = 0; j < SCAN_ITEMS; ++j) {
        if (first + j < n) data[first + j] = before;
        before += value[j];
    }
}

} // namespace

cudaError_t slices_scan(uint32_t *data, size_t n, uint32_t *sums, cudaStream_t stream)
{
    const unsigned tiles = blocks_for(n, SCAN_TILE);
    tile_sums_kernel<<<tiles, BLOCK, 0, stream>>>(n, data, sums);
    scan_sums_kernel<<<1, BLOCK, 0, stream>>>(tiles, sums);
    scan_tiles_kernel<<<tiles, BLOCK, 0, stream>>>(n, data, sums);
    return cudaPeekAtLastError();
}
