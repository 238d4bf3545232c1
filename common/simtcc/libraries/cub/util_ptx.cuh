/* cub/util_ptx.cuh - CUB's PTX helpers, written with CUDA functions. */
#pragma once

#include <cub/util_arch.cuh>
#include <cub/util_debug.cuh>
#include <cub/util_namespace.cuh>
#include <cub/util_type.cuh>

CUB_NAMESPACE_BEGIN

/* ---- bits ---- */

__device__ __forceinline__ unsigned SHR_ADD(unsigned x, unsigned shift, unsigned more)
{ return (shift < 32 ? x >> shift : 0) + more; }
__device__ __forceinline__ unsigned SHL_ADD(unsigned x, unsigned shift, unsigned more)
{ return (shift < 32 ? x << shift : 0) + more; }
template <class Bits> __device__ __forceinline__ unsigned BFE(Bits source, unsigned from, unsigned n)
{ return (unsigned)((unsigned long long)source >> from & ((1ull << n) - 1)); }
__device__ __forceinline__ void BFI(unsigned &result, unsigned x, unsigned y, unsigned from, unsigned n)
{
    const unsigned mask = (unsigned)(((1ull << n) - 1) << from);
    result = (x & ~mask) | (y << from & mask);
}
__device__ __forceinline__ unsigned IADD3(unsigned x, unsigned y, unsigned z) { return x + y + z; }
__device__ __forceinline__ int PRMT(unsigned a, unsigned b, unsigned index) { return (int)__byte_perm(a, b, index); }

/* ---- the block and the warp ---- */

__device__ __forceinline__ void CTA_SYNC() { __syncthreads(); }
__device__ __forceinline__ int CTA_SYNC_AND(int p) { return __syncthreads_and(p); }
__device__ __forceinline__ int CTA_SYNC_OR(int p) { return __syncthreads_or(p); }
__device__ __forceinline__ void WARP_SYNC(unsigned mask) { __syncwarp(mask); }
__device__ __forceinline__ int WARP_ANY(int p, unsigned mask) { return __any_sync(mask, p); }
__device__ __forceinline__ int WARP_ALL(int p, unsigned mask) { return __all_sync(mask, p); }
__device__ __forceinline__ int WARP_BALLOT(int p, unsigned mask) { return (int)__ballot_sync(mask, p); }
__device__ __forceinline__ void ThreadTrap() { __trap(); }

__device__ __forceinline__ int RowMajorTid(int x, int y, int)
{ return (int)((threadIdx.z * (unsigned)y + threadIdx.y) * (unsigned)x + threadIdx.x); }
__device__ __forceinline__ unsigned simt_thread()
{ return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ __forceinline__ unsigned LaneId() { return simt_thread() % 32; }
__device__ __forceinline__ unsigned WarpId() { return simt_thread() / 32; }
__device__ __forceinline__ unsigned LaneMaskLt() { return (1u << LaneId()) - 1; }
__device__ __forceinline__ unsigned LaneMaskLe() { return (2u << LaneId()) - 1; }
__device__ __forceinline__ unsigned LaneMaskGt() { return ~LaneMaskLe(); }
__device__ __forceinline__ unsigned LaneMaskGe() { return ~LaneMaskLt(); }

/* The lanes of a logical warp.  One whose size is not a power of two starts at lane 0. */
template <int THREADS, int = 0> __host__ __device__ __forceinline__ unsigned WarpMask(unsigned warp)
{
    const unsigned mask = 0xffffffffu >> (32 - THREADS);
    return PowerOfTwo<THREADS>::VALUE && THREADS != 32 ? mask << warp * THREADS : mask;
}

/* The lanes of a logical warp that exist in the block. */
template <int THREADS> __device__ __forceinline__ unsigned simt_lanes()
{
    const unsigned n = blockDim.x * blockDim.y * blockDim.z - WarpId() * 32;
    return WarpMask<THREADS>(LaneId() / THREADS) & (n < 32 ? (1u << n) - 1 : 0xffffffffu);
}

/* ---- values of any size from another lane of the logical warp, word by word ---- */

template <class T, class Shuffle> __device__ __forceinline__ T simt_by_words(T value, Shuffle shuffle)
{
    unsigned words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
    for (unsigned &w : words)
        w = shuffle(w);
    memcpy(&value, words, sizeof(T));
    return value;
}
/* first, last: the lanes of the logical warp beyond which a lane keeps its own value. */
template <int THREADS, class T>
__device__ __forceinline__ T ShuffleUp(T value, int offset, int first, unsigned mask)
{
    const int lane = (int)(LaneId() % THREADS), from = lane - offset < first ? lane : lane - offset;
    return simt_by_words(value, [=](unsigned w) { return __shfl_sync(mask, w, from, THREADS); });
}
template <int THREADS, class T>
__device__ __forceinline__ T ShuffleDown(T value, int offset, int last, unsigned mask)
{
    const int lane = (int)(LaneId() % THREADS), from = lane + offset > last ? lane : lane + offset;
    return simt_by_words(value, [=](unsigned w) { return __shfl_sync(mask, w, from, THREADS); });
}
template <int THREADS, class T> __device__ __forceinline__ T ShuffleIndex(T value, int from, unsigned mask)
{ return simt_by_words(value, [=](unsigned w) { return __shfl_sync(mask, w, from, THREADS); }); }

/* Lanes whose label has the same lowest bits. */
template <int BITS> __device__ __forceinline__ unsigned MatchAny(unsigned label)
{ return __match_any_sync(0xffffffffu, BITS < 32 ? label & ((1u << BITS) - 1) : label); }

CUB_NAMESPACE_END
