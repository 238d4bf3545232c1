/* cooperative_groups/reduce.h - reduce(tile, value, op) as a butterfly of shuffles. */
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

#ifndef SIMT_PROGRAM /* programs of simtcc have it in groups.h */
namespace cooperative_groups {

template <class T> struct plus { __forceinline__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __forceinline__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __forceinline__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __forceinline__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __forceinline__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __forceinline__ T operator()(T a, T b) const { return a ^ b; } };

/* Every thread of the tile gets the result.  less gives the least value, greater the greatest. */
template <unsigned N, class P, class T, class Op>
SIMT_INLINE T reduce(const thread_block_tile<N, P> &tile, T v, Op op)
{
    for (unsigned d = N / 2; d > 0; d /= 2)
        v = op(v, tile.shfl_xor(v, d));
    return v;
}

} // namespace cooperative_groups

#endif

#endif
