/*
 * scheduler.cpp - one fiber per CUDA thread; chooses the fiber that runs next.
 *
 * A block runs on one OS thread.  A lane runs until it has to wait or returns; then the
 * next lane of its warp runs, and control passes directly from fiber to fiber.  When no
 * lane of the warp can run, complete shuffle groups continue (warp_ops.cpp), then the
 * next warp runs, then the barrier opens.  A lane that returns leaves its stack to the
 * next new lane, so a kernel that never waits is a plain loop over its threads.
 */
#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include "internal.hpp"

namespace simt {

__thread Worker *worker;
__thread Thread *current;
__thread bool counting;

/* ---- epochs: the execution of a block between two barriers or fences is an epoch, with its own number ---- */

static std::atomic<uint64_t> next_epoch{1};
enum { BATCH = 256 };
static const uint64_t OWNERS = 1ull << 26;      /* the number of epochs whose block is remembered */
static uint32_t *owners = static_cast<uint32_t *>(reserve(OWNERS * sizeof(uint32_t)));

/* Returns the first epoch of a new launch.  *wrapped: the numbers start over, so the caller must clear all tags. */
uint64_t first_epoch_of_launch(uint64_t blocks, bool *wrapped)
{
    static uint64_t kept;
    if (!owners)
        give_up("address space for the owners of epochs");
    *wrapped = next_epoch + blocks + (1u << 30) > UINT32_MAX;   /* room for barriers */
    if (*wrapped)
        next_epoch = 1;
    if (*wrapped || next_epoch - kept > 1 << 16) {  /* older epochs are no longer needed */
        madvise(owners, OWNERS * sizeof(uint32_t), MADV_DONTNEED);
        kept = next_epoch;
    }
    return next_epoch;
}

uint64_t epoch_of_copy() { return next_epoch.fetch_add(1); }

/* The block that had `epoch`; NULL: the epoch is so old that its block is forgotten. */
const uint32_t *epoch_owner(uint64_t epoch)
{ return epoch + OWNERS >= next_epoch.load(std::memory_order_relaxed) ? &owners[epoch % OWNERS] : nullptr; }

void new_epoch(Block *b)
{
    if (unchecked())
        return;                     /* unchecked: no marks hold epochs */
    Worker *w = b->worker;
    if (w->epoch_next == w->epoch_end) {
        w->epoch_next = next_epoch.fetch_add(BATCH);
        w->epoch_end = w->epoch_next + BATCH;
        if (w->epoch_end > UINT32_MAX)
            give_up("numbers for so many blocks and barriers in one launch");
        order_owns(b->launch->order, w->epoch_next, w->epoch_end);
    }
    b->epoch = w->epoch_next++;
    owners[b->epoch % OWNERS] = (uint32_t)b->linear;
}

/* ---- carriers: the stacks on which threads run ---- */

static void carrier_main();

static void carrier_reset(Carrier *c)
{
    c->context = place_new<carrier_main>(c->high - c->colour, c->high - c->colour - c->low);
}

/* The bytes of a thread's stack.  A GPU has up to 512 KiB of local memory per thread; cudaLimitStackSize may ask for
   more. */
static size_t stack_bytes()
{
    const size_t plain = 64 << 10;
    return plain + std::max<size_t>(512 << 10, (limit_of(cudaLimitStackSize) + 4095) & ~(size_t)4095);
}

/* An access to a large local array could jump over a guard of a few pages. */
size_t guard_bytes() { return 1 << 20; }

/* Guard pages: every access to them is a fault.  Since 6.13 Linux can make them without a mapping of their own for each
   stack.  A process may have 65530 mappings, but a GPU of 132 multiprocessors holds 270336 threads. */
enum { GUARD_INSTALL = 102, POPULATE_READ = 22 };       /* MADV_*: older headers of the C library lack them */

/* Whether Linux has such guards.  An emulator may accept any advice and do nothing, so the guard is tested by reading a
   page. */
static bool has_guards()
{
    const size_t bytes = (size_t)getpagesize();
    void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return false;
    const bool closed = madvise(p, bytes, GUARD_INSTALL) == 0 && madvise(p, bytes, POPULATE_READ) != 0;
    munmap(p, bytes);
    return closed;
}

static bool close_pages(char *p, size_t bytes)
{
    static const bool guards = has_guards();
    return (guards && madvise(p, bytes, GUARD_INSTALL) == 0) || mprotect(p, bytes, PROT_NONE) == 0;
}

static void carrier_make(Carrier *c)
{
    const size_t guard = guard_bytes(), stack = stack_bytes();
    char *p = static_cast<char *>(mmap(nullptr, guard + stack, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0));
    if (p == MAP_FAILED || !close_pages(p, guard))
        give_up("memory for another thread's stack");
    c->low = p + guard;
    c->high = c->low + stack;
    carrier_reset(c);
}

static void carrier_unmap(const Carrier *c)
{
    const size_t guard = guard_bytes();
    munmap(c->low - guard, c->high - c->low + guard);
}

static Carrier *carrier_take(Worker *w)
{
    if (w->idle.empty()) {
        Carrier *c = new Carrier;
        /* Stacks that all start at the same offset in a page would compete for the same few cache lines. */
        c->colour = w->carriers.size() % 32 * 192;
        carrier_make(c);
        w->carriers.push_back(c);
        w->idle.push_back(c);
    }
    Carrier *c = w->idle.back();
    w->idle.pop_back();
    if ((size_t)(c->high - c->low) < stack_bytes()) {   /* the limit has been raised */
        carrier_unmap(c);
        carrier_make(c);
    }
    return c;
}

void carrier_delete(Carrier *c)
{
    carrier_unmap(c);
    delete c;
}

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

/* ---- blocks ---- */

Block *block_new(Worker *w)
{
    if (!w->spare.empty()) {
        Block *b = w->spare.back();
        w->spare.pop_back();
        return b;
    }
    Block *b = static_cast<Block *>(calloc(1, sizeof(Block)));
    if (!b)
        give_up("memory for another block");
    new (&b->variables) std::vector<SharedVariable>();
    new (&b->shared) Region();
    b->worker = w;
    const size_t window = 4 << 20;
    char *p = static_cast<char *>(reserve(window));
    region_make(b->shared, (uintptr_t)p, window);
    if (!p || !b->shared.state || !b->shared.cells)
        give_up("address space for shared memory");
    b->shared_base = b->shared.base + window / 2;
    return b;
}

void block_delete(Block *b)
{
    for (Thread &t : b->threads)
        free(t.events);
    for (Warp &w : b->warps)
        joins_forget(&w);
    munmap((void *)b->shared.base, b->shared.size);
    munmap(b->shared.state, b->shared.size / 4);
    munmap(b->shared.cells, b->shared.size / 4 * sizeof(Cell));
    b->variables.~vector();
    free(b);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
    return x ^ x >> 32;
}

/* Chooses from the launch's seed which lane and which warp run first. */
static void draw_order(Block *b, const Launch *l)
{
    uint64_t r = l->seed ? mix(l->seed * 0x100000001b3ull + b->linear) : 0;
    b->lane_rotation = r & 31;
    b->warp_rotation = (r >> 8) % b->n_warps;
    b->current_warp = b->warp_rotation;
    b->warps_to_run = b->n_warps == 32 ? ~0u : (1u << b->n_warps) - 1;
}

/* Shared memory at the start of a block: the last block's variables are gone, dynamic memory exists, and nothing is
   initialised. */
static void shared_start(Block *b, const Launch *l)
{
    if (!unchecked()) {
        uint8_t *state = b->shared.state + (b->shared_base - b->shared.base) / 4;
        memset(state, 0, (b->shared_touched + 3) / 4);
        memset(state, 0xf0, l->dynamic_bytes / 4);
        if (l->dynamic_bytes % 4)
            state[l->dynamic_bytes / 4] = (uint8_t)(0xf0 >> (4 - l->dynamic_bytes % 4) & 0xf0);
    }
    b->variables.clear();
    b->shared_used = l->dynamic_bytes;
    b->shared_touched = l->dynamic_bytes + 4;
}

static void warp_start(Warp *w, uint32_t first, uint32_t lanes)
{
    w->first = first;
    w->exist = w->fresh = lanes == WARP ? ~0u : (1u << lanes) - 1;
    w->ready = w->at_barrier = w->at_op = w->spinning = w->full = w->done = 0;
    w->requests = w->waited = 0;
    w->basic_blocks = 0;
    if (w->synced || w->met) {
        memset(w->clock, 0, sizeof w->clock);
        memset(w->read_before, 0, sizeof w->read_before);
        w->synced = w->met = false;
    }
}

/* Sets what is the same for this thread in all blocks of one shape. */
static void thread_place(Thread *t, Block *b, Warp *w, uint32_t id, uint3 index)
{
    t->block = b;
    t->warp = w;
    t->carrier = nullptr;
    t->id = id;
    t->lane = id - w->first;
    t->index = index;
    t->fuel = 4096;
}

/* Resets what a thread has done. */
static void thread_start(Thread *t, uint32_t fuel)
{
    t->tag = (uint64_t)t->id << 22;
    t->fuel = fuel;
    t->steps = 0;
    t->fence_epoch = t->fence_cover = t->block_fence_epoch = t->acquired = 0;
    t->acquire_pending = false;
    t->active_mask = 0;
    t->last_op = t->read_unset = 0;
    t->spin_next = t->spin_count = t->spin_yields = 0;
    t->synced = false;
    t->n_events = t->folds = 0;
    t->last_node = 0;
}

/* The threadIdx after this one. */
static uint3 next_index(uint3 index, const Launch *l)
{
    if (++index.x < l->block.x)
        return index;
    index.x = 0;
    if (++index.y < l->block.y)
        return index;
    index.y = 0;
    ++index.z;
    return index;
}

/* Whether the quick checks (glance.hpp) suffice: all checks are on, and no untrusted code or cluster needs more. */
static bool glances_do(const Block *b)
{
    const unsigned all = SIMT_CHECK_EVERYTHING & ~SIMT_CHECK_EXACT_MASKS;
    return (b->launch->checks & all) == all && !confined && !b->cluster;
}

void block_start(Block *b, Launch *l, uint64_t linear)
{
    b->launch = l;
    b->over = l->over;
    b->alone = l->alone;
    b->quick = glances_do(b);
    b->wrote = b->watched = b->ended = false;
    b->met = 0;
    b->linear = linear;
    b->index = {(unsigned)(linear % l->grid.x), (unsigned)(linear / l->grid.x % l->grid.y),
                (unsigned)(linear / l->grid.x / l->grid.y)};
    b->n_threads = b->n_live = l->block.x * l->block.y * l->block.z;
    b->n_warps = (b->n_threads + WARP - 1) / WARP;
    b->n_at_barrier = 0;
    b->barrier_sum = 0;
    b->named_used = 0;
    b->apart = 0;
    b->met_apart = false;
    b->work = 0;
    draw_order(b, l);
    new_epoch(b);
    b->first_epoch = b->barrier_epoch = b->epoch;
    b->fence_cover = 0;
    b->fenced = b->fenced_since_barrier = false;
    b->acquired.store(0, std::memory_order_relaxed);
    b->acquire_pending.store(false, std::memory_order_relaxed);
    shared_start(b, l);

    for (uint32_t i = 0; i < b->n_warps; ++i)
        warp_start(&b->warps[i], i * WARP, std::min<uint32_t>(WARP, b->n_threads - i * WARP));
    if (memcmp(&b->shape, &l->block, sizeof b->shape) != 0) {
        uint3 index = {0, 0, 0};
        for (uint32_t id = 0; id < b->n_threads; ++id, index = next_index(index, l))
            thread_place(&b->threads[id], b, &b->warps[id / WARP], id, index);
        b->shape = l->block;
    }
    const uint32_t fuel = (uint32_t)std::min<uint64_t>(4096, l->step_limit);
    if (!unchecked())               /* unchecked threads keep no such state */
        for (uint32_t id = 0; id < b->n_threads; ++id)
            thread_start(&b->threads[id], fuel);
    way_block_start(b);
    if (b->cluster)
        cluster_begin(b);
}

void block_finish(Block *b)
{
    CountSink &s = b->worker->counts;
    if (counting) {
        for (uint32_t i = 0; i < b->n_warps; ++i) {
            uint64_t n = b->warps[i].requests;
            joins_end(b, &b->warps[i]);
            ++s.warps;
            s.warp_sum += n;
            s.warp_max = std::max(s.warp_max, n);
            b->work += n;
        }
        ++s.blocks;
        s.block_sum += b->work;
        s.block_max = std::max(s.block_max, b->work);
    }
    settle_one_stores(b);
    settle(b->shared.base, b->shared.size, true);
    if (settings.unread)
        keep_unread(b);
    way_block_finish(b);
    if (b->cluster)
        cluster_block_over(b);
    else
        b->worker->spare.push_back(b);
}

void block_abandon(Block *b)
{
    if (b->launch->film) /* the film also shows what led to the fault */
        for (uint32_t i = 0; i < b->n_warps; ++i)
            fold_warp(b, &b->warps[i]);
    for (uint32_t i = 0; i < b->n_threads; ++i)
        if (b->threads[i].copies)
            async_forget(&b->threads[i]);
    for (uint32_t i = 0; i < b->n_threads; ++i)
        if (Carrier *c = b->threads[i].carrier) {
            madvise(c->low, c->high - c->low - getpagesize(), MADV_DONTNEED);   /* a report needs much stack; free it */
            carrier_reset(c);
            b->worker->idle.push_back(c);
            b->threads[i].carrier = nullptr;
        }
    if (b->cluster)
        cluster_block_over(b);
    else
        b->worker->spare.push_back(b);
}

/* ---- the barrier ---- */

/* Whether a block waits in an endless loop with a barrier: it does if no thread writes anything for many barriers.
   (Without this test such threads would take minutes to reach their step limit.)  After 4096 barriers without a break
   the block's writes are watched, which is slower, until there is one. */
static bool waits_in_vain(Block *b)
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

/* The first thread that waits at the barrier. */
static Thread *first_waiting(Block *b)
{
    uint32_t first = 0;
    while (b->threads[first].warp->done >> b->threads[first].lane & 1)
        ++first;
    return &b->threads[first];
}

/* Reports that some threads have returned while the others wait at a barrier.  True after a fault. */
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
    if (b->met_apart)           /* at pc - 1, since pc itself has been reported */
        pass(waiting, ERROR, waiting->wait_pc - 1, what, hint);
    return false;
}

