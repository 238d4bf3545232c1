/*
 * scheduler.cpp - one fiber per CUDA thread; chooses the fiber that runs next.
 *
 * A block runs on one OS thread.  A lane runs until it has to wait or returns; then the
 * next lane of its warp runs, and control passes directly from fiber to fiber.  When no
 * lane of the warp can run, complete shuffle groups continue (warp_ops.cpp), then the
 * next warp runs, then the barrier opens.  The next new lane uses the stack of a lane that
 * has returned, so a kernel that never waits is a plain loop over its threads.
 */
#include "internal.hpp"

namespace simt {

__thread Worker *worker;
__thread Thread *current;
__thread bool counting;

/* Continues thread t and stores the context of the running fiber in *save. */
static inline void run_thread(Thread *t, Suspended *save)
{
    if (__builtin_expect(!t->carrier, 0)) {
        t->carrier = carrier_take(worker);
        t->context = t->carrier->context;
    }
    current = t;
    switch_to(t->context, save);
}

static inline void run_scheduler(Suspended *save)
{
    current = nullptr;
    switch_to(worker->main_context, save);
}

/* Returns the number of the first set bit of `mask`, searching from bit `rotation` on. */
static uint32_t first_from(uint32_t mask, uint32_t rotation)
{
    if (rotation == 0)
        return __builtin_ctz(mask);
    uint32_t turned = mask >> rotation | (uint32_t)((uint64_t)mask << (32 - rotation));
    return (__builtin_ctz(turned) + rotation) & 31;
}

/* The stacks of a block do not fit into the L1 cache.  For a thread that will continue soon, this prefetches the part
   of its stack that the return to the kernel reads. */
static inline void fetch_stack(const Thread *t)
{
    for (int i = 0; i < 4; ++i)
        __builtin_prefetch((const char *)t->context + 64 * i);
}

/* Takes the next lane of the warp that can run, and removes it from its mask; NULL if no lane can run. */
static inline Thread *next_lane(Block *b, Warp *w)
{
    uint32_t m = w->ready | w->fresh;
    if (!m)
        return nullptr;
    uint32_t lane = first_from(m, b->lane_rotation);
    w->ready &= ~(1u << lane);
    w->fresh &= ~(1u << lane);
    if (uint32_t left = w->ready & -(2u << lane))
        fetch_stack(&b->threads[w->first + __builtin_ctz(left)]);
    return &b->threads[w->first + lane];
}

/* Returns the next thread of the block; NULL if the block has ended, only polls, or has had a fault. */
__attribute__((noinline))
static Thread *next_thread(Block *b)
{
    for (;;) {
        Warp *w = &b->warps[b->current_warp];
        if (Thread *t = next_lane(b, w))
            return t;
        if (b->launch->aborted.load(std::memory_order_relaxed))
            return nullptr;
        if (w->at_op && resolve_warp(b, w))
            continue;
        if (w->full) {      /* lanes whose traces are full: these must be merged first */
            fold_warp(b, w, w->full);
            w->ready = w->full;
            w->full = 0;
            continue;
        }
        b->warps_to_run &= ~(1u << b->current_warp);
        if (b->warps_to_run) {
            b->current_warp = first_from(b->warps_to_run, b->warp_rotation);
            continue;
        }
        if (b->n_live == 0)
            return nullptr;
        if (b->n_at_barrier == b->n_live) {
            if (!open_barrier(b))
                return nullptr;
            continue;
        }
        for (uint32_t i = 0; i < b->n_warps; ++i)
            if (b->warps[i].spinning)
                return nullptr;
        report_stuck(b);
        return nullptr;
    }
}

static inline Thread *pick_next(Block *b, Warp *w)
{
    Thread *t = next_lane(b, w);
    return t ? t : next_thread(b);
}

/* Kept short, because every switch between fibers touches its stack frame. */
static inline void let_others_run(Thread *t)
{
    Thread *next = pick_next(t->block, t->warp);
    if (next == t)
        return;
    if (next)
        run_thread(next, &t->context);
    else
        run_scheduler(&t->context);
}

void wait_here(Thread *t) { let_others_run(t); }

void spin_here(Thread *t)
{
    ++t->spin_yields;
    t->warp->spinning |= 1u << t->lane;
    let_others_run(t);
}

void leave_kernel()
{
    static thread_local Suspended dropped;
    unlock_location();
    run_scheduler(&dropped);
    abort();    /* not reached */
}

void carrier_main()
{
    for (;;) {
        Thread *t = current;
        Block *b = t->block;
        Warp *w = t->warp;
        Carrier *c = t->carrier;
        c->limit = (uintptr_t)__builtin_frame_address(0);
        b->launch->call(b->launch->args);
        t = current;            /* reload it: the kernel may have changed any register */
        b = t->block;
        w = t->warp;
        c = t->carrier;
        t->carrier = nullptr;
        --b->n_live;
        w->done |= 1u << t->lane;
        if (w->done == w->exist)
            fold_warp(b, w);
        if (b->cluster)
            cluster_thread_over(t);
        if (t->copies)
            async_forget(t);
        Thread *next = pick_next(b, w);
        if (next && !next->carrier) {
            next->carrier = c;
            current = next;
            continue;
        }
        worker->idle.push_back(c);
        if (next)
            run_thread(next, &c->context);
        else
            run_scheduler(&c->context);
    }
}

/* Returns the time of the waiting warp that has executed the fewest memory instructions; *warp gets its number. */
uint64_t block_turn(const Block *b, uint32_t *warp)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < b->n_warps; ++i)
        if (b->warps[i].spinning && b->warps[i].requests + b->warps[i].waited < least) {
            least = b->warps[i].requests + b->warps[i].waited;
            *warp = i;
        }
    return least;
}

