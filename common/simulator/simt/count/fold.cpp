/*
 * fold.cpp - merges the traces of a warp's lanes into the instructions that the warp executes.
 *
 * A warp of a GPU executes an instruction once for all lanes that have reached it.  In the simulator
 * lanes run one after another, so each leaves a trace of basic blocks and accesses.  When the warp
 * has converged (barrier, full shuffle, end of kernel), the traces are merged:
 *
 *   The lanes at the first program point, in the order of the control flow (flow.cpp), execute
 *   together, and the other lanes wait.  In that order the program points of a loop are adjacent,
 *   and the code after a branch follows both sides.  So lanes that leave a branch or a loop early
 *   wait after it for the lanes that are still inside, as they do on the GPU.  A step back to a
 *   loop's head comes after the loop's last program point.
 */
#include <cstdlib>
#include "internal.hpp"

namespace simt {

/* Limits the length of a trace: a lane with a full trace waits until the other lanes of its
   warp have run as far as they can.  Then the common part of their traces is counted. */
void make_room(Thread *t)
{
    if (t->room >= LONGEST_TRACE) {
        t->warp->full |= 1u << t->lane;
        wait_here(t);
        if (t->n_events < t->room)
            return;
    }
    uint32_t room = t->room ? t->room * 2 : 128;
    Event *e = static_cast<Event *>(realloc(t->events, room * sizeof *e));
    if (!e)
        give_up("memory for the trace of a thread");
    t->events = e;
    t->room = room;
}

/* Returns a lane's position in the order of execution: the lowest goes first.  Sets *back if its next step is back to a
   loop's head. */
static inline uint64_t place_in_order(const FlowGraph &g, uint32_t last, uint32_t next, bool *back)
{
    const FlowGraph::Node &n = g.nodes[next];
    *back = last != 0 && n.place <= g.nodes[last].place;
    if (!*back)
        return (uint64_t)n.place << 33;
    /* If two loops end together, the inner one, whose head comes later, continues first. */
    return ((uint64_t)n.loop_end << 33 | 1ull << 32) + (UINT32_MAX - n.place);
}

/* Returns the lanes that execute next, all at one program point.  Lanes at the end of an iteration first step back to
   the loop's head. */
static uint32_t first_group(const FlowGraph &g, uint32_t active, Event *const *at, uint32_t *last)
{
    for (;;) {
        uint64_t lowest = UINT64_MAX;
        uint32_t group = 0;
        bool back = false;
        for (uint32_t m = active; m; m &= m - 1) {
            uint32_t lane = __builtin_ctz(m);
            bool goes_back;
            uint64_t place = place_in_order(g, last[lane], at[lane]->pc, &goes_back);
            if (place < lowest) {
                lowest = place;
                group = 0;
                back = goes_back;
            }
            if (place == lowest)
                group |= 1u << lane;
        }
        if (!back)
            return group;
        for (uint32_t m = group; m; m &= m - 1)
            last[__builtin_ctz(m)] = 0;     /* now at the loop's head, before all others */
    }
}

/* The state of merging a warp's traces. */
struct Fold {
    Block *b;
    Warp *w;
    uint32_t open;                      /* lanes that may have more events later */
    Event *at[WARP], *end[WARP];        /* each lane's remaining events */
    uint32_t last[WARP];                /* each lane's last program point */
    uint32_t active, ended;             /* active: lanes with events left; ended: open lanes without */
};

static void begin_fold(Fold &f)
{
    for (uint32_t m = f.w->exist; m; m &= m - 1) {
        uint32_t lane = __builtin_ctz(m);
        Thread *t = &f.b->threads[f.w->first + lane];
        f.last[lane] = t->last_node;
        if (t->n_events) {
            f.at[lane] = t->events;
            f.end[lane] = t->events + t->n_events;
            f.active |= 1u << lane;
        } else {
            f.ended |= f.open & 1u << lane;
        }
        t->n_events = 0;
        ++t->folds;
    }
}

/* Moves these lanes past their next event, which is at this program point. */
static inline void step_lanes(Fold &f, uint32_t group, uint32_t node)
{
    for (uint32_t m = group; m; m &= m - 1) {
        uint32_t lane = __builtin_ctz(m);
        f.last[lane] = node;
        if (++f.at[lane] == f.end[lane])
            f.active &= ~(1u << lane);
    }
    f.ended = f.open & ~f.active;
}

/* Counts a basic block that these lanes enter, or another mark. */
static inline void count_block(const Fold &f, uint32_t pc, uint32_t lanes)
{
    const uint8_t mark = f.at[__builtin_ctz(lanes)]->piece;
    if (mark != BASIC_BLOCK)
        return mark == NEXT_ROUND ? joins_round(f.b, f.w) : joins_branch(f.b, f.w);
    ++f.w->basic_blocks;
    joins_block(f.b, f.w, pc, lanes);
}

/* The quick part: merges as long as all lanes are at the same program points. */
static void fold_together(Fold &f, FlowGraph &g)
{
    while (f.active && !f.ended) {
        const uint32_t lead = __builtin_ctz(f.active), pc = f.at[lead]->pc;
        for (uint32_t m = f.active & (f.active - 1); m; m &= m - 1)
            if (f.at[__builtin_ctz(m)]->pc != pc)
                return;
        if (f.at[lead]->size)
            count_access(f.b, f.w, pc, f.active, f.at);
        else
            count_block(f, pc, f.active);
        step_lanes(f, f.active, g.step(f.last[lead], pc));
    }
}

/* Adds the paths of diverged lanes to the control flow graph, and replaces each event's pc by its node. */
static void learn_paths(Fold &f, FlowGraph &g)
{
    for (uint32_t m = f.active; m; m &= m - 1) {
        uint32_t lane = __builtin_ctz(m), node = f.last[lane];
        for (Event *e = f.at[lane]; e < f.end[lane]; ++e)
            e->pc = node = g.step(node, e->pc);
    }
    if (f.active && g.changed)
        g.arrange();
}

static void fold_in_order(Fold &f, const FlowGraph &g)
{
    while (f.active && !f.ended) {
        const uint32_t group = first_group(g, f.active, f.at, f.last), lead = __builtin_ctz(group),
                       node = f.at[lead]->pc;
        if (f.at[lead]->size)
            count_access(f.b, f.w, g.nodes[node].pc, group, f.at);
        else
            count_block(f, g.nodes[node].pc, group);
        step_lanes(f, group, node);
    }
}

/* Keeps the remaining events for the next merge. */
static void end_fold(Fold &f, const FlowGraph &g)
{
    Thread *lanes = &f.b->threads[f.w->first];
    for (uint32_t m = f.active; m; m &= m - 1) {
        uint32_t lane = __builtin_ctz(m);
        Thread *t = &lanes[lane];
        for (const Event *e = f.at[lane]; e < f.end[lane]; ++e) {
            Event &kept = t->events[t->n_events++] = *e;
            kept.pc = g.nodes[e->pc].pc;
        }
    }
    for (uint32_t m = f.w->exist; m; m &= m - 1)
        lanes[__builtin_ctz(m)].last_node = f.last[__builtin_ctz(m)];
}

void fold_warp(Block *b, Warp *w, uint32_t open)
{
    if (!counting)
        return;
    FlowGraph &g = b->worker->counts.flow;
    Fold f; /* its arrays are set for active lanes only */
    f.b = b;
    f.w = w;
    f.open = open;
    f.active = f.ended = 0;
    begin_fold(f);
    fold_together(f, g);
    learn_paths(f, g);
    fold_in_order(f, g);
    end_fold(f, g);
}

} // namespace simt
