/*
 * cooperative_groups.h - thread blocks and tiles of a warp.
 *
 * The part a submission may use: this_thread_block, tiled_partition<N> of a block or of a
 * larger tile, and on tiles sync, shfl*, any, all, ballot, match_any, ranks and sizes.
 * Programs of simtcc have the rest of it: groups.h.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
public:
    __forceinline__ void sync() const { simt_barrier(0); }
    __forceinline__ unsigned thread_rank() const
    { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    __forceinline__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    static constexpr bool is_valid() { return true; }
    __forceinline__ dim3 group_dim() const { return dim3(blockDim); }
    __forceinline__ unsigned num_threads() const { return size(); }
    __forceinline__ dim3 group_index() const { return dim3(blockIdx); }
    __forceinline__ dim3 thread_index() const { return dim3(threadIdx); }
    __forceinline__ dim3 dim_threads() const { return dim3(blockDim); }
};

SIMT_INLINE thread_block this_thread_block() { return {}; }

namespace of_simt {
/* Which of the tiles of n threads this one is, and of how many: in a tile of `parent` threads, 0: in the block. */
SIMT_INLINE unsigned meta_rank(unsigned n, unsigned parent)
{ return (parent ? thread_block().thread_rank() % parent : thread_block().thread_rank()) / n; }
SIMT_INLINE unsigned meta_size(unsigned n, unsigned parent)
{ return ((parent ? parent : thread_block().size()) + n - 1) / n; }
/* shuffle(word) of a value of any size: in words of 4 bytes, as a GPU does it. */
template <class T, class F> __forceinline__ T in_words(T v, F shuffle)
{
    if constexpr (sizeof(T) <= 8) {
        return shuffle(v);
    } else {
        unsigned word[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(word, &v, sizeof v);
        for (unsigned &w : word) w = shuffle(w);
        __builtin_memcpy(&v, word, sizeof v);
        return v;
    }
}
} // namespace of_simt

template <unsigned N, class Parent = void> class thread_block_tile {
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
    /* A part of a tile of so many threads; 0: of the block. */
    explicit __forceinline__ thread_block_tile(unsigned parent = 0) : parent_(parent) {}
    __forceinline__ unsigned thread_rank() const { return lane() & (N - 1); }
    __forceinline__ unsigned meta_group_rank() const { return of_simt::meta_rank(N, parent_); }
    __forceinline__ unsigned meta_group_size() const { return of_simt::meta_size(N, parent_); }
    static constexpr unsigned size() { return N; }
    static constexpr unsigned num_threads() { return N; }

    __forceinline__ void sync() const { simt_warp_op(SIMT_SYNCWARP, mask(), 0, 0, 32); }
    template <class T> __forceinline__ T shfl(T v, int from) const
    { return of_simt::in_words(v, [&](auto w) { return __shfl_sync(mask(), w, from, N); }); }
    template <class T> __forceinline__ T shfl_up(T v, unsigned d) const
    { return of_simt::in_words(v, [&](auto w) { return __shfl_up_sync(mask(), w, d, N); }); }
    template <class T> __forceinline__ T shfl_down(T v, unsigned d) const
    { return of_simt::in_words(v, [&](auto w) { return __shfl_down_sync(mask(), w, d, N); }); }
    template <class T> __forceinline__ T shfl_xor(T v, unsigned d) const
    { return of_simt::in_words(v, [&](auto w) { return __shfl_xor_sync(mask(), w, d, N); }); }
    static constexpr bool is_valid() { return true; }
    static constexpr bool in_one_warp = true;
    __forceinline__ int any(int p) const { return __any_sync(mask(), p); }
    __forceinline__ int all(int p) const { return __all_sync(mask(), p); }
    __forceinline__ unsigned ballot(int p) const { return __ballot_sync(mask(), p) >> first(); }
    template <class T> __forceinline__ unsigned match_any(T v) const { return __match_any_sync(mask(), v) >> first(); }

private:
    __forceinline__ unsigned lane() const { return thread_block().thread_rank() & 31; }
    __forceinline__ unsigned first() const { return lane() & ~(N - 1); }
    __forceinline__ unsigned mask() const { return N == 32 ? ~0u : ((1u << (N & 31)) - 1) << first(); }
    unsigned parent_;
};

template <unsigned N, class Group> SIMT_INLINE thread_block_tile<N> tiled_partition(const Group &)
{ return thread_block_tile<N>(); }
template <unsigned N, unsigned M, class P>
SIMT_INLINE thread_block_tile<N> tiled_partition(const thread_block_tile<M, P> &)
{
    static_assert(N <= M, "a tile is no larger than what it is a part of");
    return thread_block_tile<N>(M);
}
template <class Group> SIMT_INLINE void sync(const Group &g) { g.sync(); }

} // namespace cooperative_groups

#ifdef SIMT_PROGRAM
#include "cooperative_groups/groups.h"
#endif

#endif
