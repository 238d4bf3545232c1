/* replay.c - see replay.h */
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "caches.h"
#include "tickets.h"

enum { LOADS_KEPT = 8, WARP_SIZE = 32 };

/* The state of a warp. */
typedef struct walker {
    const simt_step_t *step, *end;
    const uint32_t *sector;
    double time;                    /* the earliest cycle of its next step */
    double loads[LOADS_KEPT];       /* when the data of each of its last loads has arrived */
    double loaded;                  /* when the data of all its loads has arrived */
    uint32_t n_loads, rounds, barriers, turn;   /* turn: the first load of this iteration of its loop */
    unsigned slot;                  /* the slot of its block */
} walker_t;

/* The steps of a warp at one program point. */
typedef struct at_site {
    uint32_t taken, last;           /* taken: their number; last: the latest of them, counted in loads of the warp */
    float done;
} at_site_t;

/* A slot for a block in an SM. */
typedef struct slot {
    unsigned sm, left, waiting;     /* left: warps that have not ended; waiting: warps at the barrier */
    double barrier;                 /* when the last of these arrived */
} slot_t;

typedef struct sm {
    double issue, l1, port;         /* the cycles from which these servers are free */
    double busy[3];
    double resident;
} sm_t;

typedef struct model {
    const gpu_t *gpu;
    const simt_way_t *way;
    const kernel_facts_t *facts;
    bool queues;
    sm_t *sms;
    slot_t *slots;
    walker_t *walkers;              /* way->warps for each slot */
    at_site_t *sites;               /* n_sites for each walker */
    unsigned *heap;                 /* walkers by time, the earliest first */
    unsigned heap_count, n_slots, per_sm;
    uint64_t next_block;
    double l2, dram, block_start;   /* the cycles from which these servers are free */
    double l2_cost, dram_cost, lone_cost, atomic_cost, ticket_cost;
    double now;                     /* when the current step begins */
    double last;                    /* when all requests so far are done */
    caches_t caches;
    tickets_t tickets;
    replay_t *r;
} model_t;

/* ---- the heap of warps ---- */

static bool before(const model_t *m, unsigned a, unsigned b)
{
    const double ta = m->walkers[a].time, tb = m->walkers[b].time;
    return ta < tb || (ta == tb && a < b);
}

static void heap_push(model_t *m, unsigned w)
{
    unsigned i = m->heap_count++;
    for (; i > 0 && before(m, w, m->heap[(i - 1) / 2]); i = (i - 1) / 2) m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = w;
}

/* Replaces the first element of the heap by w, and moves it down to its position. */
static void heap_sink(model_t *m, unsigned w)
{
    unsigned i = 0, child;
    while ((child = 2 * i + 1) < m->heap_count) {
        if (child + 1 < m->heap_count && before(m, m->heap[child + 1], m->heap[child])) ++child;
        if (!before(m, m->heap[child], w)) break;
        m->heap[i] = m->heap[child];
        i = child;
    }
    m->heap[i] = w;
}

static void heap_pop(model_t *m)
{
    const unsigned last = m->heap[--m->heap_count];
    if (m->heap_count) heap_sink(m, last);
}

/* ---- servers ---- */

/* Occupies a server for `cost` cycles, from `time` on or when it is free, and returns the start.  A request for a time
 * later than now does not reserve the server until then: others may use it before. */
static double serve(const model_t *m, double *free_from, double *busy, double time, double cost)
{
    const double start = m->queues && *free_from > time ? *free_from : time;
    *free_from = (*free_from > m->now ? *free_from : m->now) + cost;
    *busy += cost;
    return start;
}

