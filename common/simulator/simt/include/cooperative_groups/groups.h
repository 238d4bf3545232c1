/*
 * groups.h - cooperative groups beyond blocks and tiles: the grid, lanes that are together, groups whose size shows at
 * run time.  Included by cooperative_groups.h.  Reductions, scans and copies have headers of their own, as CUDA's have:
 * a program without them may have a reduce() of its own.
 */
#ifndef SIMT_GROUPS_H
#define SIMT_GROUPS_H

namespace cooperative_groups {

namespace of_simt {
/* Where all blocks of a grid meet: how many have come, and whether all have met an odd number of times. */
static __device__ unsigned grid_came, grid_met;

SIMT_INLINE unsigned lane() { return thread_block().thread_rank() & 31; }
/* The n-th lane of a mask. */
SIMT_INLINE unsigned nth(unsigned mask, unsigned n)
{
    for (; n > 0; --n) mask &= mask - 1;
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}
} // namespace of_simt

/* Lanes of one warp, named by a mask: lanes that are together, tiles of a size that shows at run time, partitions. */
class coalesced_group {
public:
    explicit __forceinline__ coalesced_group(unsigned mask = 0, unsigned meta_rank = 0, unsigned meta_size = 1)
        : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
    static constexpr bool in_one_warp = true;
    static constexpr bool is_valid() { return true; }
    __forceinline__ void sync() const { __syncwarp(mask_); }
    __forceinline__ unsigned size() const { return (unsigned)__popc(mask_); }
    __forceinline__ unsigned num_threads() const { return size(); }
    __forceinline__ unsigned thread_rank() const { return (unsigned)__popc(mask_ & ((1u << of_simt::lane()) - 1)); }
    __forceinline__ unsigned meta_group_rank() const { return meta_rank_; }
    __forceinline__ unsigned meta_group_size() const { return meta_size_; }
    template <class T> __forceinline__ T shfl(T v, unsigned from) const
    { return __shfl_sync(mask_, v, of_simt::nth(mask_, from % size())); }
    template <class T> __forceinline__ T shfl_up(T v, unsigned d) const
    {
        const unsigned me = thread_rank();
        return __shfl_sync(mask_, v, of_simt::nth(mask_, me >= d ? me - d : me));
    }
    template <class T> __forceinline__ T shfl_down(T v, unsigned d) const
    {
        const unsigned me = thread_rank();
        return __shfl_sync(mask_, v, of_simt::nth(mask_, me + d < size() ? me + d : me));
    }
    template <class T> __forceinline__ T shfl_xor(T v, unsigned d) const
    {
        const unsigned me = thread_rank(), other = me ^ d;
        return __shfl_sync(mask_, v, of_simt::nth(mask_, other < size() ? other : me));
    }
    __forceinline__ int any(int p) const { return __any_sync(mask_, p); }
    __forceinline__ int all(int p) const { return __all_sync(mask_, p); }
    __forceinline__ unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
    template <class T> __forceinline__ unsigned match_any(T v) const { return packed(__match_any_sync(mask_, v)); }
    template <class T> __forceinline__ unsigned match_all(T v, int &same) const
    { return packed(__match_all_sync(mask_, v, &same)); }
    __forceinline__ unsigned lanes() const { return mask_; }

private:
    /* The lanes of `which`, as a mask of ranks. */
    __forceinline__ unsigned packed(unsigned which) const
    {
        unsigned out = 0, rank = 0;
        for (unsigned m = mask_; m; m &= m - 1, ++rank) out |= (which >> __builtin_ctz(m) & 1) << rank;
        return out;
    }
    unsigned mask_, meta_rank_, meta_size_;
};

/* The group of the lanes that execute this call together. */
SIMT_INLINE coalesced_group coalesced_threads()
{ return coalesced_group((unsigned)simt_warp_op(SIMT_ACTIVEMASK, 0, 1, 0, 32)); }

/* All blocks of a grid that cudaLaunchCooperativeKernel has launched. */
class grid_group {
public:
    static __forceinline__ bool is_valid() { return simt_is_cooperative(); }
    void sync() const
    {
        if (!is_valid()) simt_no_grid();
        thread_block().sync();
        if (thread_block().thread_rank() == 0) {
            __threadfence();
            const unsigned before = *(volatile unsigned *)&of_simt::grid_met;
            if (atomicAdd(&of_simt::grid_came, 1u) == num_blocks() - 1) {
                atomicExch(&of_simt::grid_came, 0u);
                __threadfence();
                atomicXor(&of_simt::grid_met, 1u);
            } else {
                while (*(volatile unsigned *)&of_simt::grid_met == before) SIMT_POLLED();
            }
            __threadfence();
        }
        thread_block().sync();
    }
    __forceinline__ unsigned long long size() const { return num_blocks() * thread_block().size(); }
    __forceinline__ unsigned long long num_threads() const { return size(); }
    __forceinline__ unsigned long long num_blocks() const
    { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    __forceinline__ unsigned long long block_rank() const
    { return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
    __forceinline__ unsigned long long thread_rank() const
    { return block_rank() * thread_block().size() + thread_block().thread_rank(); }
    __forceinline__ dim3 group_dim() const { return dim3(gridDim); }
    __forceinline__ dim3 dim_blocks() const { return dim3(gridDim); }
    __forceinline__ dim3 block_index() const { return dim3(blockIdx); }
};
SIMT_INLINE grid_group this_grid() { return {}; }

/* The blocks of a cluster, which reach each other's shared memory. */
class cluster_group {
public:
    struct arrival_token {};
    static constexpr bool is_valid() { return true; }
    static void sync() { simt_cluster_sync(); }
    static arrival_token barrier_arrive() { return simt_cluster_arrive(), arrival_token(); }
    static void barrier_wait() { simt_cluster_wait(); }
    static void barrier_wait(arrival_token &&) { simt_cluster_wait(); }
    static unsigned query_shared_rank(const void *p) { return simt_cluster_rank_of(p); }
    template <class T> static T *map_shared_rank(T *p, int rank) { return (T *)simt_cluster_map(p, (unsigned)rank); }
    static __forceinline__ dim3 block_index() { return __clusterRelativeBlockIdx(); }
    static __forceinline__ unsigned block_rank() { return __clusterRelativeBlockRank(); }
    static __forceinline__ dim3 dim_blocks() { return __clusterDim(); }
    static __forceinline__ unsigned num_blocks() { return __clusterSizeInBlocks(); }
    static __forceinline__ dim3 dim_threads()
    {
        const dim3 n = __clusterDim();
        return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
    }
    static __forceinline__ dim3 thread_index()
    {
        const dim3 i = __clusterRelativeBlockIdx();
        return dim3(i.x * blockDim.x + threadIdx.x, i.y * blockDim.y + threadIdx.y, i.z * blockDim.z + threadIdx.z);
    }
    static __forceinline__ unsigned num_threads() { return num_blocks() * thread_block().size(); }
    static __forceinline__ unsigned size() { return num_threads(); }
    static __forceinline__ unsigned thread_rank()
    { return block_rank() * thread_block().size() + thread_block().thread_rank(); }
};
SIMT_INLINE cluster_group this_cluster() { return {}; }

/* Any of them, as an argument of a function. */
class thread_group {
public:
    thread_group(const thread_block &) : kind_(BLOCK), lanes_(0) {}
    thread_group(const coalesced_group &g) : kind_(LANES), lanes_(g.lanes()) {}
    template <unsigned N, class P> thread_group(const thread_block_tile<N, P> &)
        : kind_(LANES), lanes_(N == 32 ? ~0u : ((1u << (N & 31)) - 1) << (of_simt::lane() & ~(N - 1))) {}
    thread_group(const grid_group &) : kind_(GRID), lanes_(0) {}
    __forceinline__ void sync() const
    {
        if (kind_ == BLOCK) thread_block().sync();
        else if (kind_ == GRID) grid_group().sync();
        else coalesced_group(lanes_).sync();
    }
    __forceinline__ unsigned long long size() const
    {
        return kind_ == BLOCK ? thread_block().size() : kind_ == GRID ? grid_group().size()
                                                                      : coalesced_group(lanes_).size();
    }
    __forceinline__ unsigned long long num_threads() const { return size(); }
    __forceinline__ unsigned long long thread_rank() const
    {
        return kind_ == BLOCK  ? thread_block().thread_rank()
               : kind_ == GRID ? grid_group().thread_rank()
                               : coalesced_group(lanes_).thread_rank();
    }
    static constexpr bool is_valid() { return true; }
    __forceinline__ unsigned lanes() const { return lanes_; } /* of a group within one warp */

private:
    enum { BLOCK, LANES, GRID } kind_;
    unsigned lanes_;
};

/* The ranks 0 to size-1, size to 2 size-1, ... of a block, or of lanes that are together. */
SIMT_INLINE coalesced_group tiled_partition(const coalesced_group &g, unsigned size)
{
    const unsigned first = g.thread_rank() / size * size;
    unsigned mask = 0;
    for (unsigned i = first; i < first + size && i < g.size(); ++i) mask |= 1u << of_simt::nth(g.lanes(), i);
    return coalesced_group(mask, first / size, (g.size() + size - 1) / size);
}
SIMT_INLINE coalesced_group tiled_partition(const thread_block &g, unsigned size)
{
    const unsigned lane = of_simt::lane(), first = lane / size * size;
    return coalesced_group((size >= 32 ? ~0u : (1u << size) - 1) << (size >= 32 ? 0 : first), g.thread_rank() / size,
                           (g.size() + size - 1) / size);
}
/* Those of a tile, or of lanes that are together, with the same label. */
template <class Group, class Label> SIMT_INLINE coalesced_group labeled_partition(const Group &g, Label label)
{ return coalesced_group(__match_any_sync(thread_group(g).lanes(), label)); }
template <class Group> SIMT_INLINE coalesced_group binary_partition(const Group &g, bool p)
{ return labeled_partition(g, (int)p); }

/* ---- others ---- */

template <class Group, class F> SIMT_INLINE void invoke_one(const Group &g, F f)
{ if (g.thread_rank() == 0) f(); }

} // namespace cooperative_groups

#include "tiles.h"

#endif
