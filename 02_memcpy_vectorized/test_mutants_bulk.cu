/*
 * test_mutants_bulk.cu - v10 and v11 with the mistake that their own idea invites: one block, whole vectors, aligned.
 * They need the bulk copy engine; test_memcpy.c says when they run, and by which word they must be rejected.
 */
#include "chapter.h"

#if defined(__CUDACC__) && !defined(__SIMT__)
#include <cuda/ptx>
namespace ptx = cuda::ptx;
#endif

enum { WIDTH = 16, BLOCK = 256, TILE = 512 };

// v10: the last tile is sent whole, however much of it there is.
static __global__ void __launch_bounds__(BLOCK) last_tile_whole_kernel(uint4 *to, const uint4 *from, size_t units)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ alignas(128) uint4 chunk[TILE];
    for (size_t tile = 0; tile < units; tile += TILE) {
        for (size_t i = tile + threadIdx.x; i < tile + TILE; i += BLOCK)
            if (i < units) chunk[i - tile] = from[i];
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, &to[tile], chunk, TILE * WIDTH);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
#else
    (void)to, (void)from, (void)units; // no such engine before sm_90
#endif
}

extern "C" cudaError_t mutant_last_tile_whole(MEMCPY_ARGS)
{
    (void)unit_bytes;
    last_tile_whole_kernel<<<1, BLOCK, 0, stream>>>((uint4 *)d_to, (const uint4 *)d_from, bytes / WIDTH);
    return cudaGetLastError();
}

// v11: sends a tile off, and only then waits until it is there.
static __global__ void __launch_bounds__(BLOCK) sent_too_early_kernel(uint4 *to, const uint4 *from, size_t units)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    __shared__ alignas(128) uint4 chunk[TILE];
    __shared__ uint64_t arrived;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        unsigned parity = 0;
        for (size_t tile = 0; tile < units; tile += TILE) {
            const unsigned size = (unsigned)(units - tile < TILE ? units - tile : TILE) * WIDTH;
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived, size);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, chunk, &from[tile], size, &arrived);
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, &to[tile], chunk, size);
            ptx::cp_async_bulk_commit_group();
            while (!ptx::mbarrier_try_wait_parity(&arrived, parity)) {}
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
            parity ^= 1;
        }
    }
#else
    (void)to, (void)from, (void)units; // no such engine before sm_90
#endif
}

extern "C" cudaError_t mutant_sent_too_early(MEMCPY_ARGS)
{
    (void)unit_bytes;
    sent_too_early_kernel<<<1, BLOCK, 0, stream>>>((uint4 *)d_to, (const uint4 *)d_from, bytes / WIDTH);
    return cudaGetLastError();
}
