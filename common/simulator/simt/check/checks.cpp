/*
 * checks.cpp - checks an access: bounds, alignment, initialised memory, races.
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
 *                    after that.  Between blocks it is enough if any thread of the
 *                    second's block does; in a block flags of shared memory count,
 *                    too, if both sides use atomics, or, in two warps, volatile accesses
 *   in a cluster     as between blocks, also of shared memory; its barrier is a fence and a flag
 *   between kernels  always; with SIMT_CHECK_STREAMS by streams and events (order.cpp)
 *
 * Atomics do not race with atomics.  Volatile accesses to global memory do not race with each other; nor do volatile
 * accesses to shared memory by two warps of a block in which a thread has executed a fence.
 *
 * No thread may access a word that is the target of an asynchronous copy (async_copies.cpp) until the copying thread
 * has waited.
 *
 * Tags in a Cell:  epoch 32 | thread 10 | warp clock 16 | bytes 4 | flags 2.
 * Flags of a write: 1 = atomic.  Flags of a read: which other threads have read since, below.
 */
#include <algorithm>
#include <cstring>
#include "glance.hpp"
#include "internal.hpp"

extern "C" char __data_start, _end;     /* the program's own variables */

namespace simt {

/* Whether the access of `tag`, by a thread of the same block, is ordered before what `t` does now. */
static bool ordered_in_block(const Thread *t, uint64_t tag, uint32_t readers)
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
    return clock_of(tag) < known || known == UINT16_MAX;    /* the clock has overflowed: no false alarm */
}

/* Whether the read of `tag` was before a shuffle or vote of its thread with `t`: then `t` may write. */
static bool read_before(const Thread *t, uint64_t tag, uint32_t readers)
{
    const uint32_t other = thread_of(tag) % WARP;
    const Warp *w = t->warp;
    if (!w->met || readers >= SEVERAL_WARPS || thread_of(tag) / WARP != t->id / WARP ||
        clock_of(tag) >= w->read_before[other])
        return false;
    const uint32_t there = w->met_there[other];
    return there == w->exist || (readers == ALONE && (there >> t->lane & 1));
}

/* Whether block `owner` had released the access of `tag` by the time `acquired`.  same: `t` is in that block. */
static bool released(Launch *l, uint64_t tag, uint32_t owner, uint64_t acquired, bool same)
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

/* The same for a tag of another block.  owner NULL: the tag is so old that its block is forgotten; then any acquire
   counts. */
static bool ordered_between_blocks(Thread *t, uint64_t tag, const uint32_t *owner)
{
    Block *b = t->block;
    if (b->acquire_pending.exchange(false, std::memory_order_relaxed))
        acquire(t, true);
    const uint64_t acquired = b->acquired.load(std::memory_order_relaxed);
    return owner ? released(b->launch, tag, *owner, acquired, false) : acquired != 0;
}

/* For a tag of the same block with no barrier between the two accesses: whether its thread has released the access, and
   `t` has acquired since. */
static bool ordered_by_flag(Thread *t, uint64_t tag)
{
    if (!t->block->fenced)
        return false;
    if (t->acquire_pending) {
        t->acquire_pending = false;
        acquire(t, false);
    }
    return released(t->block->launch, tag, (uint32_t)t->block->linear, t->acquired, true);
}

static bool is_own_block(const Thread *t, uint64_t tag)
{
    if (epoch_of(tag) < t->block->first_epoch)
        return false;
    const uint32_t *owner = epoch_owner(epoch_of(tag));
    return !owner || *owner == (uint32_t)t->block->linear;  /* forgotten: assume it is, no false alarm */
}

template <Space S> static inline bool stale(const Thread *t, uint64_t tag)
{
    return epoch_of(tag) < (S == SHARED    ? t->block->first_epoch
                            : S == CLUSTER ? t->block->reached->first_epoch
                                           : t->block->launch->first_epoch);
}

