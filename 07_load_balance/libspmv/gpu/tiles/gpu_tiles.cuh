/*
 * gpu_tiles.cuh - loads x to shared memory, tile after tile, for gpu_tiles.cu and gpu_wide.cu; adds up parts of sums.
 *
 * Before sm_90 (and where x is not aligned to 16 bytes) there is no copy engine: the threads copy the next tile
 * themselves.
 */
#ifndef SPMV_GPU_TILES_CUH
#define SPMV_GPU_TILES_CUH

#include "gpu_common.cuh"

namespace {

enum {
    BLOCK = 1024,         // threads
    SHARED_RESERVE = 1024 // bytes for the barriers and the driver
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ __forceinline__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void barrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}
// Starts the copy global -> shared, in lane 0; the barrier's phase ends when all bytes have arrived.  The shuffle of
// the address, from the lane to itself, avoids an error of ptxas 13.0, which loses the upper half of an address that it
// computes once for the whole warp.
__device__ __forceinline__ void bulk_load(void *shared, const void *global, uint32_t bytes, uint64_t *barrier)
{
    const unsigned long long from = __shfl_sync(1u, (unsigned long long)__cvta_generic_to_global(global), 0);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(shared)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}
__device__ __forceinline__ void wait_for_phase(uint64_t *barrier, uint32_t parity)
{
    uint32_t done;
    do
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!done);
}
#endif

// The two tiles of x in shared memory.
template <typename S> struct tiles_of_x {
    S *buffers;
    uint64_t *arrived; // [2] barriers
    const S *x;
    uint32_t count, width, cols;
    uint32_t stride; // numbers from one tile's start to the other's

    __device__ uint32_t size(uint32_t tile) const { return min(width, cols - tile * width); }
    // Returns the columns of a tile that the engine copies: whole units of 16 bytes.
    __device__ uint32_t engine_size(uint32_t tile) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        return (uint64_t)x % 16 == 0 ? size(tile) / (16 / sizeof(S)) * (16 / sizeof(S)) : 0;
#else
        (void)tile;
        return 0;
#endif
    }
    __device__ S *buffer(uint32_t tile) const { return buffers + tile % 2 * stride; }

    // Called by one thread, before any fetch.
    __device__ void init() const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        barrier_init(&arrived[0]);
        barrier_init(&arrived[1]);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the engine sees the barriers
#endif
    }
    // Called by all threads, when no thread still reads the buffer.
    __device__ void fetch(uint32_t tile) const
    {
        const S *from = x + (uint64_t)tile * width;
        const uint32_t by_engine = engine_size(tile), all = size(tile);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        if (threadIdx.x == 0 && by_engine)
            bulk_load(buffer(tile), from, by_engine * (uint32_t)sizeof(S), &arrived[tile % 2]);
#endif
#pragma unroll 8
        for (uint32_t i = by_engine + threadIdx.x; i < all; i += BLOCK) buffer(tile)[i] = __ldg(&from[i]);
    }
    // Called by all threads when they have finished the previous tile; its buffer gets the next tile.  Columns that
    // threads copied are complete after the barrier, those that the engine copied after the wait.
    __device__ const S *enter(uint32_t tile) const
    {
        __syncthreads(); // no thread still reads the previous tile
        if (tile + 1 < count) fetch(tile + 1);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        if (engine_size(tile)) wait_for_phase(&arrived[tile % 2], tile / 2 % 2);
#endif
        return buffer(tile);
    }
};

// Called when a block has stored its sums for the other parts of its rows; returns true in the last block to do so.
// ticket: shared memory.
__device__ __forceinline__ bool last_part(unsigned *arrived, uint32_t parts, unsigned *ticket)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        *ticket = atomicAdd(arrived, 1u);
        if (*ticket == parts - 1) *arrived = 0; // for the next execute
    }
    __syncthreads();
    __threadfence();
    return *ticket == parts - 1;
}

// Adds up the sums of row r over all parts, the first part's first; loads AT_ONCE of them at once.  stride: the
// distance between parts.
template <int AT_ONCE, typename S>
__device__ __forceinline__ S sum_of_parts(uint32_t r, const S *of_parts, uint32_t parts, uint32_t stride)
{
    S sum = 0;
#pragma unroll 1
    for (uint32_t first = 0; first < parts; first += AT_ONCE) {
        S part[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) part[k] = first + k < parts ? __ldcg(&of_parts[(first + k) * stride + r]) : 0;
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) sum += part[k];
    }
    return sum;
}

// Gets the most shared memory that a block can use on this GPU.
inline cudaError_t most_shared_bytes(size_t *bytes)
{
    int most = 0;
    const cudaError_t status = gpu_attribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    if (status == cudaSuccess) *bytes = most > SHARED_RESERVE ? (size_t)most - SHARED_RESERVE : 0;
    return status;
}

} // namespace

#endif
