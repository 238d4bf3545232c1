/*
 * checks.cpp - checks an access: bounds, alignment, initialised memory, races.
 *
 * No thread may access a word that is the target of an asynchronous copy (async_copies.cpp) until the copying thread
 * has waited.
 */
#include <algorithm>
#include <cstring>
#include "races.hpp"

namespace simt {

/* Called when the thread, or its warp, accesses a word again that it wrote in a race: look_again() compares the
   values. */
static inline void seen_again(const Thread *t, uint64_t w, uintptr_t a)
{
    if (__builtin_expect(words_wait(), 0) && is_own_block(t, w) &&
        (settings.lenient ? thread_of(w) == t->id : thread_of(w) / WARP == t->id / WARP))
        look_again(a);
}

/* Returns whether all lanes of the warp have met `t` in a __syncwarp since the mark, which stands for reads of several
   lanes. */
static bool warp_has_met(const Thread *t, uint64_t tag)
{
    if (thread_of(tag) / WARP != t->id / WARP)
        return false;
    bool met = true;
    for (uint32_t m = t->warp->exist; m; m &= m - 1)
        met &= t->warp->clock[t->lane][__builtin_ctz(m)] > clock_of(tag);
    return met;
}

/* Returns the mark that remembers this read and, as far as a race needs it, the earlier readers. */
template <Space S> static uint64_t merge_read(Thread *t, uint64_t old, uint64_t now)
{
    if (stale<S>(t, old))
        return now;
    uint32_t flag = flags_of(old);
    if (!(bytes_of(old) & bytes_of(now)))
        return now;         /* a word has room for only one reader, also if they read different bytes */
    if (S != SHARED && !is_own_block(t, old))
        return now | SEVERAL_BLOCKS;
    if (flag != SEVERAL_BLOCKS && ordered_in_block(t, old, flag) &&
        (epoch_of(old) < t->block->barrier_epoch || flag == ALONE))
        return now;
    if (flag < SEVERAL_WARPS && ordered_by_flag(t, old))
        return now;
    if (flag == SEVERAL_LANES && warp_has_met(t, old))
        return now;
    if (thread_of(old) == t->id)
        return now | (uint64_t)bytes_of(old) << 2 | flag;
    uint32_t least = thread_of(old) / WARP == t->id / WARP ? SEVERAL_LANES : SEVERAL_WARPS;
    return now | (flag > least ? flag : least);
}

/* Returns whether the mark `w` is a plain write of this thread since the last barrier.  An atomic of the same thread
   must not replace this mark, because the plain write still races with other threads.  A thread that has synchronised
   by a flag is ordered after it in any case. */
static inline bool own_plain_write(const Thread *t, uint64_t w, uint32_t bytes)
{
    return thread_of(w) == t->id && epoch_of(w) >= t->block->barrier_epoch && !flags_of(w) && (bytes_of(w) & bytes) &&
           is_own_block(t, w);
}

/*
 * A block may write a counter, pass a barrier, and then count by atomics.  This is correct within the block, but the
 * atomic's mark replaces that of the plain write, which races with atomics of other blocks.  So the plain write is
 * remembered separately, by the address of its word.
 */
static void hide_plain_write(const Thread *t, uintptr_t a, uint32_t bytes, uint64_t tag, uint32_t pc)
{
    if (!(bytes_of(tag) & bytes) || stale<GLOBAL>(t, tag) || flags_of(tag) || !is_own_block(t, tag))
        return;
    Launch *l = t->block->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    l->hidden[a & ~(uintptr_t)3] = {tag, pc};
    l->hides.store(true, std::memory_order_relaxed);
}

/* Returns whether such a hidden write of another block exists that is not ordered before this atomic. */
static bool races_with_hidden(Thread *t, uintptr_t a, uint32_t bytes, HiddenWrite *found)
{
    Launch *l = t->block->launch;
    {
        std::lock_guard<std::mutex> hold(l->release_lock);
        const auto i = l->hidden.find(a & ~(uintptr_t)3);
        if (i == l->hidden.end())
            return false;
        *found = i->second;
    }
    return (bytes_of(found->tag) & bytes) && !is_own_block(t, found->tag) && !ordered<GLOBAL>(t, found->tag, ALONE);
}

void forget_hidden(Launch *l, uintptr_t a, size_t bytes)
{
    if (!l->hides.load(std::memory_order_relaxed))
        return;
    std::lock_guard<std::mutex> hold(l->release_lock);
    for (auto i = l->hidden.begin(); i != l->hidden.end();)
        i = i->first - a < bytes ? l->hidden.erase(i) : std::next(i);
}

/*
 * Marks one word as read.  In global memory another OS thread may access the same word at the
 * same time.  Each thread first leaves its own mark with a full barrier and then reads the
 * other's mark, so at least one of them detects the race.
 */
template <Space S>
static inline void mark_read(Thread *t, Cell *c, uint64_t now, uint32_t bytes, uintptr_t pc)
{
    uint64_t old = c->read;
    if ((old ^ now) >> 6 == 0 && (bytes_of(old) & bytes) == bytes)
        return;
    uint64_t next = merge_read<S>(t, old, now);
    if (S == GLOBAL && !t->block->launch->alone) /* keep the mark of a reader that came in between */
        while (!__atomic_compare_exchange_n(&c->read, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            next = merge_read<S>(t, old, now);
    else
        c->read = next;
    c->read_pc = short_pc(pc);
}

/* Returns whether a volatile access may coincide with the atomic or volatile access of `tag`. */
template <Space S> static inline bool may_meet(const Thread *t, uint64_t tag)
{ return flags_of(tag) && (S != SHARED || thread_of(tag) / WARP != t->id / WARP); }

template <Space S>
static inline void check_read(Thread *t, Cell *c, uintptr_t a, unsigned size, uint32_t bytes, uint64_t now,
                              bool relaxed, uintptr_t pc)
{
    const Reader before = {c->read, c->read_pc};
    if (!relaxed)
        mark_read<S>(t, c, now, bytes, pc);
    uint64_t w = __atomic_load_n(&c->write, __ATOMIC_RELAXED);
    seen_again(t, w, a);
    if (!stale<S>(t, w) && (bytes_of(w) & bytes) && !(relaxed && may_meet<S>(t, w)) && !ordered<S>(t, w, ALONE))
        race<S>(t, a, size, READ, w, c->write_pc, true, pc, before);
    if (concurrent<S>(t, w) && (bytes_of(w) & bytes) && !(relaxed && flags_of(w)))
        race_of_streams(t, a, size, READ, w, c->write_pc, true, pc);
}

template <Space S>
static inline void check_word(Thread *t, Cell *c, uintptr_t a, unsigned size, uint32_t bytes, AccessKind k,
                              bool relaxed, uintptr_t pc)
{
    const uint64_t now = t->block->epoch << 32 | t->tag | (uint64_t)bytes << 2;
    const bool alone = t->block->launch->alone;
    if (S != GLOBAL && epoch_of(c->write) == UNDER_WAY && (bytes_of(c->write) & bytes))
        return not_waited_for(t, a, size, k, c->write, c->write_pc, pc);
    if (k == READ)
        return check_read<S>(t, c, a, size, bytes, now, relaxed, pc);
    bool atomic = relaxed || k == ATOMIC;
    uint32_t other_pc = c->write_pc;
    uint64_t w = __atomic_load_n(&c->write, __ATOMIC_RELAXED);
    seen_again(t, w, a);
    if (!atomic || !own_plain_write(t, w, bytes)) {
        if (S == GLOBAL && !alone)
            w = __atomic_exchange_n(&c->write, now | atomic, __ATOMIC_SEQ_CST);
        else
            c->write = now | atomic;
        c->write_pc = short_pc(pc);
        if (S == GLOBAL && atomic)
            hide_plain_write(t, a, bytes, w, other_pc);
    }
    HiddenWrite hidden;
    if (S == GLOBAL && k == ATOMIC && flags_of(w) && t->block->launch->hides.load(std::memory_order_relaxed) &&
        races_with_hidden(t, a, bytes, &hidden))
        race<S>(t, a, size, k, hidden.tag, hidden.pc, true, pc);
    if (!stale<S>(t, w) && (bytes_of(w) & bytes) && !(k == ATOMIC ? flags_of(w) : relaxed && may_meet<S>(t, w)) &&
        !ordered<S>(t, w, ALONE))
        race<S>(t, a, size, k, w, other_pc, true, pc);
    if (concurrent<S>(t, w) && (bytes_of(w) & bytes) && !(atomic && flags_of(w)))
        race_of_streams(t, a, size, k, w, other_pc, true, pc);
    uint64_t r = __atomic_load_n(&c->read, __ATOMIC_RELAXED);
    const bool was_polled = S == SHARED && relaxed && thread_of(r) / WARP != t->id / WARP; /* a poll before any fence */
    if (!stale<S>(t, r) && (bytes_of(r) & bytes) && !was_polled && !ordered<S>(t, r, flags_of(r)) &&
        !((S == SHARED || is_own_block(t, r)) && read_before(t, r, flags_of(r))))
        race<S>(t, a, size, k, r, c->read_pc, false, pc);
    if (concurrent<S>(t, r) && (bytes_of(r) & bytes))
        race_of_streams(t, a, size, k, r, c->read_pc, false, pc);
}

/* Checks reads of textures in device memory, for bounds only. */
void check_exists(Thread *t, uintptr_t a, size_t bytes, uintptr_t pc)
{
    if (!unchecked() && heap.contains(a) && !(heap.state[(a - heap.base) >> 2] >> 4 >> (a & 3) & 1))
        fault_bounds(t, a, (unsigned)bytes, READ, pc);
}

/*
 * Returns whether the uninitialised bytes at `a` may be padding of the structs that begin at `from`.  Padding follows a
 * member and ends at a multiple of an alignment that is larger than the padding, and to which the structs are aligned.
 */
__attribute__((noinline))
bool is_padding(const Region &r, uintptr_t from, size_t bytes, uintptr_t a, size_t size)
{
    enum { MOST_ALIGNED = 16 };
    const uintptr_t end = from + bytes, aligned = from | bytes | MOST_ALIGNED;
    auto written = [&r](uintptr_t at) { return r.state[(at - r.base) >> 2] >> (at & 3) & 1; };
    for (uintptr_t at = a, behind; at < a + size; at = behind) {
        behind = at + 1;
        if (written(at))
            continue;
        uintptr_t first = at, alignment = 1;
        while (first > from && !written(first - 1) && at - first < MOST_ALIGNED)
            --first;
        while (behind < end && !written(behind) && behind - first < MOST_ALIGNED)
            ++behind;
        while (alignment <= behind - first)
            alignment *= 2;
        if (first == from || (aligned | behind) % alignment)
            return false;
    }
    return true;
}

template <Space S>
static inline void check(Thread *t, Region &r, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc)
{
    const unsigned checks = t->block->launch->checks;
    if ((a & (size - 1)) && (checks & SIMT_CHECK_ALIGNMENT))
        fault_misaligned(t, a, size, k, pc);

    /* The shadow state of all words of the access: per word a nibble of initialised bytes and one of existing bytes. */
    const size_t word = (a - r.base) >> 2;
    uint32_t low, state = 0;
    uint32_t bytes = 15;
    switch (size) {
    case 16: memcpy(&state, &r.state[word], 4); low = 0x0f0f0f0f; break;
    case 8: state = r.state[word] | (uint32_t)r.state[word + 1] << 8; low = 0x0f0f; break;
    case 4: state = r.state[word]; low = 0x0f; break;
    default: bytes = ((1u << size) - 1) << (a & 3) & 15; state = r.state[word]; low = bytes; break;
    }
    if ((state & (low | low << 4)) != (low | low << 4)) {
        bool exists = (state >> 4 & low) == low;
        if (!exists && (checks & SIMT_CHECK_BOUNDS))
            fault_bounds(t, a, size, k, pc);
        if (exists && (state & low) != low) {
            if (k == WRITE) {
                for (unsigned i = 0; i < (size + 3) / 4; ++i)
                    __atomic_fetch_or(&r.state[word + i], (uint8_t)bytes, __ATOMIC_RELAXED);
                if (t->read_unset == a)
                    adds_to_unset(t, a, size, pc);
            } else if ((checks & SIMT_CHECK_UNINITIALISED) &&
                       !(t->moved && is_padding(r, t->moved, t->moved_bytes, a, size))) {
                fault_uninitialised(t, a, size, k, pc);
            }
        }
    }
    if (checks & SIMT_CHECK_RACES)
        for (unsigned i = 0; i < (size + 3) / 4; ++i)
            check_word<S>(t, &r.cells[word + i], a, size, bytes, k, relaxed, pc);
}

/*
 * Leaves the mark of an atomic once more, after the atomic.  The caller holds the word's lock, so
 * the word has the mark of the last atomic.  The block that counted last may then continue with
 * plain accesses to the counter.
 */
void mark_atomic(Thread *t, Region &r, uintptr_t a, unsigned size)
{
    const uint64_t mark = t->block->epoch << 32 | t->tag | bytes_in_word(a, size) << 2 | 1;
    for (unsigned i = 0; i < (size + 3) / 4; ++i) {
        uint64_t *w = &r.cells[(a - r.base) / 4 + i].write;
        if (!own_plain_write(t, __atomic_load_n(w, __ATOMIC_RELAXED), bytes_in_word(a, size)))
            __atomic_store_n(w, mark, __ATOMIC_SEQ_CST);
    }
}

void initialise(const Thread *t, uintptr_t a, unsigned size)
{
    Block *b = block_of_shared(t, a);
    for (const Region *r : {&heap, &program, &managed, b ? &b->shared : &heap})
        if (r->contains(a))
            for (size_t word = (a - r->base) / 4; word < (a + size - r->base + 3) / 4; ++word) {
                const unsigned mask = bytes_in_word(a, size);
                if ((r->state[word] >> 4 & mask) == mask)
                    __atomic_fetch_or(&r->state[word], mask, __ATOMIC_RELAXED);
            }
}

void check_global(Thread *t, Region &r, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc)
{
    check<GLOBAL>(t, r, a, size, k, relaxed, pc);
}

/* volatile does not order lanes, so in shared memory a volatile access is checked like a plain one, except where it may
   be a flag (check_flag). */
void check_shared(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    check<SHARED>(t, t->block->shared, a, size, k, false, pc);
}
void check_flag(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    check<SHARED>(t, t->block->shared, a, size, k, true, pc);
}

void check_cluster(Thread *t, Block *b, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc)
{
    cluster_reach(t, b, pc);
    t->block->reached = b;
    check<CLUSTER>(t, b->shared, a, size, k, relaxed, pc);
}

/* ---- values that no thread reads ---- */

static std::mutex unread_lock;
static std::string unread;

/* Finds plain writes to shared memory that the block does not read after a later barrier, and keeps the first and the
   last such word of a variable. */
void keep_unread(const Block *b)
{
    std::lock_guard<std::mutex> hold(unread_lock);
    if (!unread.empty())
        return;
    for (const SharedVariable &v : b->variables) {
        const Cell *const cells = &b->shared.cells[(v.address - b->shared.base) / 4];
        size_t first = SIZE_MAX, last = 0;
        for (size_t i = 0; i < v.size / 4; ++i)
            if (epoch_of(cells[i].write) >= b->first_epoch && epoch_of(cells[i].write) != UNDER_WAY &&
                !flags_of(cells[i].write) && epoch_of(cells[i].read) < epoch_of(cells[i].write)) {
                first = std::min(first, i * 4 / v.element);
                last = i;
            }
        if (first == SIZE_MAX)
            continue;
        const size_t to = last * 4 / v.element;
        unread = v.size == v.element ? std::string(v.name)
               : first == to         ? format("%s[%zu]", v.name, to)
                                     : format("%s[%zu] to %s[%zu]", v.name, first, v.name, to);
        unread += ", written at " + at_line(cells[last].write_pc);
        return;
    }
}

} // namespace simt

using namespace simt;

void simt_watch_unread(int on)
{
    settings.unread = on != 0;
    unread.clear();
}

const char *simt_unread(void) { return unread.empty() ? nullptr : unread.c_str(); }
