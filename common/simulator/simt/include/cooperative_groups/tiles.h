/*
 * tiles.h - tiles of several warps: thread_block_tile<64> to <1024>.  Included by groups.h.
 *
 * A part of a block meets at a cuda::barrier in shared memory, and what it hands over lies beside that.  Who makes such
 * a tile meets with the whole block, as the barriers have to be set up before anybody comes; a GPU leaves that out.
 */
#ifndef SIMT_TILES_H
#define SIMT_TILES_H

#include <cuda/barrier>

namespace cooperative_groups {

/* What a GPU wants for such tiles: not needed here. */
template <unsigned MOST = 1024> struct block_tile_memory { char unused; };
template <unsigned MOST> SIMT_INLINE thread_block this_thread_block(block_tile_memory<MOST> &) { return {}; }

namespace of_simt {

template <unsigned N> struct tile_state {
    cuda::barrier<cuda::thread_scope_block> barrier[1024 / N];
    alignas(16) unsigned char slot[32][32];     /* of each warp */
};

template <unsigned N> class large_tile {
public:
    explicit __forceinline__ large_tile(unsigned parent = 0) : state_(state()), parent_(parent)
    {
        simt_barrier(0);
        if (thread_block().thread_rank() < meta_size(N, 0)) {
            const unsigned first = thread_block().thread_rank() * N, left = thread_block().size() - first;
            init(&state_.barrier[thread_block().thread_rank()], ((left < N ? left : N) + 31) / 32);
        }
        simt_barrier(0);
    }
    static constexpr bool is_valid() { return true; }
    static constexpr bool in_one_warp = false;
    __forceinline__ unsigned thread_rank() const { return thread_block().thread_rank() % N; }
    __forceinline__ unsigned meta_group_rank() const { return meta_rank(N, parent_); }
    __forceinline__ unsigned meta_group_size() const { return meta_size(N, parent_); }
    static constexpr unsigned size() { return N; }
    static constexpr unsigned num_threads() { return N; }
    __forceinline__ void sync() const
    {
        __syncwarp(); /* one of each warp goes to the barrier */
        if (thread_rank() % 32 == 0) state_.barrier[meta_rank(N, 0)].arrive_and_wait();
        __syncwarp();
    }
    template <class T> __forceinline__ T shfl(T v, unsigned from) const
    {
        if (thread_rank() == from) slot<T>(0) = v;
        sync();
        const T got = slot<T>(0);
        sync();
        return got;
    }
    __forceinline__ int any(int p) const { return over_warps(__any_sync(~0u, p), [](int a, int b) { return a | b; }); }
    __forceinline__ int all(int p) const { return over_warps(__all_sync(~0u, p), [](int a, int b) { return a & b; }); }
    /* What each warp has, put together in their order. */
    template <class T, class Op> __forceinline__ T over_warps(T v, Op op) const
    {
        if (thread_rank() % 32 == 0) slot<T>(thread_rank() / 32) = v;
        sync();
        T all = slot<T>(0);
        for (unsigned w = 1; w < N / 32; ++w) all = op(all, slot<T>(w));
        sync();
        return all;
    }

private:
    static __forceinline__ tile_state<N> &state()
    {
        __shared__ tile_state<N> tiles;
        return tiles;
    }
    template <class T> __forceinline__ T &slot(unsigned warp) const
    {
        static_assert(sizeof(T) <= 32, "32 bytes a warp");
        return *(T *)state_.slot[meta_rank(N, 0) * (N / 32) + warp];
    }
    tile_state<N> &state_;
    unsigned parent_;
};

} // namespace of_simt

template <class P> class thread_block_tile<64, P> : public of_simt::large_tile<64>
{ public: using large_tile::large_tile; };
template <class P> class thread_block_tile<128, P> : public of_simt::large_tile<128>
{ public: using large_tile::large_tile; };
template <class P> class thread_block_tile<256, P> : public of_simt::large_tile<256>
{ public: using large_tile::large_tile; };
template <class P> class thread_block_tile<512, P> : public of_simt::large_tile<512>
{ public: using large_tile::large_tile; };
template <class P> class thread_block_tile<1024, P> : public of_simt::large_tile<1024>
{ public: using large_tile::large_tile; };

} // namespace cooperative_groups

#endif