/* Whether the mark is of an earlier launch or copy in another stream that may run at the same time. */
template <Space S> static inline bool concurrent(const Thread *t, uint64_t tag)
{
    return S == GLOBAL && __builtin_expect(stale<S>(t, tag) && epoch_of(tag) >= t->block->launch->unknown_from, 0);
}

template <Space S> static bool ordered(Thread *t, uint64_t tag, uint32_t readers)
{
    if (S == SHARED || is_own_block(t, tag)) {
        if (readers == SEVERAL_BLOCKS)
            return t->block->acquired.load(std::memory_order_relaxed) != 0;
        return ordered_in_block(t, tag, readers) || (readers < SEVERAL_WARPS && ordered_by_flag(t, tag));
    }
    return ordered_between_blocks(t, tag, epoch_owner(epoch_of(tag)));
}

/* ---- words for the reports ---- */

static const char *verb(AccessKind k) { return k == READ ? "reads" : k == WRITE ? "writes" : "updates (atomic)"; }

/* Names an address: "d_in[17]", "shared s[3]". */
static std::string name_of(const Thread *t, uintptr_t a, unsigned size)
{
    if (const Block *b = block_of_shared(t, a)) {
        const char *other = b == t->block ? "" : " of another block of the cluster";
        for (const SharedVariable &v : b->variables)
            if (a - v.address < v.size)
                return v.size == v.element ? format("shared %s%s", v.name, other)
                                           : format("shared %s[%zu]%s", v.name, (a - v.address) / v.element, other);
        return format("shared dynamic memory[%zu]%s", (size_t)(a - b->shared_base) / size, other);
    }
    Allocation al;
    if (heap.contains(a) && heap_find_for(t->block->launch, a, &al))
        return format("%s[%lld]", al.name.c_str(), (long long)(a - al.base) / (long long)size);
    return place_in_memory(a, size);
}

static std::string block_name(const Launch *l, uint32_t n)
{ return format("block (%u,%u,%u)", n % l->grid.x, n / l->grid.x % l->grid.y, n / l->grid.x / l->grid.y); }

/* Whether the race is between a plain read and an atomic: on a GPU such a read works, but may return an old value. */
static bool beside_atomics(AccessKind k, uint64_t tag, bool wrote)
{ return (k == READ && wrote && flags_of(tag)) || (k == ATOMIC && !wrote); }

/* The reader of a word before an access. */
struct Reader { uint64_t tag; uint32_t pc; };

static bool same_place(uint32_t pc, uint32_t other)
{
    const Place p = place_of(pc), q = place_of(other);
    return p.line && p.line == q.line && p.column == q.column && p.file == q.file;
}

/*
 * The hint for races in which several threads execute one statement on one element: each reads and rewrites it (the
 * writer has read it at this place of the source), or each stores to it.  A barrier would not help there.  For other
 * races NULL.
 */
static const char *one_statement(const Thread *t, AccessKind k, uint64_t tag, uint32_t other_pc, bool wrote,
                                 const Reader &before, uintptr_t pc, bool own_block)
{
    if (!wrote || flags_of(tag) || !other_pc)
        return nullptr;
    const bool by_writer = (before.tag ^ tag) >> 22 == 0 || !own_block;
    if (k == READ && by_writer && (bytes_of(before.tag) & bytes_of(tag)) && same_place(before.pc, short_pc(pc)))
        return place_of(other_pc).line == place_of(short_pc(pc)).line
                   ? "both are one statement: every thread updates this element.  Use atomicAdd or another of the "
                     "atomics, or give each thread its own element and add in a tree"
                   : "both threads read this element, then write it.  Let one of the atomics do both (atomicAdd), or "
                     "give each thread its own element and add in a tree";
    if (k != WRITE || !same_place(other_pc, short_pc(pc)))
        return nullptr;
    return !own_block ? "several blocks store one element: combine their values first, or use an atomic, such as "
                        "atomicAdd"
         : thread_of(tag) / WARP == t->id / WARP
             ? "several lanes store one element: combine their values first, then let one store; in different rounds "
               "of a loop, put a __syncwarp() between the rounds"
             : "several warps store one element: combine their values first, then let one store; in different rounds "
               "of a loop, put a __syncthreads() between the rounds";
}