/* Requests a sector that is not in L1; returns when its data arrives. */
static double through_l2(model_t *m, sm_t *sm, uint32_t number, bool alone, double time)
{
    double t = serve(m, &sm->port, &sm->busy[AT_PORT], time, 1 / m->gpu->port_sectors);
    t = serve(m, &m->l2, &m->r->busy[AT_L2], t, m->l2_cost);
    sector_t *s = sector_at(&m->caches, number), *twin = sector_at(&m->caches, number ^ 1);
    const double here = t + m->gpu->l2_cycles;
    if (l2_has(&m->caches, s)) return here > s->ready ? here : s->ready;
    t = serve(m, &m->dram, &m->r->busy[AT_DRAM], t, alone ? m->lone_cost : m->dram_cost);
    t += m->gpu->dram_cycles;
    l2_put(&m->caches, s, t);
    if (!l2_has(&m->caches, twin)) l2_put(&m->caches, twin, t); /* DRAM delivers 64 bytes at a time */
    return t;
}

/* ---- steps ---- */

static double lines_of(const uint32_t *sector, unsigned n)
{
    unsigned lines = n > 0;
    for (unsigned i = 1; i < n; ++i) lines += sector[i] / 4 != sector[i - 1] / 4;
    return lines;
}

static double larger(double a, double b) { return a > b ? a : b; }

static double load(model_t *m, sm_t *sm, unsigned sm_number, const walker_t *w, double time)
{
    const unsigned n = w->step->units;
    const double cost = larger(n / m->gpu->l1_sectors, lines_of(w->sector, n) / m->gpu->l1_lines);
    const double start = serve(m, &sm->l1, &sm->busy[AT_L1], time, cost);
    double done = start;
    for (unsigned i = 0; i < n; ++i) {
        const uint32_t s = w->sector[i];
        const bool neighbour = (i > 0 && w->sector[i - 1] / 4 == s / 4) || (i + 1 < n && w->sector[i + 1] / 4 == s / 4);
        double t = start + cost * (i + 1) / n;
        if (l1_lookup(&m->caches, sm_number, s)) t = larger(t + m->gpu->l1_cycles, sector_at(&m->caches, s)->ready);
        else t = through_l2(m, sm, s, !neighbour, t);
        done = larger(done, t);
    }
    return done;
}

/* A store occupies servers, but no warp waits for it. */
static void store(model_t *m, sm_t *sm, const walker_t *w, double time)
{
    const unsigned n = w->step->units;
    double t = serve(m, &sm->l1, &sm->busy[AT_L1], time, n / m->gpu->l1_sectors);
    for (unsigned i = 0; i < n; ++i) {
        t = serve(m, &sm->port, &sm->busy[AT_PORT], t, 1 / m->gpu->port_sectors);
        t = serve(m, &m->l2, &m->r->busy[AT_L2], t, m->l2_cost);
        sector_t *s = sector_at(&m->caches, w->sector[i]);
        if (!l2_has(&m->caches, s)) l2_put(&m->caches, s, t);
        if (m->caches.arrived > m->caches.capacity) /* L2 must evict another sector */
            serve(m, &m->dram, &m->r->busy[AT_DRAM], t, m->dram_cost / 2);
    }
    m->last = larger(m->last, t + m->gpu->l2_cycles / 2);
}

/* `cost` is the time per sector: additions of floats by several lanes are executed one after another, while atomics
 * that return the old value are combined per warp.  Returns when the last one is done. */
static double atomic(model_t *m, sm_t *sm, const walker_t *w, double cost, double time)
{
    const unsigned n = w->step->units;
    double t = serve(m, &sm->l1, &sm->busy[AT_L1], time, n / m->gpu->l1_sectors), done = t;
    for (unsigned i = 0; i < n; ++i) {
        t = through_l2(m, sm, w->sector[i], true, t) - m->gpu->l2_cycles;
        sector_t *s = sector_at(&m->caches, w->sector[i]);
        const double free_from = s->atomic_free;
        t = m->queues ? larger(t, free_from) : t;
        s->atomic_free = (float)(t + cost);
        s->atomic_busy += (float)cost;
        m->r->busy[AT_ATOMIC] = larger(m->r->busy[AT_ATOMIC], s->atomic_busy);
        done = larger(done, t + cost + m->gpu->l2_cycles);
    }
    m->last = larger(m->last, done);
    return done;
}