BlockState block_run(Block *b)
{
    uint32_t first = 0, end = b->n_warps;
    if (b->launch->turns && block_turn(b, &first) != UINT64_MAX) {
        end = first + 1;
        ++b->warps[first].waited;
    }
    for (uint32_t i = first; i < end; ++i)
        if (b->warps[i].spinning) {
            b->warps[i].ready |= b->warps[i].spinning;
            b->warps[i].spinning = 0;
            b->warps_to_run |= 1u << i;
        }
    if (Thread *t = next_thread(b))
        run_thread(t, &worker->main_context);
    if (b->launch->aborted.load(std::memory_order_relaxed))
        return BLOCK_ABORTED;
    return b->n_live == 0 ? BLOCK_DONE : BLOCK_SPINS;
}

} // namespace simt

using namespace simt;

int simt_barrier(int predicate) { return barrier_at(predicate, (uintptr_t)__builtin_return_address(0)); }

int simt::barrier_at(int predicate, uintptr_t pc)
{
    Thread *t = current;
    Block *b = t->block;
    if (--t->fuel == 0)
        out_of_fuel(t, pc);
    if (b->n_at_barrier == 0)
        b->barrier_pc = pc;
    else if (pc != b->barrier_pc && (b->launch->checks & SIMT_CHECK_BARRIERS) && report_divergence(t, pc))
        leave_kernel();
    if (counting)
        film_leave(t, pc, BARRIER, 0, 0);
    b->barrier_sum += predicate;
    ++b->n_at_barrier;
    t->wait_pc = pc;
    t->warp->at_barrier |= 1u << t->lane;
    let_others_run(t);
    return b->barrier_result;
}

int simt_in_kernel(void) { return current != nullptr; }
const uint3 simt_thread_idx(void) { return current->index; }
const uint3 simt_block_idx(void) { return current->block->index; }
const uint3 simt_block_dim(void) { return current->block->launch->block; }
const uint3 simt_grid_dim(void) { return current->block->launch->grid; }
int simt_lane(void) { return (int)current->lane; }
unsigned simt_carry(void) { return current->carry; }
void simt_set_carry(unsigned carry) { current->carry = carry; }
void simt_nanosleep(void) { spin_here(current); }
