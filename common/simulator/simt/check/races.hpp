/*
 * races.hpp - decides whether two accesses are ordered, and declares the reports of those that are not.
 *
 * A race is two accesses to a byte by two threads, at least one of them a write, that are not ordered.  Whether they
 * are ordered does not depend on the order in which the threads happened to run.  Accesses are ordered by:
 *
 *   in a block       a __syncthreads between them
 *   in a warp        a __syncwarp in which both lanes take part; a shuffle or vote orders a read before it
 *                    and a write after it, but nothing else
 *   anywhere         the first thread fences (__threadfence, in its own block also
 *                    __threadfence_block) and then does an atomic or a volatile write
 *                    to global memory; the second does an atomic or a volatile read
 *                    after that.  Between blocks any thread of the second thread's
 *                    block may do the read.  Within a block the flag may be in shared
 *                    memory, if both sides use atomics, or volatile accesses from two
 *                    different warps
 *   in a cluster     as between blocks, also of shared memory; its barrier is a fence and a flag
 *   between kernels  always; with SIMT_CHECK_STREAMS by streams and events (order.cpp)
 *
 * Atomics do not race with atomics.  Volatile accesses do not race with each other in global memory, and in shared
 * memory if they are by two warps of a block in which a thread has executed a fence.
 *
 * Tags in a Cell:  epoch 32 | thread 10 | warp clock 16 | bytes 4 | flags 2.
 * Flags of a write: 1 = atomic.  Flags of a read: which other threads have read the word since (ReadFlag).
 */
#ifndef SIMT_RACES_HPP
#define SIMT_RACES_HPP

#include "glance.hpp"
#include "internal.hpp"

namespace simt {

/* Returns whether the access of `tag`, by a thread of the same block, is ordered before the current access of `t`. */
static inline bool ordered_in_block(const Thread *t, uint64_t tag, uint32_t readers)
{
    const Block *b = t->block;
    if (epoch_of(tag) < b->barrier_epoch)
        return true;
    uint32_t other = thread_of(tag);
    if (readers >= SEVERAL_WARPS || other / WARP != t->id / WARP)
        return false;
    if (other == t->id && readers == ALONE)
        return true;
    const uint32_t known = t->warp->clock[t->lane][other % WARP];
    return clock_of(tag) < known || known == UINT16_MAX;    /* after an overflow of the clock assume that it is */
}

/* Returns whether the read of `tag` was before a shuffle or vote of its thread with `t`: then `t` may write. */
static inline bool read_before(const Thread *t, uint64_t tag, uint32_t readers)
{
    const uint32_t other = thread_of(tag) % WARP;
    const Warp *w = t->warp;
    if (!w->met || readers >= SEVERAL_WARPS || thread_of(tag) / WARP != t->id / WARP ||
        clock_of(tag) >= w->read_before[other])
        return false;
    const uint32_t there = w->met_there[other];
    return there == w->exist || (readers == ALONE && (there >> t->lane & 1));
}

/* Returns whether block `owner` had released the access of `tag` by the time `acquired`.  same: `t` is in that
   block. */
static inline bool released(Launch *l, uint64_t tag, uint32_t owner, uint64_t acquired, bool same)
{
    if (acquired == 0)
        return false;
    std::lock_guard<std::mutex> hold(l->release_lock);
    auto found = l->releases.find(owner);
    if (found == l->releases.end())
        return false;
    const uint32_t thread = thread_of(tag);
    for (size_t i = found->second.size(); i-- > 0;) {
        const Release &r = found->second[i];
        if (r.time > acquired)
            continue;
        if (epoch_of(tag) < r.cover_epoch)
            return true;
        if (epoch_of(tag) < (same ? r.block_epoch : r.own_epoch) &&
            (thread == r.thread || (thread / WARP == r.thread / WARP && clock_of(tag) < r.seen[thread % WARP])))
            return true;
    }
    return false;
}

/* The same for a tag of another block.  If owner is NULL, the tag is so old that its block is not stored any more; then
   any acquire counts. */
static inline bool ordered_between_blocks(Thread *t, uint64_t tag, const uint32_t *owner)
{
    Block *b = t->block;
    if (b->acquire_pending.exchange(false, std::memory_order_relaxed))
        acquire(t, true);
    const uint64_t acquired = b->acquired.load(std::memory_order_relaxed);
    return owner ? released(b->launch, tag, *owner, acquired, false) : acquired != 0;
}

/* For a tag of the same block with no barrier between the two accesses: returns whether its thread has released the
   access, and `t` has acquired since. */
static inline bool ordered_by_flag(Thread *t, uint64_t tag)
{
    if (!t->block->fenced)
        return false;
    if (t->acquire_pending) {
        t->acquire_pending = false;
        acquire(t, false);
    }
    return released(t->block->launch, tag, (uint32_t)t->block->linear, t->acquired, true);
}

static inline bool is_own_block(const Thread *t, uint64_t tag)
{
    if (epoch_of(tag) < t->block->first_epoch)
        return false;
    const uint32_t *owner = epoch_owner(epoch_of(tag));
    return !owner || *owner == (uint32_t)t->block->linear;  /* if unknown, assume that it is */
}

template <Space S> static inline bool stale(const Thread *t, uint64_t tag)
{
    return epoch_of(tag) < (S == SHARED    ? t->block->first_epoch
                            : S == CLUSTER ? t->block->reached->first_epoch
                                           : t->block->launch->first_epoch);
}

/* Returns whether the mark is of an earlier launch or copy in another stream that may run at the same time. */
template <Space S> static inline bool concurrent(const Thread *t, uint64_t tag)
{
    return S == GLOBAL && __builtin_expect(stale<S>(t, tag) && epoch_of(tag) >= t->block->launch->unknown_from, 0);
}

template <Space S> static inline bool ordered(Thread *t, uint64_t tag, uint32_t readers)
{
    if (S == SHARED || is_own_block(t, tag)) {
        if (readers == SEVERAL_BLOCKS)
            return t->block->acquired.load(std::memory_order_relaxed) != 0;
        return ordered_in_block(t, tag, readers) || (readers < SEVERAL_WARPS && ordered_by_flag(t, tag));
    }
    return ordered_between_blocks(t, tag, epoch_owner(epoch_of(tag)));
}

/* ---- races.cpp ---- */

/* The reader of a word before an access. */
struct Reader { uint64_t tag; uint32_t pc; };

/* Report a race: with another thread of this launch, with an operation in another stream, with an asynchronous copy. */
template <Space S>
void race(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag, uint32_t other_pc, bool wrote,
          uintptr_t pc, const Reader &before = {});
void race_of_streams(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag, uint32_t other_pc, bool wrote,
                     uintptr_t pc);
void not_waited_for(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag, uint32_t other_pc, uintptr_t pc);

} // namespace simt

#endif