/* Returns whether this load begins an iteration of its loop.  An SM issues in order, so the values that the iteration
 * before has loaded have then been used. */
static bool begins_iteration(const walker_t *w, const at_site_t *site, const site_facts_t *facts)
{
    return site->taken && site->taken % facts->copies == 0 && site->last >= w->turn;
}

/* Returns when the value has arrived from which this load's address is computed. */
static double address_known(const walker_t *w)
{
    const unsigned after = w->step->after;
    return after && after <= LOADS_KEPT ? w->loads[(w->n_loads - after) % LOADS_KEPT] : 0;
}

/* Returns when the step may begin: when the values that it needs have been loaded.  If several copies are in flight,
 * each waits for its address, but the warp continues. */
static double needed(const walker_t *w, const at_site_t *site, const site_facts_t *facts)
{
    double t = w->time;
    switch ((simt_step_kind_t)w->step->kind) {
    case SIMT_BARRIER: return t;
    case SIMT_LOAD:
        if (facts->copies == 1) t = larger(t, address_known(w));
        return begins_iteration(w, site, facts) ? larger(t, w->loaded) : t;
    case SIMT_SHARED_LOAD: return site->taken && site->taken % facts->copies == 0 ? larger(t, site->done) : t;
    default: return larger(t, w->loaded);
    }
}

static void keep_load(walker_t *w, at_site_t *site, const site_facts_t *facts, double done)
{
    if (begins_iteration(w, site, facts)) w->turn = w->n_loads;
    site->last = w->n_loads;
    w->loads[w->n_loads++ % LOADS_KEPT] = done;
    w->loaded = larger(w->loaded, done);
    site->done = (float)larger(site->done, done);
    ++site->taken;
    if (facts->waits) w->time = larger(w->time, done);
}

/* Takes the step of the earliest warp.  Returns false if the warp has to wait first, so that it is no longer the
 * earliest. */
static bool take_step(model_t *m, unsigned number)
{
    walker_t *w = &m->walkers[number];
    const simt_step_t *s = w->step;
    const unsigned sm_number = m->slots[w->slot].sm;
    sm_t *sm = &m->sms[sm_number];
    at_site_t *site = &m->sites[(size_t)number * m->way->n_sites + s->site];
    const site_facts_t *facts = &m->facts->sites[s->site];
    double t = needed(w, site, facts);
    if (t > w->time) {
        w->rounds += t > w->time + m->gpu->l2_cycles / 2;
        w->time = t;
        return false;
    }
    m->now = t;
    t = serve(m, &sm->issue, &sm->busy[AT_ISSUE], t, facts->instructions / m->gpu->issue);
    t += facts->instructions * m->gpu->step_cycles;
    w->time = t;
    switch ((simt_step_kind_t)s->kind) {
    case SIMT_LOAD: keep_load(w, site, facts, load(m, sm, sm_number, w, larger(t, address_known(w)))); break;
    case SIMT_STORE: store(m, sm, w, t); break;
    case SIMT_ATOMIC:
        t = atomic(m, sm, w, facts->returns ? m->ticket_cost : m->atomic_cost * s->lanes / s->units, t);
        if (facts->returns) w->loaded = larger(w->loaded, t);
        break;
    case SIMT_SHARED_LOAD:
        t = serve(m, &sm->l1, &sm->busy[AT_L1], t, s->units) + s->units + m->gpu->shared_cycles;
        keep_load(w, site, facts, t);
        break;
    case SIMT_SHARED_STORE:
    case SIMT_SHARED_ATOMIC: serve(m, &sm->l1, &sm->busy[AT_L1], t, s->units); break;
    case SIMT_WARP_OP: w->time = t + m->gpu->shuffle_cycles; break;
    case SIMT_BARRIER: break;
    }
    if (s->kind <= SIMT_ATOMIC) w->sector += s->units;
    if (s->kind == SIMT_ATOMIC && s->site == m->tickets.site && m->tickets.next < m->tickets.count) {
        const piece_t *p = &m->tickets.pieces[m->tickets.next++];
        w->step = p->from - 1; /* run() continues with the next step */
        w->end = p->end;
        w->sector = p->sector;
    }
    return true;
}

