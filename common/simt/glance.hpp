/*
 * glance.hpp - most accesses race with nothing, and a glance at the marks of the word shows it.
 *
 * A glance either does all that check_word() of checks.cpp would and says so, or leaves the access to it.  Its answers
 * are check_word()'s: only the cases are here that need nothing but the two marks, for whole words.
 */
#ifndef SIMT_GLANCE_HPP
#define SIMT_GLANCE_HPP

#include <cstring>
#include "internal.hpp"

namespace simt {

/* What a mark says (checks.cpp). */
enum ReadFlag { ALONE, SEVERAL_LANES, SEVERAL_WARPS, SEVERAL_BLOCKS };
static inline uint64_t epoch_of(uint64_t tag) { return tag >> 32; }
static inline uint32_t thread_of(uint64_t tag) { return tag >> 22 & 1023; }
static inline uint32_t clock_of(uint64_t tag) { return tag >> 6 & 0xffff; }
static inline uint32_t bytes_of(uint64_t tag) { return tag >> 2 & 15; }
static inline uint32_t flags_of(uint64_t tag) { return tag & 3; }

/* Is `mark` of an epoch that is over, or this thread's own since the last barrier or fence? */
static inline bool over_or_own(uint64_t mark, uint64_t now, uint64_t over)
{
    return epoch_of(mark) < over || (mark ^ now) >> 22 == 0;
}

/* Leaves the mark of a reader.  False: who has read before wants a closer look. */
static inline bool glance_read(const Thread *t, Cell *c, uint64_t now, uint64_t over, bool alone, uintptr_t pc)
{
    uint64_t old = __atomic_load_n(&c->read, __ATOMIC_RELAXED), next = now;
    if ((old ^ now) >> 6 == 0 && bytes_of(old) == 15)
        return true;
    if (epoch_of(old) >= over) {
        if (epoch_of(old) != epoch_of(now) || bytes_of(old) != 15 || t->block->fenced || t->warp->synced)
            return false;
        const uint32_t other = thread_of(old), flag = flags_of(old);
        const uint32_t least = other == t->id ? ALONE : other / WARP == t->id / WARP ? SEVERAL_LANES : SEVERAL_WARPS;
        next |= flag > least ? flag : least;
    }
    if (alone)
        c->read = next;
    else if (!__atomic_compare_exchange_n(&c->read, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return false;
    c->read_pc = short_pc(pc);
    return true;
}

/* One word: true if nothing can be wrong with it, and its marks are left. */
static inline bool glance_word(const Thread *t, Cell *c, AccessKind k, uint64_t over, bool alone, uintptr_t pc)
{
    const uint64_t now = t->block->epoch << 32 | t->tag | 15 << 2;
    if (k == READ)
        return glance_read(t, c, now, over, alone, pc) &&
               over_or_own(__atomic_load_n(&c->write, __ATOMIC_RELAXED), now, over);
    uint64_t old = __atomic_load_n(&c->write, __ATOMIC_RELAXED);
    if (!over_or_own(old, now, over))
        return false;
    if (alone)
        c->write = now;
    else if (!__atomic_compare_exchange_n(&c->write, &old, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return false;
    c->write_pc = short_pc(pc);
    const uint64_t read = __atomic_load_n(&c->read, __ATOMIC_RELAXED);
    return epoch_of(read) < over || ((read ^ now) >> 22 == 0 && flags_of(read) == ALONE);
}

template <unsigned SIZE>
static inline bool glance_words(const Thread *t, const Region &r, uintptr_t a, AccessKind k, uint64_t over, bool alone,
                                uintptr_t pc)
{
    const size_t word = (a - r.base) >> 2;
    uint32_t state = 0;
    memcpy(&state, r.state + word, SIZE / 4);
    if (state != UINT32_MAX >> (32 - 2 * SIZE))     /* all of it exists and is initialised */
        return false;
    for (unsigned i = 0; i < SIZE / 4; ++i)
        if (!glance_word(t, r.cells + word + i, k, over, alone, pc))
            return false;
    return true;
}

/* An access of 4, 8 or 16 bytes.  True: it is right, and *space says where. */
template <unsigned SIZE>
static inline bool glance(const Thread *t, uintptr_t a, AccessKind k, uintptr_t pc, Space *space)
{
    const Block *b = t->block;
    const Launch *l = b->launch;
    if ((a & (SIZE - 1)) || l->checks != SIMT_CHECK_EVERYTHING)
        return false;
    if (heap.contains(a)) {
        *space = GLOBAL;
        return glance_words<SIZE>(t, heap, a, k, l->over, l->alone, pc);
    }
    *space = SHARED;
    return b->shared.contains(a) && glance_words<SIZE>(t, b->shared, a, k, b->barrier_epoch, true, pc);
}

} // namespace simt

#endif
