/*
 * scan.cu - the device-wide exclusive scan for the builders: for each element the sum of all earlier elements.
 *
 * Three steps: the sums of tiles, the scan of these sums (recursively), and the tiles.  The sums are stored after
 * the array, so that a scan needs no memory of its own.  It reads twice and writes once; a single-pass scan would
 * read once (Merrill, Garland 2016), but a builder scans counts of rows, not nonzeros, so this hardly matters.
 */
#include "plan/plan.h"

enum { BLOCK = 256, EACH = 8, TILE = BLOCK * EACH };

// The sum of v over the earlier threads of the block; *total: over all.  It uses one shared word per warp.
static __device__ __forceinline__ uint32_t before_in_block(uint32_t v, uint32_t *total)
{
    __shared__ uint32_t warp_sum[BLOCK / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t sum = v;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        const uint32_t left = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d) sum += left;
    }
    if (lane == 31) warp_sum[warp] = sum;
    __syncthreads();
    uint32_t before = 0;
    *total = 0;
    for (unsigned w = 0; w < BLOCK / 32; ++w) {
        if (w == warp) before = *total;
        *total += warp_sum[w];
    }
    return before + sum - v;
}

static __global__ void plan_scan_sums_kernel(const uint32_t *__restrict__ d, size_t n, uint32_t *sums)
{
    const size_t first = blockIdx.x * (size_t)TILE + threadIdx.x;
    uint32_t sum = 0, total;
#pragma unroll
    for (unsigned j = 0; j < EACH; ++j)
        if (first + j * BLOCK < n) sum += d[first + j * BLOCK];
    before_in_block(sum, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// before[b] is the sum of all tiles before tile b; NULL: there is only one tile.
static __global__ void plan_scan_tiles_kernel(uint32_t *d, size_t n, const uint32_t *__restrict__ before)
{
    const size_t first = blockIdx.x * (size_t)TILE + threadIdx.x * EACH;
    uint32_t v[EACH], sum = 0, total;
#pragma unroll
    for (unsigned j = 0; j < EACH; ++j) {
        v[j] = first + j < n ? d[first + j] : 0;
        sum += v[j];
    }
    uint32_t at = before_in_block(sum, &total);
    if (before) at += before[blockIdx.x];
#pragma unroll
    for (unsigned j = 0; j < EACH; ++j) {
        if (first + j < n) d[first + j] = at;
        at += v[j];
    }
    // The last thread of the last block has the total.
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == BLOCK - 1) d[n] = at;
}

extern "C" size_t plan_scan_words(size_t n)
{
    const size_t tiles = (n + TILE - 1) / TILE;
    return n + 1 + (tiles > 1 ? plan_scan_words(tiles) : 0);
}

extern "C" cudaError_t plan_scan(uint32_t *d, size_t n, uint32_t *total, cudaStream_t stream)
{
    const size_t tiles = (n + TILE - 1) / TILE;
    uint32_t *sums = nullptr;
    if (tiles > 1) {
        sums = d + n + 1;
        plan_scan_sums_kernel<<<(unsigned)tiles, BLOCK, 0, stream>>>(d, n, sums);
        const cudaError_t status = plan_scan(sums, tiles, nullptr, stream);
        if (status != cudaSuccess) return status;
    }
    plan_scan_tiles_kernel<<<tiles ? (unsigned)tiles : 1, BLOCK, 0, stream>>>(d, n, sums);
    TRY(cudaGetLastError());
    if (!total) return cudaSuccess;
    TRY(cudaMemcpyAsync(total, d + n, sizeof *total, cudaMemcpyDeviceToHost, stream));
    return cudaStreamSynchronize(stream);
}
