/*
 * async_copies.cpp - asynchronous copies into shared memory: cp.async, memcpy_async.
 *
 * A copy is done at once, and its words are marked until its thread waits for it; an access to a marked word is
 * reported.  The wait turns the mark into that of a write by the waiting thread, so other threads need a barrier after
 * the wait.
 */
#include "check/glance.hpp"
#include "internal.hpp"

namespace simt {

/* A copy for which its thread has not waited.  by: the barrier or pipeline that completes it; NULL: a commit does. */
struct AsyncCopy { uintptr_t to; size_t bytes; uint32_t commit; const void *by; };
struct AsyncCopies {
    std::vector<AsyncCopy> under_way;
    uint32_t commits = 0;
};

/* Calls f(cell, mask of the bytes of its word) for all words of the copy. */
template <class F> static void each_word(const Thread *t, const AsyncCopy &c, F f)
{
    const Region &r = t->block->shared;
    for (uintptr_t a = c.to & ~(uintptr_t)3; a < c.to + c.bytes; a += 4) {
        const uintptr_t from = a < c.to ? c.to : a, end = a + 4 < c.to + c.bytes ? a + 4 : c.to + c.bytes;
        f(r.cells[(a - r.base) / 4], (uint64_t)((1u << (end - from)) - 1) << (from - a));
    }
}

static void is_there(const Thread *t, const AsyncCopy &c)
{
    each_word(t, c, [t](Cell &cell, uint64_t bytes) {
        if (epoch_of(cell.write) == UNDER_WAY && thread_of(cell.write) == t->id)
            cell.write = t->block->epoch << 32 | t->tag | bytes << 2;
    });
}

/* Completes the copies for which is_it(copy) returns true: their words count as written by the thread. */
template <class F> static void done_if(Thread *t, F is_it)
{
    AsyncCopies *all = t->copies;
    if (!all)
        return;
    size_t kept = 0;
    for (const AsyncCopy &c : all->under_way)
        if (is_it(c))
            is_there(t, c);
        else
            all->under_way[kept++] = c;
    all->under_way.resize(kept);
}

void async_forget(Thread *t)
{
    done_if(t, [](const AsyncCopy &) { return true; });
    delete t->copies;
    t->copies = nullptr;
}

} // namespace simt

using namespace simt;

void simt_async_begin(const void *to, size_t bytes, const void *by)
{
    Thread *t = current;
    if (unchecked() || bytes == 0 || !t->block->shared.contains((uintptr_t)to))
        return;
    if (!t->copies)
        t->copies = new AsyncCopies;
    const AsyncCopy c = {(uintptr_t)to, bytes, t->copies->commits, by};
    t->copies->under_way.push_back(c);
    const uint32_t pc = short_pc((uintptr_t)__builtin_return_address(0));
    each_word(t, c, [=](Cell &cell, uint64_t of_word) {
        cell.write = (uint64_t)UNDER_WAY << 32 | t->tag | of_word << 2;
        cell.write_pc = pc;
    });
}

void simt_async_commit(void)
{
    if (current->copies)
        ++current->copies->commits;
}

void simt_async_wait(unsigned prior)
{
    const AsyncCopies *all = current->copies;
    if (all && all->commits >= prior)
        done_if(current, [=](const AsyncCopy &c) { return !c.by && c.commit < all->commits - prior; });
}

void simt_async_done(const void *by)
{
    done_if(current, [=](const AsyncCopy &c) { return c.by == by; });
}