/* Whether the word was read before its first write.  Then that read did not see the value that is written now. */
template <Space S> static bool was_read_unset(const Thread *t, uintptr_t a)
{
    Launch *l = t->block->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    return l->read_unset.count({S == GLOBAL ? 0 : t->block->linear + 1, a & ~(uintptr_t)3}) != 0;
}

/* Whether lanes of a warp store to one address in one instruction: a GPU then performs one of the stores. */
template <Space S> static bool is_one_store(const Thread *t, AccessKind k, uint64_t tag, uint32_t other_pc, bool wrote,
                                            uintptr_t pc)
{
    return k == WRITE && wrote && !flags_of(tag) && other_pc == short_pc(pc) &&
           (S == SHARED || is_own_block(t, tag)) && thread_of(tag) / WARP == t->id / WARP;
}

template <Space S>
static void report_race(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag, uint32_t other_pc,
                        bool wrote, const Reader &before, uintptr_t pc)
{
    const Block *b = t->block;
    std::string who;
    const char *did = !wrote ? "has read" : flags_of(tag) ? "has updated (atomic)" : "has written";
    std::string hint;
    const char *between_blocks =
        S == CLUSTER ? "put a cluster.sync() between the two accesses" :
        "blocks are not ordered: use atomics, or write, __threadfence(), then signal with an atomic, or use two "
        "kernels";
    // A tag names the last reader, which may be this thread; its flag says where other readers are: in the same warp,
    // in another warp or in another block.
    const uint32_t readers = wrote ? (uint32_t)ALONE : flags_of(tag);
    const char *when = ", at ";     // the place is that of the tag's thread
    if (readers == SEVERAL_BLOCKS && is_own_block(t, tag)) {
        who = "a thread of another block";
        when = " before this block did at ";
        hint = between_blocks;
    } else if (S == SHARED || is_own_block(t, tag)) {
        bool same_warp = thread_of(tag) / WARP == t->id / WARP && readers != SEVERAL_WARPS;
        who = thread_of(tag) == t->id ? "another thread"
                                      : thread_name(b, thread_of(tag)) + (same_warp ? " of the same warp" : "");
        if (thread_of(tag) == t->id)
            when = " before this one did at ";
        const bool both_write = wrote && k == WRITE;
        hint = both_write ? "several threads write one element: let one write, use an atomic, or put a barrier between"
             : same_warp ? "put a __syncwarp() (or __syncthreads()) between the two accesses"
                         : "put a __syncthreads() between the two accesses";
    } else {
        const uint32_t *owner = epoch_owner(epoch_of(tag));
        who = owner ? block_name(b->launch, *owner) + format(" thread %u", thread_of(tag)) : "a block long before";
        hint = between_blocks;
        if (S == GLOBAL && k == READ && wrote && b->acquired.load(std::memory_order_relaxed) != 0)
            hint = "the flag may become visible before the data: write the data, call __threadfence(), "
                   "then set the flag";
    }
    if (S == GLOBAL && beside_atomics(k, tag, wrote))
        hint = "the read may see any value of the atomics: where that will do, read by an atomic or through volatile; "
               "where not, put a barrier between or use two kernels";
    if (const char *better = one_statement(t, k, tag, other_pc, wrote, before, pc, S == SHARED || is_own_block(t, tag)))
        hint = better;
    const std::string what =
        format("race on %s memory: %s %s, which %s %s%s, and nothing orders the two", S == GLOBAL ? "global" : "shared",
               verb(k), name_of(t, a, size).c_str(), who.c_str(), did,
               other_pc ? (when + at_line(other_pc)).c_str() : "");
    if (settings.lenient)
        /* A warning only: a plain read before a compare-and-swap is a common and correct use. */
        return pass(t, beside_atomics(k, tag, wrote) ? WARNING : ERROR, pc, what, hint,
                    k == WRITE && !was_read_unset<S>(t, a) ? a : 0, size);
    if (is_one_store<S>(t, k, tag, other_pc, wrote, pc))
        return one_store(t, pc, what, hint, a, size);
    const bool own = S == SHARED || is_own_block(t, tag);
    const uint32_t *owner = own ? nullptr : epoch_owner(epoch_of(tag));
    film_race({true, a, owner ? *owner : b->linear, thread_of(tag),
               own && thread_of(tag) == t->id ? 0 : other_pc});
    report_fault(t, cudaErrorLaunchFailure, pc, what, hint);
}

