/*
 * counts.cpp - adds up the counts of a launch, and the counts since the last reset.
 */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include "internal.hpp"

struct Sum {
    simt_counts_t counts;
    uint64_t lanes, instructions;
};
/* The sums are in separate pages, which are writable only while the simulator adds to them.  So no kernel and no host
   code of a program can change them. */
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
