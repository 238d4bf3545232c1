/*
 * barrier.cpp - opens a block's barrier when all threads have arrived; reports threads that are missing there, wait at
 * another barrier, or wait forever.  A thread arrives in barrier_at() of scheduler.cpp.
 */
#include <algorithm>
#include <cstring>
#include "internal.hpp"

namespace simt {

/* Returns whether a block waits in an endless loop with a barrier: if no thread writes to memory for many barriers.
   (Without this test such threads would take minutes to reach their step limit.)  After 4096 barriers the block's
   writes are watched, which is slower, until there is one. */
static bool waits_forever(Block *b)
{
    const uint32_t before_a_look = 4096, most = 1 << 18, most_of_all = 1 << 26;
    ++b->met;
    if (b->watched ? b->wrote : b->met >= before_a_look) {
        b->watched = !b->watched;
        b->quick = !b->watched && glances_do(b);
        b->wrote = false;
        b->met = 0;
    }
    return b->watched && b->met >= most && (uint64_t)b->met * b->n_threads >= most_of_all;
}

/* Returns the first thread that waits at the barrier. */
static Thread *first_waiting(Block *b)
{
    uint32_t first = 0;
    while (b->threads[first].warp->done >> b->threads[first].lane & 1)
        ++first;
    return &b->threads[first];
}

/* Reports that some threads have returned while the others wait at a barrier.  Returns true after a fault. */
static bool report_skipped(Block *b)
{
    const Thread *gone = &b->threads[b->n_threads - 1];
    for (const Thread *t = gone; t >= b->threads; --t)
        if (t->warp->done >> t->lane & 1)
            gone = t;
    Thread *waiting = first_waiting(b);
    const std::string what =
        format("barrier skipped: %u of %u threads wait in __syncthreads, %u have returned without it, e.g. %s",
               b->n_live, b->n_threads, b->n_threads - b->n_live, thread_name(b, gone->id).c_str());
    const char *hint = "every thread of the block must reach the barrier: no return or branch around it";
    if (!settings.lenient) {
        report_fault(waiting, cudaErrorLaunchFailure, waiting->wait_pc, what, hint);
        return true;
    }
    /* Since Volta a GPU counts threads that have returned as arrived, so this is an error only if the others wait at
       different barriers. */
    if (b->met_apart)           /* reported at pc - 1, because pc itself has been reported */
        pass(waiting, ERROR, waiting->wait_pc - 1, what, hint);
    return false;
}

/* Returns whether two program points are one barrier of the source, of which the compiler may make copies.  Two places
   in the source, or two calls of the function that contains it, are two barriers. */
static bool same_barrier(uintptr_t a, uintptr_t b)
{
    if (a == b)
        return true;
    const Place x = place_of(short_pc(a)), y = place_of(short_pc(b));
    return x.file == y.file && x.line == y.line && x.column == y.column && x.calls == y.calls;
}

/* Returns the text of a report: thread t waits at pc, and `other` at another barrier. */
static std::string divergence(const Thread *t, uintptr_t pc, uint32_t other)
{
    const Block *b = t->block;
    std::string there = at_line(short_pc(b->threads[other].wait_pc));
    if (at_line(short_pc(pc)) == there)
        there += " too, by another call or branch";
    return format("barrier in divergent code: this thread waits in one __syncthreads while %s waits in another, at %s",
                  thread_name(b, other).c_str(), there.c_str());
}

/* Reports that thread t has arrived at another barrier than the first waiting thread.  Returns true after a fault. */
__attribute__((noinline))
bool report_divergence(Thread *t, uintptr_t pc)
{
    Block *b = t->block;
    if (settings.lenient) {     /* whether it is an error is known when all threads have arrived */
        if (!b->apart && !said_before(pc) && !same_barrier(pc, b->barrier_pc))
            b->apart = t->id + 1;
        return false;
    }
    if (same_barrier(pc, b->barrier_pc))
        return false;
    uint32_t other = 0;
    while (!(b->threads[other].warp->at_barrier >> b->threads[other].lane & 1))
        ++other;
    report_fault(t, cudaErrorLaunchFailure, pc, divergence(t, pc, other),
                 "all threads of a block must wait in the same barrier: move it out of the branch or loop");
    return true;
}

/* Called when all threads have arrived, but at several barriers.  A GPU counts warps, at whichever barrier they arrive.
   So the kernel continues as intended if all lanes of each warp are at one barrier, although CUDA C++ does not promise
   it. */
static void pass_divergence(Block *b)
{
    Thread *t = &b->threads[b->apart - 1];
    const Thread *other = nullptr, *before = nullptr;
    bool whole = true;
    b->apart = 0;
    for (uint32_t id = 0; id < b->n_threads; ++id) {
        const Thread *here = &b->threads[id];
        if (here->warp->done >> here->lane & 1)
            continue;
        if (before && before->warp == here->warp)
            whole = whole && same_barrier(before->wait_pc, here->wait_pc);
        if (!other && !same_barrier(t->wait_pc, here->wait_pc))
            other = here;
        before = here;
    }
    b->met_apart |= other != nullptr;
    if (other)
        pass(t, whole ? WARNING : ERROR, t->wait_pc, divergence(t, t->wait_pc, other->id),
             whole ? "a GPU counts warps, at whichever barrier they arrive; a barrier with a number (bar.sync) says so"
                   : "all threads of a block must wait in the same barrier: move it out of the branch or loop");
}

/* Opens the barrier when all threads of the block that have not returned wait.  Returns false after a fault. */
bool open_barrier(Block *b)
{
    if (!unchecked() && waits_forever(b)) {
        report_fault(first_waiting(b), cudaErrorLaunchTimeout, b->barrier_pc,
                     format("endless loop: the block has met here %u times without writing anything",
                            b->met),
                     "check the exit condition of the loop, and which thread should write what it reads");
        return false;
    }
    settle_one_stores(b);
    if (settings.lenient)
        settle(b->shared.base, b->shared.size, false);
    if (b->apart)
        pass_divergence(b);
    if (b->n_live < b->n_threads && (b->launch->checks & SIMT_CHECK_BARRIERS) && report_skipped(b))
        return false;
    new_epoch(b);
    b->barrier_epoch = b->epoch;
    if (b->fenced_since_barrier) {
        b->fence_cover = b->epoch;
        b->fenced_since_barrier = false;
    }
    for (uint32_t i = 0; i < b->n_warps; ++i) {
        Warp *w = &b->warps[i];
        if (!w->at_barrier)
            continue;
        fold_warp(b, w);
        joins_end(b, w);
        if (b->way)
            way_mark(b, w, SIMT_BARRIER, b->barrier_pc, w->at_barrier);
        w->ready = w->at_barrier;
        w->at_barrier = 0;
        b->warps_to_run |= 1u << i;
        if (w->synced) {
            memset(w->clock, 0, sizeof w->clock);
            memset(w->read_before, 0, sizeof w->read_before);
            w->synced = w->met = false;
            for (uint32_t id = w->first; id < w->first + WARP && id < b->n_threads; ++id) {
                b->threads[id].tag = (uint64_t)id << 22;
                b->threads[id].synced = false;
            }
        }
    }
    if (b->launch->turns) {     /* all leave the barrier at the same time */
        uint64_t latest = 0;
        for (uint32_t i = 0; i < b->n_warps; ++i)
            latest = std::max(latest, b->warps[i].requests + b->warps[i].waited);
        for (uint32_t i = 0; i < b->n_warps; ++i)
            b->warps[i].waited = latest - b->warps[i].requests;
    }
    b->barrier_result = b->barrier_sum;
    b->barrier_sum = 0;
    b->n_at_barrier = 0;
    return true;
}

/* Reports that no thread can run and none polls: some lanes wait for lanes that will never arrive. */
void report_stuck(Block *b)
{
    for (uint32_t i = 0; i < b->n_warps; ++i)
        if (b->warps[i].at_op) {
            report_missing_lanes(b, &b->warps[i]);
            return;
        }
}

} // namespace simt