template <Space S>
__attribute__((noinline)) static void race(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag,
                                           uint32_t other_pc, bool wrote, uintptr_t pc, const Reader &before = {})
{
    if (settings.lenient && (said_before(pc) || has_enough_words(pc)))     /* making a text is slow */
        return;
    report_race<S>(t, a, size, k, tag, other_pc, wrote, before, pc);
    if (!settings.lenient && !is_one_store<S>(t, k, tag, other_pc, wrote, pc))
        leave_kernel();
    if (k == WRITE)
        new_epoch(t->block);    /* so that the thread's next access gets the full check: seen_again() */
}

/* The thread, or its warp, accesses a word again that it wrote in a race.  look_again() then compares the values. */
static inline void seen_again(const Thread *t, uint64_t w, uintptr_t a)
{
    if (__builtin_expect(words_wait(), 0) && is_own_block(t, w) &&
        (settings.lenient ? thread_of(w) == t->id : thread_of(w) / WARP == t->id / WARP))
        look_again(a);
}

/* Whether the thread that launched this kernel left the mark after the launch. */
static bool behind_launch(const Launch *l, uint64_t tag)
{
    const Parent &p = l->parent;
    const uint32_t *block = epoch_owner(epoch_of(tag));
    return p.epoch && epoch_of(tag) >= p.epoch && thread_of(tag) == p.thread && block && *block == p.block &&
           order_is(p.order, epoch_of(tag));
}

/* Reports a race with an operation in another stream, which left the mark `tag` and may run at the same time. */
__attribute__((noinline)) static void race_of_streams(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag,
                                                      uint32_t other_pc, bool wrote, uintptr_t pc)
{
    {
        const char *const did = !wrote ? "reads" : flags_of(tag) ? "updates (atomic)" : "writes";
        const bool launched = behind_launch(t->block->launch, tag);
        std::string who;
        if (order_tells_staged(t->block->launch->order, epoch_of(tag)))
            return pass(t, HINT, pc, format("%s %s, which cudaMemcpy%s writes from pageable memory: that may return "
                                            "before all is there", verb(k), name_of(t, a, size).c_str(),
                                            other_pc ? (", at " + at_line(other_pc) + ",").c_str() : ""), staged_hint);
        if ((settings.lenient && said_before(pc)) ||
            (!launched && order_before(t->block->launch->order, epoch_of(tag), did, &who)))
            return;
        if (launched)
            who = format("the thread that has launched this kernel %s after that", did);
        const std::string what =
            format("race between %s: %s %s, which %s%s, and nothing orders the two", launched ? "kernels" : "streams",
                   verb(k), name_of(t, a, size).c_str(), who.c_str(),
                   other_pc ? (", at " + at_line(other_pc)).c_str() : "");
        const char *const hint = launched ? "a kernel does not wait for those that it launches: let what comes behind "
                                            "them be a kernel of its own, launched last (cudaStreamTailLaunch)"
                                          : order_hint;
        if (settings.lenient)
            return pass(t, ERROR, pc, what, hint);
        report_fault(t, cudaErrorLaunchFailure, pc, what, hint);
    }
    leave_kernel();
}

