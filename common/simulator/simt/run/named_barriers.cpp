/*
 * named_barriers.cpp - the barriers of PTX: bar.sync and bar.arrive with a number and a count of threads.
 *
 * A phase ends when the expected number of threads has arrived; bar.arrive does not wait.  The barrier orders accesses
 * like a flag in shared memory: each arrival is a release, and each wait acquires all arrivals of its phase.
 */
#include <algorithm>
#include "internal.hpp"

namespace simt {

/* Returns how many lanes the last warp of a block lacks.  They count as arrived because a GPU counts whole warps. */
static uint32_t missing_lanes(const Thread *t)
{ return t->lane == 0 ? WARP - (uint32_t)__builtin_popcount(t->warp->exist) : 0; }

static NamedBarrier &barrier_of(Thread *t, unsigned id, unsigned count, uintptr_t pc)
{
    Block *b = t->block;
    if (id >= NAMED_BARRIERS || count == 0 || count % WARP != 0 || count > b->n_warps * WARP)
        fault(t, cudaErrorLaunchFailure, pc,
              format("barrier %u of %u threads, in a block of %u", id, count, b->n_threads),
              "there are barriers 0 to 15; the count is a multiple of the warp size, and not more than the block has");
    NamedBarrier &n = b->named[id];
    if (!(b->named_used >> id & 1))
        n = {};
    b->named_used |= (uint16_t)(1u << id);
    if (n.arrived == 0)
        n.expected = count;
    else if (n.expected != count)
        fault(t, cudaErrorLaunchFailure, pc,
              format("barrier %u is for %u threads here, and others that wait for it expect %u", id, count, n.expected),
              "all that use a barrier at one time must name the same count");
    return n;
}

static void open(Block *b, NamedBarrier &n)
{
    n.result = n.sum;
    n.sum = 0;
    n.arrived = 0;
    n.opened = b->launch->clock.fetch_add(1) + 1;
    ++n.phase;
    b->launch->progress.fetch_add(1, std::memory_order_relaxed);
}

static void wait_for(Thread *t, const NamedBarrier &n, uint32_t phase, uintptr_t pc)
{
    t->wait_pc = pc;
    while (n.phase == phase) {
        if (t->block->launch->aborted.load(std::memory_order_relaxed))
            leave_kernel();
        if (!unchecked())
            note_polled_value(t, (uintptr_t)&n.phase, phase, false, pc);
        else
            spin_here(t);
    }
    t->acquired = std::max(t->acquired, n.opened);
}

} // namespace simt

using namespace simt;

int simt_named_barrier(unsigned id, unsigned count, int predicate, int waits)
{
    Thread *t = current;
    Block *b = t->block;
    const uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    const uint32_t all = b->n_warps * WARP;
    if (count == 0)
        count = all;
    if (id == 0 && count == all && waits)
        return barrier_at(predicate, pc);
    NamedBarrier &n = barrier_of(t, id, count, pc);
    const uint32_t phase = n.phase;
    if (!unchecked()) {
        simt_fence(0);
        release(t);
    }
    n.sum += predicate;
    n.arrived += 1 + missing_lanes(t);
    if (n.arrived >= n.expected)
        open(b, n);
    if (waits)
        wait_for(t, n, phase, pc);
    return n.result;
}