/* Whether two program points are one barrier of the source: the compiler may copy a barrier.  Two places in the source,
   or two calls of the function that contains it, are two barriers. */
static bool same_barrier(uintptr_t a, uintptr_t b)
{
    if (a == b)
        return true;
    const Place x = place_of(short_pc(a)), y = place_of(short_pc(b));
    return x.file == y.file && x.line == y.line && x.column == y.column && x.calls == y.calls;
}

/* The text of a report: thread t waits at pc, and `other` at another barrier. */
static std::string divergence(const Thread *t, uintptr_t pc, uint32_t other)
{
    const Block *b = t->block;
    std::string there = at_line(short_pc(b->threads[other].wait_pc));
    if (at_line(short_pc(pc)) == there)
        there += " too, by another call or branch";
    return format("barrier in divergent code: this thread waits in one __syncthreads while %s waits in another, at %s",
                  thread_name(b, other).c_str(), there.c_str());
}

/* Thread t has arrived at another barrier than the first waiting thread.  True after a fault. */
__attribute__((noinline))
static bool report_divergence(Thread *t, uintptr_t pc)
{
    Block *b = t->block;
    if (settings.lenient) {     /* error or warning?  known when all threads have arrived */
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

/* All threads have arrived, but at several barriers.  A GPU counts warps, at whichever barrier they arrive.  So the
   kernel continues as intended if all lanes of each warp are at one barrier, although CUDA C++ does not promise it. */
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

/* All threads of the block that have not returned wait: opens the barrier.  False after a fault. */
static bool open_barrier(Block *b)
{
    if (!unchecked() && waits_in_vain(b)) {
        report_fault(first_waiting(b), cudaErrorLaunchTimeout, b->barrier_pc,
                     format("endless loop: the block has met here %u times without writing anything",
                            b->met),
                     "does the loop's condition ever become false?  which thread should write what it reads?");
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

/* No thread can run and none polls: some lanes wait for lanes that will never arrive. */
static void report_stuck(Block *b)
{
    for (uint32_t i = 0; i < b->n_warps; ++i)
        if (b->warps[i].at_op) {
            report_missing_lanes(b, &b->warps[i]);
            return;
        }
}

/* ---- the choice of the next thread ---- */

/* The number of the first set bit of `mask`, searching from bit `rotation` on. */
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

/* The next thread of the block; NULL: the block has ended, only polls, or has had a fault. */
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
        if (w->full) {      /* their traces are full and must be folded first */
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

static void carrier_main()
{
    for (;;) {
        Thread *t = current;
        Block *b = t->block;
        Warp *w = t->warp;
        Carrier *c = t->carrier;
        c->limit = (uintptr_t)__builtin_frame_address(0);
        b->launch->call(b->launch->args);
        t = current;            /* reload: the kernel may have changed any register */
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

/* The time of the waiting warp that has executed the fewest memory instructions; *warp: its number. */
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
