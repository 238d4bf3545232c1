/* cooperative_groups/reduce.h - reduce(group, value, op): a submission's tiles by a butterfly of shuffles. */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus { __forceinline__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __forceinline__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __forceinline__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __forceinline__ T operator()(T a, T b) const { return a ^ b; } };

#ifdef SIMT_PROGRAM
/* What the last lane of a scan has; a larger tile by its warps, then over them. */
template <class Group, class T, class Op> SIMT_INLINE T reduce(const Group &g, T v, Op op)
{
    if constexpr (Group::in_one_warp) {
        for (unsigned d = 1; d < g.size(); d *= 2) {
            const T left = g.shfl_up(v, d);
            if (g.thread_rank() >= d) v = op(left, v);
        }
        return g.shfl(v, g.size() - 1);
    } else {
        return g.over_warps(reduce(thread_block_tile<32>(), v, op), op);
    }
}
#else
/* Every thread of the tile gets the result.  less gives the least value, greater the greatest. */
template <unsigned N, class P, class T, class Op>
SIMT_INLINE T reduce(const thread_block_tile<N, P> &tile, T v, Op op)
{
    for (unsigned d = N / 2; d > 0; d /= 2)
        v = op(v, tile.shfl_xor(v, d));
    return v;
}
#endif

} // namespace cooperative_groups

#endif
