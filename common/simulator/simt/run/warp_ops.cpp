/*
 * warp_ops.cpp - shuffles, votes, matches, warp reductions and __syncwarp.
 *
 * A lane that calls one of them stores its value and waits.  When no lane of the warp can
 * continue, every group whose lanes, as the mask names them, have all arrived gets its results.
 */
#include <algorithm>
#include "internal.hpp"

namespace simt {

static const char *const op_names[] = {
    "__syncwarp", "an operation on tiles", "__activemask", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
    "__shfl_xor_sync", "__ballot_sync", "__any_sync", "__all_sync", "__match_any_sync", "__match_all_sync", "__reduce_add_sync",
    "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync",
    "__reduce_or_sync", "__reduce_xor_sync"
};

const char *warp_op_name(int kind) { return op_names[kind]; }

/* Returns the lane from which this lane's shuffle reads. */
static uint32_t shuffle_source(int kind, uint32_t lane, uint32_t argument, uint32_t width)
{
    uint32_t low = lane & ~(width - 1), high = low + width - 1;
    switch (kind) {
    case SIMT_SHFL: return low + (argument & (width - 1));
    case SIMT_SHFL_UP: return argument <= lane - low ? lane - argument : lane;
    case SIMT_SHFL_DOWN: return argument <= high - lane ? lane + argument : lane;
    default: {
        /* xor may read from a lower segment, but not from a higher one. */
        uint32_t source = lane ^ (argument & 31);
        return source <= high ? source : lane;
    }
    }
}

static uint64_t combine(int kind, uint32_t a, uint32_t b)
{
    switch (kind) {
    case SIMT_REDUCE_ADD: return a + b;
    case SIMT_REDUCE_MIN: return a < b ? a : b;
    case SIMT_REDUCE_MAX: return a > b ? a : b;
    case SIMT_REDUCE_MIN_SIGNED: return (int32_t)a < (int32_t)b ? a : b;
    case SIMT_REDUCE_MAX_SIGNED: return (int32_t)a > (int32_t)b ? a : b;
    case SIMT_REDUCE_AND: return a & b;
    case SIMT_REDUCE_OR: return a | b;
    default: return a ^ b;
    }
}

/* Lanes that meet in a __syncwarp share their fences and acquires, so each lane gets those of all the others. */
static void share_fences(Thread *lanes, uint32_t group)
{
    uint64_t fence = 0, cover = 0, block_fence = 0, acquired = 0;
    bool pending = false;
    for (uint32_t m = group; m; m &= m - 1) {
        const Thread &t = lanes[__builtin_ctz(m)];
        fence = std::max(fence, t.fence_epoch);
        cover = std::max(cover, t.fence_cover);
        block_fence = std::max(block_fence, t.block_fence_epoch);
        acquired = std::max(acquired, t.acquired);
        pending |= t.acquire_pending;
    }
    for (uint32_t m = group; m; m &= m - 1) {
        Thread &t = lanes[__builtin_ctz(m)];
        t.fence_epoch = fence;
        t.fence_cover = cover;
        t.block_fence_epoch = block_fence;
        t.acquired = acquired;
        t.acquire_pending = pending;
    }
}

/* __syncwarp orders memory: each lane of `group` sees what the other lanes wrote before. */
static void order_memory(Warp *w, Thread *lanes, uint32_t group)
{
    if (unchecked())
        return;
    if (lanes->block->fenced)
        share_fences(lanes, group);
    uint16_t joined[WARP] = {};
    for (uint32_t m = group; m; m &= m - 1) {
        uint32_t lane = __builtin_ctz(m);
        uint16_t *row = w->clock[lane];
        if (row[lane] < UINT16_MAX) {
            ++row[lane];
            lanes[lane].tag += 1 << 6;
        }
        for (int i = 0; i < WARP; ++i)
            joined[i] = row[i] > joined[i] ? row[i] : joined[i];
    }
    for (uint32_t m = group; m; m &= m - 1)
        for (int i = 0; i < WARP; ++i)
            w->clock[__builtin_ctz(m)][i] = joined[i];
    if (!w->synced)
        for (uint32_t m = w->exist; m; m &= m - 1)
            lanes[__builtin_ctz(m)].synced = true;
    w->synced = true;
}

/* Reports a shuffle that reads from a lane that does not take part, so that the value is undefined.  If reports are
 * lenient, the mask may name lanes that have returned, and the program may discard the value: then the kernel continues
 * with the lane's own value, and this returns true.  Otherwise it is a fault. */
static bool read_absent_lane(const Warp *w, Thread *t, int kind)
{
    const bool exists = w->exist >> t->op_source & 1, named = t->op_mask >> t->op_source & 1;
    const bool gone = named && (!exists || (w->done >> t->op_source & 1));
    const std::string what =
        format("%s: lane %u reads from lane %u, which %s", op_names[kind], t->lane, t->op_source,
               !exists ? "does not exist in this block" : gone ? "has returned" : "does not take part");
    const std::string hint =
        format("the mask here is 0x%08x; %sgive the value of a lane that executes the shuffle", t->op_mask,
               !named ? "any value may come: if it is used, " : "");
    if (settings.lenient && (gone || !named)) {
        pass(t, gone ? ERROR : WARNING, t->wait_pc, what, hint);
        return true;
    }
    report_fault(t, cudaErrorLaunchFailure, t->wait_pc, what, hint);
    return false;
}

/* A shuffle or a vote orders no writes.  But each lane waits there for the values of the other lanes, so all their
   earlier reads have been done; a write after the shuffle cannot race with them. */
static void note_reads(Warp *w, Thread *lanes, uint32_t group)
{
    if (unchecked())
        return;
    for (uint32_t m = group; m; m &= m - 1) {
        const uint32_t lane = __builtin_ctz(m);
        uint16_t &own = w->clock[lane][lane];
        const bool counted = own < UINT16_MAX / 2;      /* __syncwarp uses the other half of the range */
        if (counted) {
            ++own;
            lanes[lane].tag += 1 << 6;
        }
        w->read_before[lane] = counted ? own : UINT16_MAX;
        w->met_there[lane] = group | w->done;
    }
    w->met = true;
}

/* Does the work that the lanes have prepared (a product of matrix tiles). */
static void work_together(const Thread *lanes, uint32_t group)
{
    const simt_part *all[WARP] = {};
    for (uint32_t m = group; m; m &= m - 1)
        all[__builtin_ctz(m)] = (const simt_part *)lanes[__builtin_ctz(m)].op_value;
    if (all[__builtin_ctz(group)])
        all[__builtin_ctz(group)]->work(all);
}

/* Each lane gets the mask of the lanes that have the same value. */
static void match_any(Thread *lanes, uint32_t group)
{
    for (uint32_t m = group; m; m &= m - 1) {
        Thread *t = &lanes[__builtin_ctz(m)];
        t->op_result = 0;
        for (uint32_t o = group; o; o &= o - 1)
            if (lanes[__builtin_ctz(o)].op_value == t->op_value)
                t->op_result |= 1u << __builtin_ctz(o);
    }
}

/* Gives each lane of `group` its result.  Returns false after a fault. */
static bool perform(Block *b, Warp *w, uint32_t group)
{
    Thread *lanes = &b->threads[w->first];
    int kind = lanes[__builtin_ctz(group)].op_kind;
    uint64_t all = kind == SIMT_REDUCE_AND || kind == SIMT_REDUCE_MIN ? ~0u
                 : kind == SIMT_REDUCE_MIN_SIGNED ? (uint32_t)INT32_MAX
                 : kind == SIMT_REDUCE_MAX_SIGNED ? (uint32_t)INT32_MIN : 0;
    uint32_t passed = 0;

    switch (kind) {
    case SIMT_TOGETHER:         /* on a GPU it orders no memory either */
        work_together(lanes, group);
        joins_end(b, w);
        return true;
    case SIMT_SYNCWARP:
        order_memory(w, lanes, group);
        joins_end(b, w);
        return true;
    case SIMT_SHFL: case SIMT_SHFL_UP: case SIMT_SHFL_DOWN: case SIMT_SHFL_XOR:
        for (uint32_t m = group; m; m &= m - 1) {
            Thread *t = &lanes[__builtin_ctz(m)];
            if (!(group >> t->op_source & 1) && (b->launch->checks & SIMT_CHECK_WARP_OPS)) {
                if (!read_absent_lane(w, t, kind))
                    return false;
                t->op_result = t->op_value;
                continue;
            }
            t->op_result = lanes[t->op_source].op_value;
        }
        return true;
    case SIMT_MATCH_ANY:
        match_any(lanes, group);
        return true;
    }
    for (uint32_t m = group; m; m &= m - 1) {
        Thread *t = &lanes[__builtin_ctz(m)];
        if (kind >= SIMT_REDUCE_ADD)
            all = combine(kind, (uint32_t)all, (uint32_t)t->op_value);
        else if (kind == SIMT_MATCH_ALL ? t->op_value == lanes[__builtin_ctz(group)].op_value : t->op_value != 0)
            passed |= 1u << t->lane;
    }
    switch (kind) {
    case SIMT_ACTIVEMASK:
        all = group;
        for (uint32_t m = group; m; m &= m - 1) { // op_value 1: called by cooperative groups
            Thread *t = &lanes[__builtin_ctz(m)];
            t->active_mask = group == w->exist || t->op_value ? 0 : group;
        }
        break;
    case SIMT_BALLOT: all = passed; break;
    case SIMT_ANY: all = passed != 0; break;
    case SIMT_ALL: all = passed == group; break;
    case SIMT_MATCH_ALL: all = passed == group ? group : 0; break;
    }
    for (uint32_t m = group; m; m &= m - 1)
        lanes[__builtin_ctz(m)].op_result = all;
    return true;
}

/* Returns the waiting lanes that execute the same operation as lane `t`, with the same mask. */
static uint32_t group_of(Block *b, Warp *w, const Thread *t)
{
    uint32_t group = 0;
    for (uint32_t m = w->at_op; m; m &= m - 1) {
        const Thread *o = &b->threads[w->first + __builtin_ctz(m)];
        if (o->op_kind == t->op_kind && o->op_mask == t->op_mask &&
            (t->op_kind != SIMT_ACTIVEMASK || o->wait_pc == t->wait_pc))
            group |= 1u << o->lane;
    }
    return group;
}

/* Returns the existing lanes for which the operation of `t` has to wait. */
static uint32_t wanted(const Block *b, const Warp *w, const Thread *t, uint32_t group)
{
    if (t->op_kind == SIMT_ACTIVEMASK)
        return group;
    uint32_t named = t->op_mask & w->exist;
    const unsigned exact = SIMT_CHECK_WARP_OPS | SIMT_CHECK_EXACT_MASKS;
    if (t->op_kind == SIMT_SYNCWARP || (b->launch->checks & exact) != exact)
        named &= ~w->done;      /* CUDA waits only for lanes that have not returned; the course requires exact masks */
    return named;
}

/* A lane that has returned need not arrive, even if the mask names it.  But if it executed this same operation with
   another mask before, the program is wrong: all lanes of a mask must call the operation with that mask.  Reports this
   and returns true. */
static bool used_other_mask(const Warp *w, const Thread *lanes, const Thread *t)
{
    for (uint32_t m = t->op_mask & w->done; m; m &= m - 1) {
        const Thread *o = &lanes[__builtin_ctz(m)];
        if (o->last_op != t->wait_pc || o->op_kind != t->op_kind || o->op_mask == t->op_mask)
            continue;
        report_fault(const_cast<Thread *>(t), cudaErrorLaunchFailure, t->wait_pc,
                     format("%s: mask 0x%08x names lane %u, which came here with the mask 0x%08x",
                            op_names[t->op_kind], t->op_mask, o->lane, o->op_mask),
                     "all lanes of a mask have to call it with that mask");
        return true;
    }
    return false;
}

/* Returns whether all waiting lanes wait at one program point. */
static bool at_one_place(const Warp *w, const Thread *lanes)
{
    const uintptr_t pc = lanes[__builtin_ctz(w->at_op)].wait_pc;
    bool same = true;
    for (uint32_t m = w->at_op; m; m &= m - 1)
        same &= lanes[__builtin_ctz(m)].wait_pc == pc;
    return same;
}

bool resolve_warp(Block *b, Warp *w)
{
    Thread *lanes = &b->threads[w->first];
    uint32_t group = group_of(b, w, &lanes[__builtin_ctz(w->at_op)]);
    /* The warp has converged if all lanes that have not returned are at one program point, or in one operation of which
       the compiler has made two copies. */
    if ((w->at_op | w->done) == w->exist && (group == w->at_op || at_one_place(w, lanes)))
        fold_warp(b, w);
    bool any = false;
    for (uint32_t left = w->at_op; left;) {
        Thread *t = &lanes[__builtin_ctz(left)];
        if (any || left != w->at_op)
            group = group_of(b, w, t);
        left &= ~group;
        if (wanted(b, w, t, group) & ~group)
            continue;
        if (!unchecked() && (t->op_mask & w->done) && used_other_mask(w, lanes, t))
            return false;
        if (!perform(b, w, group))
            return false;
        if (t->op_kind != SIMT_SYNCWARP && t->op_kind != SIMT_ACTIVEMASK)
            note_reads(w, lanes, group);
        if (b->way)
            way_mark(b, w, SIMT_WARP_OP, t->wait_pc, group);
        w->at_op &= ~group;
        w->ready |= group;
        any = true;
    }
    return any;
}

void report_missing_lanes(Block *b, Warp *w)
{
    Thread *lanes = &b->threads[w->first];
    Thread *t = &lanes[__builtin_ctz(w->at_op)];
    uint32_t group = group_of(b, w, t), missing = wanted(b, w, t, group) & ~group;
    Thread *m = &lanes[__builtin_ctz(missing)];
    std::string where = "elsewhere";
    if (w->done >> m->lane & 1)
        where = "has returned";
    else if (w->at_barrier >> m->lane & 1)
        where = "waits in __syncthreads at " + at_line(short_pc(m->wait_pc));
    else if (w->at_op >> m->lane & 1)
        where = format("waits in %s with mask 0x%08x at ", op_names[m->op_kind], m->op_mask) +
                at_line(short_pc(m->wait_pc));
    report_fault(
        t, cudaErrorLaunchFailure, t->wait_pc,
        format("%s: mask 0x%08x names %d lane%s that never arrive%s; lane %u %s", op_names[t->op_kind], t->op_mask,
               __builtin_popcount(missing), __builtin_popcount(missing) == 1 ? "" : "s",
               __builtin_popcount(missing) == 1 ? "s" : "", m->lane, where.c_str()),
        "the mask must name exactly the lanes that execute this call: move it out of the branch or loop, or narrow the "
        "mask");
}

/* __activemask returns the lanes that happen to run together, which differ with another GPU or compiler: a program must
   not use them as a mask. */
__attribute__((noinline)) static void hint_of_mask(Thread *t, int kind, uintptr_t pc)
{
    pass(t, HINT, pc, format("%s with the mask 0x%08x that __activemask gave in divergent code", op_names[kind],
                             t->active_mask),
         "which lanes run together is not promised: compute the mask from the branch (__ballot_sync before it)");
}

/* Untrusted code must not use tile products: they are computed by code without hooks, so they would be unchecked. */
__attribute__((noinline)) static void refuse_confined(Thread *t, uintptr_t pc)
{
    fault(t, cudaErrorNotSupported, pc, "a product of tiles in code that is not trusted", "multiply by plain code");
}

/* Reports a lane that calls an operation with a mask that does not name this lane. */
__attribute__((noinline)) static void report_not_named(Thread *t, int kind, unsigned mask, uintptr_t pc)
{
    if (t->block->launch->checks & SIMT_CHECK_WARP_OPS)
        fault(t, cudaErrorLaunchFailure, pc,
              format("%s: lane %u calls it, but mask 0x%08x does not name lane %u", op_names[kind], t->lane, mask,
                     t->lane),
              "a lane that executes the call must be in its mask");
}

} // namespace simt

using namespace simt;

uint64_t simt_warp_op(int kind, unsigned mask, uint64_t value, unsigned argument, unsigned width)
{
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    Thread *t = current;
    if (--t->fuel == 0)
        out_of_fuel(t, pc);
    t->wait_pc = pc;
    if (kind == SIMT_TOGETHER && confined)
        refuse_confined(t, pc);
    if (kind != SIMT_ACTIVEMASK && !(mask >> t->lane & 1)) {
        report_not_named(t, kind, mask, pc);
        return value;
    }
    if (kind != SIMT_ACTIVEMASK && mask == t->active_mask && !unchecked() && !said_before(pc))
        hint_of_mask(t, kind, pc);
    t->last_op = pc;
    t->op_kind = (uint8_t)kind;
    t->op_mask = mask;
    t->op_value = value;
    if (kind >= SIMT_SHFL && kind <= SIMT_SHFL_XOR)
        t->op_source = shuffle_source(kind, t->lane, argument, width);
    if (counting)
        film_leave(t, pc, WARP_OP, (uint8_t)kind, kind >= SIMT_SHFL && kind <= SIMT_SHFL_XOR ? t->op_source : t->lane);
    t->warp->at_op |= 1u << t->lane;
    wait_here(t);
    return t->op_result;
}
