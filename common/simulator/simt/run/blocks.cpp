/*
 * blocks.cpp - the start and the end of a block.
 */
#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include "internal.hpp"

namespace simt {

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

/* Derives from the launch's seed which lane and which warp run first. */
static void draw_order(Block *b, const Launch *l)
{
    uint64_t r = l->seed ? mix(l->seed * 0x100000001b3ull + b->linear) : 0;
    b->lane_rotation = r & 31;
    b->warp_rotation = (r >> 8) % b->n_warps;
    b->current_warp = b->warp_rotation;
    b->warps_to_run = b->n_warps == 32 ? ~0u : (1u << b->n_warps) - 1;
}

/* Prepares shared memory at the start of a block: removes the variables of the block before, makes dynamic memory
   exist, and marks all of it as uninitialised. */
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

/* Sets the members that are the same for this thread in all blocks of one shape. */
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

/* Resets the members that record what a thread has done. */
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

/* Returns the threadIdx after this one. */
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

/* Returns whether the quick checks (glance.hpp) suffice: all checks are on, and no untrusted code or cluster needs
   more. */
bool glances_do(const Block *b)
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
    if (b->launch->film) /* the film also shows the steps before the fault */
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

} // namespace simt
