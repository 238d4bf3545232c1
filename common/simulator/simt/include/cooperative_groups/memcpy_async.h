/* cooperative_groups/memcpy_async.h - copies by a group, not to be touched before wait(), where all see them. */
#ifndef SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#ifdef SIMT_PROGRAM
namespace cooperative_groups {

template <class Group, class T, class U>
SIMT_INLINE void memcpy_async(const Group &g, T *to, const U *from, size_t bytes)
{
    const size_t words = bytes / sizeof(T);
    for (size_t i = g.thread_rank(); i < words; i += g.size()) {
        to[i] = ((const T *)from)[i];
        simt_async_begin(to + i, sizeof(T), nullptr);
    }
    simt_async_commit();
}
template <unsigned STAGES, class Group> SIMT_INLINE void wait_prior(const Group &g)
{
    simt_async_wait(STAGES);
    g.sync();
}
template <class Group> SIMT_INLINE void wait(const Group &g) { wait_prior<0>(g); }

} // namespace cooperative_groups
#endif

#endif
