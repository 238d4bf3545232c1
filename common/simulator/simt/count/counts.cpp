/*
 * counts.cpp - computes the memory requests of a warp from the traces of its lanes.
 *
 * A GPU's warp executes one instruction for all lanes that are at it.  In the simulator lanes
 * run one after another, so each leaves a trace of basic blocks and accesses.  When the warp
 * has converged (barrier, full shuffle, end of kernel), the traces are merged:
 *
 *   The lanes at the first program point, in the order of the control flow (flow.cpp), execute
 *   together, and the other lanes wait.  In that order the program points of a loop are adjacent,
 *   and the code after a branch follows both sides.  So lanes that leave a branch or a loop early
 *   wait after it for the lanes that are still inside, as they do on the GPU.  A step back to a
 *   loop's head comes after the loop's last program point.
 *
 * Each access of each group so formed is one request.  Its sectors are the distinct
 * 32-byte pieces of memory it touches; its wavefronts are the largest number of distinct words
 * that it needs from one of the 32 banks.  8- and 16-byte accesses are split into phases of 16 and 8
 * lanes; loads may use phases of twice as many lanes that need half as many words.  Adjacent accesses
 * may be one request: joins.cpp.
 */
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include "internal.hpp"

struct Sum {
    simt_counts_t counts;
    uint64_t lanes, instructions;
};
/* The sums are in pages of their own, which are writable only while the simulator adds to them.  No kernel or host code
   that runs in between can change them. */
struct alignas(64 << 10) Sums : Sum {};  /* a multiple of the largest page size */
extern "C" { Sums simt_sums; }