/* Reports an access to the target of an asynchronous copy for which its thread has not waited. */
__attribute__((noinline)) static void not_waited_for(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag,
                                                     uint32_t other_pc, uintptr_t pc)
{
    {
        if (settings.lenient && said_before(pc))
            return;
        const std::string who = thread_of(tag) == t->id ? "this thread" : thread_name(t->block, thread_of(tag));
        const std::string what =
            format("race on shared memory: %s %s, into which %s copies at %s, and has not waited for it", verb(k),
                   name_of(t, a, size).c_str(), who.c_str(), at_line(other_pc).c_str());
        const char *hint = "wait for the copy (__pipeline_wait_prior, cp.async.wait_group, consumer_wait, a barrier), "
                           "then __syncthreads() where others have copied";
        if (settings.lenient)
            return pass(t, ERROR, pc, what, hint);
        report_fault(t, cudaErrorLaunchFailure, pc, what, hint);
    }
    leave_kernel();
}

/* Whether all lanes of the warp have met `t` in a __syncwarp since the mark.  The mark stands for reads of several
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
        return now;         /* other bytes: a word has room for one reader only */
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

/* Whether the mark `w` is a plain write of this thread since the last barrier.  An atomic of the same thread must not
   replace this mark, since the plain write still races with other threads.  A thread that has synchronised by a flag is
   ordered after it in any case. */
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

