/*
 * races.cpp - the report of a race: which thread accessed the word before, where, and what would order the two
 * accesses.
 */
#include "races.hpp"

namespace simt {

static std::string block_name(const Launch *l, uint32_t n)
{ return format("block (%u,%u,%u)", n % l->grid.x, n / l->grid.x % l->grid.y, n / l->grid.x / l->grid.y); }

/* Returns whether the race is between a plain read and an atomic: on a GPU such a read may return an old value. */
static bool beside_atomics(AccessKind k, uint64_t tag, bool wrote)
{ return (k == READ && wrote && flags_of(tag)) || (k == ATOMIC && !wrote); }

static bool same_place(uint32_t pc, uint32_t other)
{
    const Place p = place_of(pc), q = place_of(other);
    return p.line && p.line == q.line && p.column == q.column && p.file == q.file;
}

/*
 * Returns the hint for races in which several threads execute one statement on one element: each reads and rewrites it
 * (the writer has read it at this place of the source), or each stores to it.  A barrier would not help there.  NULL
 * for other races.
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

/* Returns whether the word was read before its first write.  Then that read did not get the value that is written
   now. */
template <Space S> static bool was_read_unset(const Thread *t, uintptr_t a)
{
    Launch *l = t->block->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    return l->read_unset.count({S == GLOBAL ? 0 : t->block->linear + 1, a & ~(uintptr_t)3}) != 0;
}

/* Returns whether lanes of a warp store to one address in one instruction: a GPU then performs one of the stores. */
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
        when = ", before this block read it at ";
        hint = between_blocks;
    } else if (S == SHARED || is_own_block(t, tag)) {
        bool same_warp = thread_of(tag) / WARP == t->id / WARP && readers != SEVERAL_WARPS;
        who = thread_of(tag) == t->id ? "another thread"
                                      : thread_name(b, thread_of(tag)) + (same_warp ? " of the same warp" : "");
        if (thread_of(tag) == t->id)
            when = ", before this thread read it at ";
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
__attribute__((noinline)) void race(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag,
                                    uint32_t other_pc, bool wrote, uintptr_t pc, const Reader &before)
{
    if (settings.lenient && (said_before(pc) || has_enough_words(pc)))     /* making a text is slow */
        return;
    report_race<S>(t, a, size, k, tag, other_pc, wrote, before, pc);
    if (!settings.lenient && !is_one_store<S>(t, k, tag, other_pc, wrote, pc))
        leave_kernel();
    if (k == WRITE)
        new_epoch(t->block);    /* so that the thread's next access gets the full check: seen_again() */
}

template void race<GLOBAL>(Thread *, uintptr_t, unsigned, AccessKind, uint64_t, uint32_t, bool, uintptr_t,
                           const Reader &);
template void race<SHARED>(Thread *, uintptr_t, unsigned, AccessKind, uint64_t, uint32_t, bool, uintptr_t,
                           const Reader &);
template void race<CLUSTER>(Thread *, uintptr_t, unsigned, AccessKind, uint64_t, uint32_t, bool, uintptr_t,
                            const Reader &);

/* Returns whether the thread that launched this kernel left the mark after the launch. */
static bool is_after_launch(const Launch *l, uint64_t tag)
{
    const Parent &p = l->parent;
    const uint32_t *block = epoch_owner(epoch_of(tag));
    return p.epoch && epoch_of(tag) >= p.epoch && thread_of(tag) == p.thread && block && *block == p.block &&
           order_is(p.order, epoch_of(tag));
}

/* Reports a race with an operation in another stream, which left the mark `tag` and may run at the same time. */
__attribute__((noinline)) void race_of_streams(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag,
                                               uint32_t other_pc, bool wrote, uintptr_t pc)
{
    {
        const char *const did = !wrote ? "reads" : flags_of(tag) ? "updates (atomic)" : "writes";
        const bool launched = is_after_launch(t->block->launch, tag);
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
__attribute__((noinline)) void not_waited_for(Thread *t, uintptr_t a, unsigned size, AccessKind k, uint64_t tag,
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

} // namespace simt
