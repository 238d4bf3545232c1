/*
 * cooperative_groups/scan.h - scans over the lanes of a group that lies in one warp.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#ifdef SIMT_PROGRAM
namespace cooperative_groups {

template <class Group, class T, class Op> SIMT_INLINE T inclusive_scan(const Group &g, T v, Op op)
{
    static_assert(Group::in_one_warp, "a scan is by a tile or by lanes that are together");
    for (unsigned d = 1; d < g.size(); d *= 2) {
        const T left = g.shfl_up(v, d);
        if (g.thread_rank() >= d) v = op(left, v);
    }
    return v;
}
template <class Group, class T> SIMT_INLINE T inclusive_scan(const Group &g, T v)
{ return inclusive_scan(g, v, plus<T>()); }
template <class Group, class T, class Op> SIMT_INLINE T exclusive_scan(const Group &g, T v, Op op)
{
    const T left = g.shfl_up(inclusive_scan(g, v, op), 1);
    return g.thread_rank() == 0 ? T() : left;
}
template <class Group, class T> SIMT_INLINE T exclusive_scan(const Group &g, T v)
{ return exclusive_scan(g, v, plus<T>()); }

} // namespace cooperative_groups
#endif

#endif