/* Whether such a hidden write of another block exists that is not ordered before this atomic. */
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
    if (S == GLOBAL && !t->block->launch->alone) /* keep a reader that comes in between */
        while (!__atomic_compare_exchange_n(&c->read, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            next = merge_read<S>(t, old, now);
    else
        c->read = next;
    c->read_pc = short_pc(pc);
}

/* Whether a volatile access may coincide with the atomic or volatile access of `tag`. */
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

/* fault() never returns, so the frame that calls it is never unwound: a string there would never be freed.  So the
   texts are made in functions that return. */
static std::string misaligned_text(Thread *t, uintptr_t a, unsigned size, AccessKind k)
{
    return format("misaligned access: %s %u bytes at an address that is a multiple of %u only (%s)", verb(k), size,
                  (unsigned)(a & -a), name_of(t, a, 4).c_str());
}

__attribute__((noinline))
static void fault_misaligned(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    fault(t, cudaErrorMisalignedAddress, pc, misaligned_text(t, a, size, k),
          format("an access of %u bytes needs an address that is a multiple of %u", size, size));
}

static std::string uninitialised_text(Thread *t, uintptr_t a, unsigned size, AccessKind k)
{
    return format("uninitialised memory: %s %s, which was never written", verb(k), name_of(t, a, size).c_str());
}

__attribute__((noinline))
static void fault_uninitialised(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    const char *hint = block_of_shared(t, a)
                           ? "shared memory starts with garbage in every block: write it first, then __syncthreads()"
                       : "it was read before it was written: cudaMalloc does not clear memory (y = sum, not y += sum; "
                         "or cudaMemset first)";
    if (!settings.lenient)
        fault(t, cudaErrorLaunchFailure, pc, uninitialised_text(t, a, size, k), hint);
    if (!said_before(pc))
        pass(t, k == ATOMIC ? ERROR : WARNING, pc, uninitialised_text(t, a, size, k), hint);
    enum { MOST_UNSET = 4096 };
    Launch *l = t->block->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    t->read_unset = a;
    t->read_unset_pc = pc;
    t->block->quick = false;    /* full checks, to detect the write of a += */
    if (l->read_unset.size() < MOST_UNSET)
        l->read_unset.insert({block_of_shared(t, a) ? t->block->linear + 1 : 0, a & ~(uintptr_t)3});
}

/* Reports a write by the source line that has just read the same uninitialised word, as += does. */
__attribute__((noinline))
static void adds_to_unset(Thread *t, uintptr_t a, unsigned size, uintptr_t pc)
{
    const uintptr_t before = t->read_unset_pc;
    t->read_unset = 0;
    if (settings.lenient && !said_before(pc) && at_line(short_pc(before)) == at_line(short_pc(pc)))
        pass(t, ERROR, pc, "uninitialised memory: adds to " + name_of(t, a, size) + ", which was never written",
             "an addition needs a first value: write 0 before the first addition");
}

static void report_bounds(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    std::string what;
    const char *hint = "compare the index with the size before the access";
    if (const Block *b = block_of_shared(t, a)) {
        /* Find the nearest variable. */
        const char *name = "dynamic memory";
        uintptr_t base = b->shared_base;
        size_t bytes = b->launch->dynamic_bytes, element = size;
        uintptr_t best = bytes || b->variables.empty() ? (a < base ? base - a : a - (base + bytes)) : UINTPTR_MAX;
        for (const SharedVariable &v : b->variables) {
            uintptr_t far = a < v.address ? v.address - a : a - (v.address + v.size);
            if (far < best || (far == best && a >= v.address)) {
                best = far;
                name = v.name;
                base = v.address;
                bytes = v.size;
                element = v.element;
            }
        }
        long long index =
            ((long long)a - (long long)base - (a < base ? (long long)element - 1 : 0)) / (long long)element;
        what = format("out of bounds: %s shared %s[%lld], but it has %zu elements of %zu bytes", verb(k), name, index,
                      bytes / element, element);
        if (bytes == 0)
            hint = "was the third launch parameter (bytes of dynamic shared memory) forgotten?";
    } else {
        Allocation al;
        if (!heap_find_for(t->block->launch, a, &al)) {
            what = format("out of bounds: %s %u bytes at %p, far from any buffer", verb(k), size, (void *)a);
        } else {
            long long index =
                ((long long)a - (long long)al.base - (a < al.base ? (long long)size - 1 : 0)) / (long long)size;
            bool inside = a - al.base < al.size;
            uintptr_t away = a < al.base ? al.base - a : inside ? 0 : a - (al.base + al.size);
            if (!al.live && inside) {
                what = format("use after free: %s %s[%lld], but cudaFree has been called on it", verb(k),
                              al.name.c_str(), index);
                hint = "free a buffer only after the last kernel that uses it";
            } else if (inside && al.base == device_heap()) {
                what = format("out of bounds: %s %u bytes of the kernels' heap, where nothing is, or nothing any more",
                              verb(k), size);
                hint = "is the index below what malloc or new was asked for?  has it been freed?";
            } else if (away > 65536 && (a < al.base || away > 2 * al.size)) {
                what = format("out of bounds: %s %u bytes, %llu bytes away from the nearest buffer (%s)", verb(k), size,
                              (unsigned long long)away, al.name.c_str());
            } else {
                what = format("out of bounds: %s %s[%lld], but it has %zu elements of %u bytes", verb(k),
                              al.name.c_str(), index, al.size / size, size);
                if (al.size % size)
                    what += format(" and %zu bytes", al.size % size);
            }
        }
    }
    report_fault(t, cudaErrorIllegalAddress, pc, what, hint);
}

__attribute__((noinline))
static void fault_bounds(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    report_bounds(t, a, size, k, pc);
    leave_kernel();
}

/* One flag per word of the __constant__ variables without an initial value: the host has written there. */
static std::vector<bool> &given_constants()
{
    static auto &words = *new std::vector<bool>((&__stop_simt_unset_constant - &__start_simt_unset_constant) / 4 + 1);
    return words;
}

void constant_given(const void *variable, size_t bytes)
{
    const uintptr_t a = (uintptr_t)variable - (uintptr_t)&__start_simt_unset_constant;
    if (is_unset_constant((uintptr_t)variable))
        for (size_t word = a / 4; word < std::min((a + bytes + 3) / 4, given_constants().size()); ++word)
            given_constants()[word] = true;
}

/* Such a variable begins as 0.  If a kernel reads 0 and the host has written nothing, the program has probably
   forgotten the copy. */
void check_constant(Thread *t, uintptr_t a, unsigned size, uintptr_t pc)
{
    if (given_constants()[(a - (uintptr_t)&__start_simt_unset_constant) / 4] || said_before(pc))
        return;
    const char *bytes = (const char *)a;
    if (std::all_of(bytes, bytes + size, [](char c) { return c == 0; }))
        pass(t, HINT, pc, format("reads %s, a __constant__ variable that was never written: it is 0",
                                 place_in_memory(a, size).c_str()),
             "cudaMemcpyToSymbol before the launch, with as many bytes as the kernel reads: n * sizeof(T)");
}

void fault_constant(Thread *t, unsigned size, uintptr_t pc)
{
    fault(t, cudaErrorIllegalAddress, pc, format("constant memory: writes %u bytes of a __constant__ variable", size),
          "a kernel only reads it; the host writes it, with cudaMemcpyToSymbol");
}

static std::string null_text(uintptr_t a, unsigned size, AccessKind k)
{
    const long long index = (long long)a / (long long)size;
    return format("null pointer: %s %u bytes at %p", verb(k), size, (void *)a) +
           (index ? format(", index %lld", index) : "");
}

void fault_outside(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    if (a < 65536 || -a <= 65536)
        fault(t, cudaErrorIllegalAddress, pc, null_text(a, size, k),
              a >= 65536 ? "is the buffer empty?  cudaMalloc of 0 bytes gives NULL" :
              hint_at((void *)a, "was cudaMalloc checked?  is the pointer passed in the right place?"));
    const Block *b = t->block;
    for (uint32_t id = 0; id < b->n_threads; ++id) {
        const Carrier *c = b->threads[id].carrier;
        if (c && a >= (uintptr_t)c->low && a < (uintptr_t)c->high)
            fault(t, cudaErrorIllegalAddress, pc, format("%s %u bytes of a local variable of %s", verb(k), size,
                                                         thread_name(b, id).c_str()),
                  "local variables have an address for their own thread alone: use __shared__, or a shuffle");
    }
    fault(t, cudaErrorIllegalAddress, pc, format("not device memory: %s %u bytes at %p", verb(k), size, (void *)a),
          std::string("a kernel can use memory from cudaMalloc, __shared__ and __device__ variables, not the host's") +
              (a >= (uintptr_t)&__data_start && a < (uintptr_t)&_end
                   ? "; a variable template is the host's here, whatever stands before it" : ""));
}

void has_ended(Thread *t, unsigned size, AccessKind k, uintptr_t pc)
{
    const char *hint = "a local variable exists until its function returns: do not use its address after that";
    if (settings.lenient && said_before(pc))
        return;
    const std::string what =
        format("%s %u bytes of a local variable whose function or thread has ended", verb(k), size);
    if (settings.lenient)
        return pass(t, ERROR, pc, what, hint);
    fault(t, cudaErrorIllegalAddress, pc, what, hint);
}

/* For reads of textures in device memory: they are checked for bounds only. */
void check_exists(Thread *t, uintptr_t a, size_t bytes, uintptr_t pc)
{
    if (!unchecked() && heap.contains(a) && !(heap.state[(a - heap.base) >> 2] >> 4 >> (a & 3) & 1))
        fault_bounds(t, a, (unsigned)bytes, READ, pc);
}

/*
 * Whether the uninitialised bytes at `a` may be padding of the structs that begin at `from`.  Padding follows a member
 * and ends at a multiple of an alignment that is larger than the padding, to which the structs are aligned, too.
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