namespace simt {

Totals totals;

struct open_sums {
    open_sums() { allow(PROT_READ | PROT_WRITE); }
    ~open_sums() { allow(PROT_READ); }

private:
    void allow(int rights)
    {
        if (mprotect(&simt_sums, sizeof simt_sums, rights) != 0)
            give_up("memory maps for the pages of the counts");
    }
};

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

/* The number of different values in v[0..n), n <= 32. */
static unsigned distinct(const uint64_t *v, unsigned n)
{
    unsigned count = 1, i;
    for (i = 1; i < n && v[i] >= v[i - 1]; ++i)
        count += v[i] != v[i - 1];
    if (i >= n)
        return count;       /* they ascend, as in most accesses */
    uint64_t table[64];
    uint64_t used = 0;
    count = 0;
    for (i = 0; i < n; ++i) {
        unsigned h = (unsigned)(v[i] * 0x9e3779b97f4a7c15ull >> 58);
        while ((used >> h & 1) && table[h] != v[i])
            h = (h + 1) & 63;
        if (!(used >> h & 1)) {
            used |= 1ull << h;
            table[h] = v[i];
            ++count;
        }
    }
    return count;
}

/* Sectors of one request. */
unsigned sectors(const uint64_t *address, unsigned n)
{
    uint64_t sector[WARP];
    for (unsigned i = 0; i < n; ++i)
        sector[i] = address[i] >> 5;
    return distinct(sector, n);
}

/* The most distinct words in one bank, over the words of one phase (at most 64). */
static unsigned bank_conflict(const uint64_t *words, unsigned n)
{
    uint64_t in_bank[32][64];
    uint8_t depth[32] = {};
    unsigned worst = 1;
    for (unsigned i = 0; i < n; ++i) {
        unsigned bank = words[i] & 31, k = 0;
        while (k < depth[bank] && in_bank[bank][k] != words[i])
            ++k;
        if (k == depth[bank]) {
            in_bank[bank][depth[bank]++] = words[i];
            worst = std::max<unsigned>(worst, depth[bank]);
        }
    }
    return worst;
}

/* Whether lanes whose numbers differ in this bit only access the same address, for all such pairs of active lanes. */
static bool pairs_agree(const uint64_t *address, const uint8_t *lane, unsigned n, unsigned bit)
{
    uint64_t of[WARP];
    uint32_t there = 0;
    for (unsigned i = 0; i < n; ++i) {
        of[lane[i]] = address[i];
        there |= 1u << lane[i];
    }
    for (unsigned i = 0; i < n; ++i)
        if (there >> (lane[i] ^ bit) & 1 && of[lane[i] ^ bit] != address[i])
            return false;
    return true;
}

/* The number of lanes, from the first one on, in one phase: half a warp for 8-byte accesses, a quarter for 16-byte
   ones.  For loads it is twice as many if all pairs of adjacent lanes, or all pairs of lanes at distance 2, load the
   same. */
static unsigned phase_of(const uint64_t *address, const uint8_t *lane, unsigned n, unsigned size, AccessKind kind)
{
    const unsigned twice = size <= 4 ? 32 : 256 / size, first = lane[0] / twice;
    unsigned both = 0, k = 0;
    while (both < n && lane[both] / twice == first)
        ++both;
    if (size <= 4 || (kind == READ && (pairs_agree(address, lane, both, 1) || pairs_agree(address, lane, both, 2))))
        return both;
    while (k < both && lane[k] / (twice / 2) == lane[0] / (twice / 2))
        ++k;
    return k;
}

/* The wavefronts of one request; *least: how many it would take without bank conflicts. */
unsigned wavefronts(const uint64_t *address, const uint8_t *lane, unsigned n, unsigned size, AccessKind kind,
                    unsigned *least)
{
    unsigned sum = 0;
    *least = 0;
    for (unsigned i = 0; i < n;) {
        uint64_t words[64];
        unsigned k = 0;
        for (unsigned end = i + phase_of(address + i, lane + i, n - i, size, kind); i < end; ++i)
            for (unsigned part = 0; part < size; part += 4)
                words[k++] = (address[i] + part) / 4;
        sum += bank_conflict(words, k);
        ++*least;
    }
    return sum;
}

static SiteCounts *site_of(CountSink &s, uint32_t pc, const Event &e, unsigned offset)
{
    uint64_t key = (uint64_t)pc << 32 | (uint64_t)e.piece << 16 | offset << 4 | e.kind << 2 | e.space;
    SiteCounts *&cached = s.cache[(pc * 2654435761u >> 24 ^ offset) & 255];
    if (!cached || cached->key != key) {
        SiteCounts &c = s.sites[key];
        if (!c.key) {
            c.key = key;
            c.pc = pc;
            c.size = e.piece;
            c.kind = e.kind;
            c.space = e.space;
        }
        cached = &c;
    }
    return cached;
}

static void keep_rows(Block *b, const SiteCounts *site, const uint64_t *address, const uint8_t *lane, unsigned n)
{
    CountSink &s = b->worker->counts;
    int &kept = s.traced[site->key];
    if (kept >= b->launch->trace)
        return;
    for (unsigned i = 0; i < n; ++i) {
        TraceRow r = {site->pc, (uint32_t)kept, lane[i], site->size, site->kind, site->space, address[i], "-", 0,
                      (uint32_t)(address[i] / 4 % 32), address[i] / 32};
        Allocation al;
        if (site->space == SHARED) {
            r.buffer = "shared";
            r.index = (address[i] - b->shared_base) / site->size;
            for (const SharedVariable &v : b->variables)
                if (address[i] - v.address < v.size) {
                    r.buffer = v.name;
                    r.index = (address[i] - v.address) / site->size;
                }
        } else if (heap.contains(address[i]) && heap_find(address[i], &al)) {
            r.buffer = al.name;
            r.index = (address[i] - al.base) / site->size;
        }
        s.trace.push_back(r);
    }
    ++kept;
}

/* Counts one instruction of the warp: `n` lanes, each with its address. */
static void count_request(Block *b, Warp *w, uint32_t pc, const Event &e, unsigned offset, const uint64_t *address,
                          const uint8_t *lane, unsigned n)
{
    SiteCounts *site = site_of(b->worker->counts, pc, e, offset);
    unsigned least, units, useful = 0;
    ++site->requests;
    site->lanes += n;
    ++w->requests;
    if (e.space == SHARED) {
        units = wavefronts(address, lane, n, e.piece, (AccessKind)e.kind, &least);
        site->units += units;
        site->least += least;
    } else {
        useful = distinct(address, n) * e.piece;
        units = sectors(address, n);
        least = (useful + 31) / 32;
        site->units += units;
        site->least += least;
        site->useful += useful;
    }
    joins_access(b, w, e, site, address, lane, n, {units, least, useful});
    /* Requests to pinned memory go over a bus, which the model does not have. */
    if (b->way && (e.space == SHARED || !heap.contains(address[0]) || address[0] < pinned_base))
        way_request(b, w, pc, e, address, lane, n);
    if (b->launch->trace && b->linear == 0 && w->first == 0)
        keep_rows(b, site, address, lane, n);
    if (b->launch->film)
        film_keep(b, w, pc, e, address, lane, n);
}

/* Some atomics on shared memory, such as sums of floats or of 64 bits, are a loop on a GPU: read, compute, compare and
 * store.  Of several lanes that update one address, one succeeds in each iteration, and the others read again.
 * ONE_FOR_ALL: if all lanes update one address, nvcc lets one lane add for all of them. */
static void count_tries(Block *b, Warp *w, uint32_t pc, const Event &e, uint64_t *address, uint8_t *lane, unsigned n)
{
    Event read = e;
    read.kind = READ;
    if (e.address & ONE_FOR_ALL && distinct(address, n) == 1)
        n = 1;
    while (n) {
        count_request(b, w, pc, read, 0, address, lane, n);
        count_request(b, w, pc, e, 0, address, lane, n);
        unsigned left = 0;
        for (unsigned i = 0; i < n; ++i) {
            bool through = true;
            for (unsigned k = 0; k < i && through; ++k)
                through = address[k] != address[i];
            if (!through) {
                address[left] = address[i];
                lane[left++] = lane[i];
            }
        }
        n = left;
    }
}

/* Counts an access of the lanes of `group`: one request, or several for a struct or for two memory spaces. */
static void count_access(Block *b, Warp *w, uint32_t pc, uint32_t group, Event *const *event)
{
    while (group) {
        const Event &e = *event[__builtin_ctz(group)];
        uint64_t address[WARP];
        uint8_t lane[WARP];
        unsigned n = 0;
        for (uint32_t m = group; m; m &= m - 1) {
            unsigned l = __builtin_ctz(m);
            const Event &o = *event[l];
            if (o.space != e.space || o.size != e.size || o.piece != e.piece)
                continue;
            address[n] = e.space < NOT_COUNTED ? o.address & ~MARKS : o.address;
            lane[n++] = (uint8_t)l;
            group &= ~(1u << l);
        }
        if (e.space > NOT_COUNTED) {
            film_keep(b, w, pc, e, address, lane, n);
            continue;
        }
        if (e.kind == ATOMIC && e.address & TRIES) {
            count_tries(b, w, pc, e, address, lane, n);
            continue;
        }
        for (unsigned offset = 0; offset < e.size; offset += e.piece) {
            count_request(b, w, pc, e, offset, address, lane, n);
            for (unsigned i = 0; i < n; ++i)
                address[i] += e.piece;
        }
    }
}

/* A lane's position in the order of execution: lower ones go first.  *back: its next step is back to a loop's head. */
static inline uint64_t place_in_order(const FlowGraph &g, uint32_t last, uint32_t next, bool *back)
{
    const FlowGraph::Node &n = g.nodes[next];
    *back = last != 0 && n.place <= g.nodes[last].place;
    if (!*back)
        return (uint64_t)n.place << 33;
    /* If two loops end together, the inner one, whose head comes later, continues first. */
    return ((uint64_t)n.loop_end << 33 | 1ull << 32) + (UINT32_MAX - n.place);
}

/* The lanes that execute next, all at one program point.  Lanes at the end of an iteration first step back to the
   loop's head. */
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

/* The merging of a warp's traces. */
struct Fold {
    Block *b;
    Warp *w;
    uint32_t open;                      /* lanes that may have more events later */
    Event *at[WARP], *end[WARP];        /* each lane's events that are left */
    uint32_t last[WARP];                /* ... and its last program point */
    uint32_t active, ended;             /* lanes with events left; open ones whose next step is not known */
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

/* These lanes have executed their next event, at this program point. */
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
static void learn_ways(Fold &f, FlowGraph &g)
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
    learn_ways(f, g);
    fold_in_order(f, g);
    end_fold(f, g);
}

/* Scales the counts of the sampled blocks to all blocks. */
static void enlarge(CountSink &from, const Launch &l)
{
    const uint64_t counted = (l.n_blocks + l.sample - 1) / l.sample;
    const double times = (double)l.n_blocks / (double)counted;
    auto more = [&](uint64_t &n) { n = (uint64_t)llround((double)n * times); };
    for (auto &entry : from.sites)
        for (uint64_t *n : {&entry.second.requests, &entry.second.units, &entry.second.least, &entry.second.lanes,
                            &entry.second.useful})
            more(*n);
    for (uint64_t *n : {&from.warps, &from.warp_sum, &from.blocks, &from.block_sum})
        more(*n);
}

static void add(CountSink &from, const Launch &l)
{
    simt_counts_t &sum = simt_sums.counts;
    if (l.sample > 1)
        enlarge(from, l);
    for (auto &entry : from.sites) {
        const SiteCounts &c = entry.second;
        uint64_t *requests, *units;
        if (c.space == SHARED) {
            requests = c.kind == READ    ? &sum.sh_ld_requests
                       : c.kind == WRITE ? &sum.sh_st_requests
                                         : &sum.sh_atomic_requests;
            units = c.kind == READ    ? &sum.sh_ld_wavefronts
                    : c.kind == WRITE ? &sum.sh_st_wavefronts
                                      : &sum.sh_atomic_wavefronts;
        } else {
            requests = c.kind == READ ? &sum.ld_requests : c.kind == WRITE ? &sum.st_requests : &sum.atomic_requests;
            units = c.kind == READ ? &sum.ld_sectors : c.kind == WRITE ? &sum.st_sectors : &sum.atomic_sectors;
            if (c.kind == READ)
                sum.ld_useful_bytes += c.useful;
            else if (c.kind == WRITE)
                sum.st_useful_bytes += c.useful;
            else
                sum.atomic_lanes += c.lanes;
        }
        *requests += c.requests;
        *units += c.units;
        simt_sums.lanes += c.lanes;
        simt_sums.instructions += c.requests;
        Totals::Line *line = nullptr;
        for (Totals::Line &known : totals.lines)
            if (known.counts.key == c.key && known.kernel == l.name)
                line = &known;
        if (!line) {
            totals.lines.push_back({l.name, c});
            continue;
        }
        line->counts.requests += c.requests;
        line->counts.units += c.units;
        line->counts.least += c.least;
        line->counts.lanes += c.lanes;
        line->counts.useful += c.useful;
    }
    for (const TraceRow &r : from.trace)
        totals.trace.emplace_back(l.name, r);
    sum.warps += from.warps;
    sum.blocks += from.blocks;
    sum.warp_work_max = std::max(sum.warp_work_max, from.warp_max);
    sum.block_work_max = std::max(sum.block_work_max, from.block_max);
    sum.warp_work_mean += (double)from.warp_sum;        /* sums here, means in simt_counts_get */
    sum.block_work_mean += (double)from.block_sum;
    from.sites.clear();
    memset(from.cache, 0, sizeof from.cache);
    from.traced.clear();
    from.trace.clear();
    from.warps = from.warp_sum = from.warp_max = from.blocks = from.block_sum = from.block_max = 0;
}

static void (*listener)(const simt_launch_t *);

static simt_counts_t as_read(const Sum &s)
{
    simt_counts_t c = s.counts;
    c.active_lanes = s.instructions ? (double)s.lanes / (double)s.instructions : 0;
    c.warp_work_mean = c.warps ? c.warp_work_mean / (double)c.warps : 0;
    c.block_work_mean = c.blocks ? c.block_work_mean / (double)c.blocks : 0;
    return c;
}

/* Adds one sum to another. */
static void join(Sum &into, const Sum &s)
{
    simt_counts_t &a = into.counts;
    const simt_counts_t &b = s.counts;
    static uint64_t simt_counts_t::*const ADDED[] = {
        &simt_counts_t::launches, &simt_counts_t::threads, &simt_counts_t::ld_requests, &simt_counts_t::ld_sectors,
        &simt_counts_t::st_requests, &simt_counts_t::st_sectors, &simt_counts_t::atomic_requests,
        &simt_counts_t::atomic_sectors, &simt_counts_t::atomic_lanes, &simt_counts_t::sh_ld_requests,
        &simt_counts_t::sh_ld_wavefronts, &simt_counts_t::sh_st_requests, &simt_counts_t::sh_st_wavefronts,
        &simt_counts_t::sh_atomic_requests, &simt_counts_t::sh_atomic_wavefronts, &simt_counts_t::ld_useful_bytes,
        &simt_counts_t::st_useful_bytes, &simt_counts_t::warps, &simt_counts_t::blocks,
        &simt_counts_t::warp_work_chain, &simt_counts_t::block_work_chain};
    for (auto member : ADDED)
        a.*member += b.*member;
    a.warp_work_max = std::max(a.warp_work_max, b.warp_work_max);
    a.block_work_max = std::max(a.block_work_max, b.block_work_max);
    a.warp_work_mean += b.warp_work_mean;   /* sums here */
    a.block_work_mean += b.block_work_mean;
    into.lanes += s.lanes;
    into.instructions += s.instructions;
}

void counts_add(const std::vector<Worker *> &from, const Launch &l)
{
    simt_launch_t heard;
    {
        open_sums open;
        const Sum before = simt_sums;
        static_cast<Sum &>(simt_sums) = Sum();
        simt_sums.counts.launches = 1;
        simt_sums.counts.threads = l.n_blocks * l.block.x * l.block.y * l.block.z;
        joins_add(from);
        for (Worker *w : from) {
            add(w->counts, l);
            film_of_worker(w->counts);
        }
        simt_sums.counts.warp_work_chain = simt_sums.counts.warp_work_max;
        simt_sums.counts.block_work_chain = simt_sums.counts.block_work_max;
        const Sum launch = simt_sums;
        static_cast<Sum &>(simt_sums) = before;
        join(simt_sums, launch);
        if (!listener)
            return;
        const uint3 g = l.grid, b = l.block;
        heard = {l.name, {g.x, g.y, g.z}, {b.x, b.y, b.z}, l.dynamic_bytes, as_read(launch),
                 l.repeats, l.note};
    }
    listener(&heard);
}

} // namespace simt

using namespace simt;

void simt_counts_reset(void)
{
    open_sums open;
    static_cast<Sum &>(simt_sums) = Sum();
    totals = Totals();
    film_forget();
}

void simt_counts_get(simt_counts_t *out) { *out = as_read(simt_sums); }

void simt_set_listener(void (*f)(const simt_launch_t *)) { listener = f; }