/* ---- blocks ---- */

static void begin_walk(model_t *m, unsigned number, const simt_warp_way_t *way, unsigned slot, double time)
{
    walker_t *w = &m->walkers[number];
    *w = (walker_t){.step = way->steps, .end = way->steps + way->n_steps, .sector = way->sectors, .time = time,
                    .slot = slot};
    memset(&m->sites[(size_t)number * m->way->n_sites], 0, m->way->n_sites * sizeof *m->sites);
}

/* Starts the next block of the grid in a free slot. */
static void begin_block(model_t *m, unsigned slot, double time)
{
    if (m->next_block >= m->way->blocks) return;
    const uint64_t block = m->next_block++;
    double ignored = 0;
    time = serve(m, &m->block_start, &ignored, time, 1 / m->gpu->block_rate) + m->gpu->block_cycles;
    m->slots[slot].left = m->way->warps;
    m->slots[slot].waiting = 0;
    for (unsigned i = 0; i < m->way->warps; ++i) {
        const unsigned number = slot * m->way->warps + i;
        begin_walk(m, number, &m->way->warp[block * m->way->warps + i], slot, time + i);
        heap_push(m, number);
    }
}

/* If all warps of the block that have not ended are at the barrier, they continue. */
static void open_barrier(model_t *m, unsigned slot)
{
    slot_t *s = &m->slots[slot];
    if (s->waiting == 0 || s->waiting < s->left) return;
    for (unsigned i = 0; i < m->way->warps; ++i) {
        walker_t *w = &m->walkers[slot * m->way->warps + i];
        if (w->step >= w->end) continue;
        ++w->step;
        ++w->barriers;
        w->time = s->barrier + m->gpu->barrier_cycles;
        heap_push(m, slot * m->way->warps + i);
    }
    s->waiting = 0;
    s->barrier = 0;
}

static void end_walk(model_t *m, const walker_t *w)
{
    slot_t *s = &m->slots[w->slot];
    const double end = larger(w->time, w->loaded);
    m->last = larger(m->last, end);
    m->r->rounds_mean += w->rounds;
    if (w->rounds > m->r->rounds_max) m->r->rounds_max = w->rounds;
    if (w->barriers > m->r->barriers_max) m->r->barriers_max = w->barriers;
    --s->left;
    m->sms[s->sm].resident = larger(m->sms[s->sm].resident, 1);
    if (s->left == 0) begin_block(m, w->slot, end);
    else open_barrier(m, w->slot);
}

static void run(model_t *m)
{
    while (m->heap_count) {
        const unsigned number = m->heap[0];
        walker_t *w = &m->walkers[number];
        if (w->step >= w->end) {
            heap_pop(m);
            end_walk(m, w);
            continue;
        }
        if (!take_step(m, number)) {
            heap_sink(m, number);
            continue;
        }
        ++m->r->steps;
        if (w->step->kind == SIMT_BARRIER) {
            slot_t *s = &m->slots[w->slot];
            heap_pop(m);
            s->barrier = larger(s->barrier, w->time);
            ++s->waiting;
            open_barrier(m, w->slot);
        } else {
            ++w->step;
            heap_sink(m, number);
        }
    }
}

/* ---- opening and closing ---- */

