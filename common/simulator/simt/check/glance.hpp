/*
 * glance.hpp - the quick check of an access, which suffices for most of them.
 *
 * A glance compares the two marks of the word.  It either does everything that check_word() of checks.cpp would do and
 * returns true, or it leaves the access to check_word().  It covers only the cases that the two marks alone decide.
 */
#ifndef SIMT_GLANCE_HPP
#define SIMT_GLANCE_HPP

#include <cstring>
#include "internal.hpp"

extern "C" char __start_simt_constant __attribute__((weak)), __stop_simt_constant __attribute__((weak));
extern "C" char __start_simt_unset_constant __attribute__((weak)), __stop_simt_unset_constant __attribute__((weak));

namespace simt {

/* Returns whether the address is in a __constant__ variable of the program itself. */
static inline bool is_program_constant(uintptr_t a)
{
    return a - (uintptr_t)&__start_simt_constant < (uintptr_t)&__stop_simt_constant - (uintptr_t)&__start_simt_constant;
}

/* Returns whether it is in a __constant__ variable without an initial value. */
static inline bool is_unset_constant(uintptr_t a)
{
    const uintptr_t from = (uintptr_t)&__start_simt_unset_constant;
    return a - from < (uintptr_t)&__stop_simt_unset_constant - from;
}

/* The fields of a mark (races.hpp). */
enum ReadFlag { ALONE, SEVERAL_LANES, SEVERAL_WARPS, SEVERAL_BLOCKS };
static inline uint64_t epoch_of(uint64_t tag) { return tag >> 32; }
static inline uint32_t thread_of(uint64_t tag) { return tag >> 22 & 1023; }
static inline uint32_t clock_of(uint64_t tag) { return tag >> 6 & 0xffff; }
static inline uint32_t bytes_of(uint64_t tag) { return tag >> 2 & 15; }
static inline uint32_t flags_of(uint64_t tag) { return tag & 3; }

/* WHOLE: all bytes of a word.  bytes_at returns the bytes of its word that an access of SIZE bytes touches, one bit
   each. */
enum { WHOLE = 15 };
template <unsigned SIZE> static inline uint64_t bytes_at(uintptr_t a)
{
    return SIZE >= 4 ? (uint64_t)WHOLE : (uint64_t)((1u << SIZE) - 1) << (a & 3);
}
/* Returns the bytes of its first word that an access of any size touches, one bit each. */
static inline unsigned bytes_in_word(uintptr_t a, size_t size)
{ return size < 4 ? ((1u << size) - 1) << a % 4 & 15 : 15; }

/* The data of a quick check.  now: the mark that it leaves; over: smaller marks are of epochs that are over. */
template <unsigned SIZE> struct Glance {
    uint64_t now, over;
    bool alone;                     /* no other OS thread accesses these words */
    /* Returns whether `mark` is of other bytes of its word. */
    bool beside(uint64_t mark) const { return SIZE < 4 && !(mark & now & WHOLE << 2); }
    /* Returns whether `mark` is of an ended epoch, of this thread since the last barrier or fence, or of other
       bytes. */
    bool harmless(uint64_t mark) const { return mark < over || (mark ^ now) >> 22 == 0 || beside(mark); }
};

#define ALWAYS static inline __attribute__((always_inline))

/* Returns the mark to leave if there is another reader's mark of this epoch; 0 if the full check must decide. */
template <unsigned SIZE> ALWAYS uint64_t merged(const Thread *t, uint64_t old, const Glance<SIZE> &g)
{
    const uint64_t other = old ^ g.now;
    if (g.beside(old))
        return g.now;               /* a word has room for only one reader */
    if (other >> 32 || (other & WHOLE << 2) || t->block->fenced || t->synced)
        return 0;
    const uint32_t flag = flags_of(old), lanes = thread_of(other);      /* 0: same thread; below WARP: same warp */
    if (flag >= SEVERAL_WARPS)
        return old;                 /* one more reader changes nothing */
    const uint32_t least = (lanes > 0) + (lanes >= WARP);
    static_assert(ALONE == 0 && SEVERAL_LANES == 1 && SEVERAL_WARPS == 2, "how far off they are");
    return g.now | (flag > least ? flag : least);
}

/* Leaves the mark of a reader.  Returns false if the full check must decide because of an earlier reader. */
template <unsigned SIZE> ALWAYS bool glance_reader(const Thread *t, Cell *c, const Glance<SIZE> &g, uintptr_t pc)
{
    uint64_t old = __atomic_load_n(&c->read, __ATOMIC_RELAXED), next = g.now;
    if (old >= g.over) {
        if (!((old ^ g.now) >> 6) && !(~old & g.now & WHOLE << 2))
            return true;            /* its own mark */
        next = merged(t, old, g);
        if (next == old)
            return true;
        if (!next)
            return false;
    }
    if (g.alone)
        c->read = next;
    else if (!__atomic_compare_exchange_n(&c->read, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return false;
    c->read_pc = short_pc(pc);
    return true;
}

/* Checks one word.  Returns true if there is no race; then the mark has been left. */
template <unsigned SIZE>
ALWAYS bool glance_word(const Thread *t, Cell *c, AccessKind k, const Glance<SIZE> &g, uintptr_t pc)
{
    /* A report of a race needs the earlier reader's mark, so the write mark is tested before that is replaced, and
       again after it, because another OS thread may write meanwhile. */
    if (k == READ)
        return g.harmless(__atomic_load_n(&c->write, __ATOMIC_RELAXED)) && glance_reader(t, c, g, pc) &&
               (g.alone || g.harmless(__atomic_load_n(&c->write, __ATOMIC_RELAXED)));
    uint64_t old = __atomic_load_n(&c->write, __ATOMIC_RELAXED);
    if (!g.harmless(old))
        return false;
    if (g.alone)
        c->write = g.now;
    else if (!__atomic_compare_exchange_n(&c->write, &old, g.now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return false;
    c->write_pc = short_pc(pc);
    const uint64_t read = __atomic_load_n(&c->read, __ATOMIC_RELAXED);
    return g.harmless(read) && (read < g.over || flags_of(read) == ALONE || g.beside(read));
}

/* Checks a volatile access to shared memory in a block in which a thread has executed a fence (checks.cpp). */
void check_flag(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);

/* Returns whether all bytes exist and are initialised.  A write initialises them. */
template <unsigned SIZE> ALWAYS bool glance_state(uint8_t *state, AccessKind k, uint64_t bytes, bool alone)
{
    if (SIZE < 4) {
        const uint8_t low = (uint8_t)bytes, both = (uint8_t)(low | low << 4);
        if ((*state & both) == both)
            return true;
        if (k == READ || !alone || (*state >> 4 & low) != low)
            return false;
        *state |= low;
        return true;
    }
    const uint32_t full = UINT32_MAX >> (SIZE < 4 ? 0 : 32 - 2 * SIZE), exist = full & 0xf0f0f0f0u;
    uint32_t now = 0;
    memcpy(&now, state, SIZE / 4);
    if (now == full)
        return true;
    if (k == READ || (now & exist) != exist)
        return false;
    memcpy(state, &full, SIZE / 4);
    return true;
}

template <unsigned SIZE>
ALWAYS bool glance_words(const Thread *t, const Region &r, uintptr_t a, AccessKind k, const Glance<SIZE> &g,
                         uintptr_t pc)
{
    const size_t word = (a - r.base) >> 2;
    if (!glance_state<SIZE>(r.state + word, k, bytes_at<SIZE>(a), g.alone))
        return false;
    for (unsigned i = 0; i < (SIZE + 3) / 4; ++i)
        if (!glance_word(t, r.cells + word + i, k, g, pc))
            return false;
    return true;
}

/* Checks an access of 1, 2, 4, 8 or 16 bytes in a block that is `quick`.  Returns true if the access is correct; then
   *space gets the memory that it accesses. */
template <unsigned SIZE> ALWAYS bool glance(const Thread *t, uintptr_t a, AccessKind k, uintptr_t pc, Space *space)
{
    const Block *b = t->block;
    if (a & (SIZE - 1))
        return false;
    const uint64_t now = b->epoch << 32 | t->tag | bytes_at<SIZE>(a) << 2;
    if (heap.contains(a)) {
        *space = GLOBAL;
        return glance_words<SIZE>(t, heap, a, k, Glance<SIZE>{now, b->over << 32, b->alone}, pc);
    }
    if (b->shared.contains(a)) {
        *space = SHARED;
        return glance_words<SIZE>(t, b->shared, a, k, Glance<SIZE>{now, b->barrier_epoch << 32, true}, pc);
    }
    *space = NOT_COUNTED;
    /* The used part of the thread's own stack, which lies above the hook's frame. */
    const uintptr_t used = (uintptr_t)__builtin_dwarf_cfa(); /* not the frame address: it would force a frame */
    return a - used < (uintptr_t)t->carrier->high - used || (k == READ && is_program_constant(a));
}

#undef ALWAYS

} // namespace simt

#endif