/* Returns the number of blocks that an SM can hold, limited by blocks, warps, registers and shared memory. */
static unsigned resident(const gpu_t *c, const simt_way_t *way, unsigned registers)
{
    const double per_warp = ceil(registers / 8.0) * 8 * WARP_SIZE; /* allocated in units of 8 per thread */
    const double by_registers = floor(c->registers_per_sm / (per_warp * way->warps));
    const double by_shared = floor(c->shared_kb * 1024 / (double)(way->shared_bytes + 1024));
    const double by_warps = floor(c->warps_per_sm / way->warps);
    return (unsigned)fmin(fmin(c->blocks_per_sm, by_warps), fmin(by_registers, by_shared));
}

static int open_model(model_t *m, err_t *err)
{
    const gpu_t *c = m->gpu;
    const unsigned sms = (unsigned)c->sms;
    m->per_sm = resident(c, m->way, m->facts->registers);
    if (m->per_sm == 0) return err_set(err, "%s: a block does not fit into an SM of %s", m->way->kernel, c->name);
    const uint64_t slots = (uint64_t)m->per_sm * sms;
    m->n_slots = (unsigned)(m->way->blocks < slots ? m->way->blocks : slots);
    const size_t walkers = (size_t)m->n_slots * m->way->warps;
    m->sms = calloc(sms, sizeof *m->sms);
    m->slots = calloc(m->n_slots, sizeof *m->slots);
    m->walkers = calloc(walkers, sizeof *m->walkers);
    m->sites = calloc(walkers * m->way->n_sites + 1, sizeof *m->sites);
    m->heap = calloc(walkers, sizeof *m->heap);
    if (!m->sms || !m->slots || !m->walkers || !m->sites || !m->heap)
        return err_set(err, "out of memory for the replay of %zu warps", walkers);
    const double l1 = c->l1_kb * 1024 - m->per_sm * (double)(m->way->shared_bytes + 1024);
    const double giga_cycle = 1 / c->clock_ghz; /* ns of a cycle */
    m->l2_cost = 1 / (c->l2_gsectors * giga_cycle);
    m->dram_cost = 64 / (c->dram_gbps * giga_cycle);
    m->lone_cost = larger(m->dram_cost, 1 / (c->lone_gsectors * giga_cycle));
    m->atomic_cost = 1 / (c->atomic_gops * giga_cycle);
    m->ticket_cost = 1 / (c->atomic_int_gops * giga_cycle);
    if (tickets_open(&m->tickets, m->way, m->facts, err)) return -1;
    return caches_open(&m->caches, sms, l1, c->l2_mb * 1048576, m->way, err);
}

static void close_model(model_t *m)
{
    free(m->sms);
    free(m->slots);
    free(m->walkers);
    free(m->sites);
    free(m->heap);
    caches_close(&m->caches);
    tickets_close(&m->tickets);
}

static void sum_up(model_t *m)
{
    const unsigned sms = (unsigned)m->gpu->sms;
    const double warps = (double)m->way->blocks * m->way->warps;
    for (unsigned i = 0; i < sms; ++i)
        for (int server = AT_ISSUE; server <= AT_PORT; ++server)
            m->r->busy[server] = larger(m->r->busy[server], m->sms[i].busy[server]);
    m->r->cycles = m->last;
    m->r->blocks_per_sm = m->per_sm;
    m->r->warps_per_sm = (double)m->n_slots * m->way->warps / fmin(sms, m->n_slots);
    m->r->rounds_mean /= warps;
}

int replay_run(replay_t *r, const gpu_t *gpu, const simt_way_t *way, const kernel_facts_t *facts, bool queues,
               double start, err_t *err)
{
    model_t m = {.gpu = gpu, .way = way, .facts = facts, .queues = queues, .r = r};
    *r = (replay_t){0};
    const int failed = open_model(&m, err);
    if (!failed) {
        for (unsigned i = 0; i < m.n_slots; ++i) {
            m.slots[i].sm = i % (unsigned)gpu->sms;
            begin_block(&m, i, start);
        }
        run(&m);
        sum_up(&m);
    }
    close_model(&m);
    return failed ? -1 : 0;
}
