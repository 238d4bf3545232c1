/*
 * join_sums.cpp - at the end of a launch: replaces the counts of the accesses that nvcc joins.
 */
#include <mutex>
#include "joins.hpp"

namespace simt {

/* Alignment of one access instruction (a "site") over all launches so far.  Every launch runs the same machine code. */
struct Shown {
    uint8_t begins = 0, apart = 0;
    uint8_t *uneven = nullptr;      /* shared by all sites of one source location */
};
static std::unordered_map<uint64_t, Shown> shown;
static std::mutex shown_lock;

/* In an unrolled loop each iteration is a different site, and in the last iterations only one or two lanes may be
   active.  The relative alignment of the lanes is the same in all iterations.  Therefore sites with the same line,
   column and inlined calls share one value. */
static uint8_t *uneven_of(const SiteCounts &site)
{
    static std::unordered_map<std::string, uint8_t> written;
    const Place p = place_of(site.pc);
    const unsigned long long only = p.line ? 0 : site.key;
    return &written[format("%s:%d:%d %s %d %llu", p.file.c_str(), p.line, p.column, p.calls.c_str(), site.kind, only)];
}

/* Combines what all workers and all earlier launches have observed of each site. */
static void share_alignment(const std::vector<Worker *> &workers)
{
    for (Worker *w : workers)
        for (auto &entry : w->counts.sites)
            if (entry.second.space == SHARED) {
                Shown &known = shown[entry.first];
                const uint8_t begins = entry.second.begins;
                if (begins && known.begins)
                    known.apart |= begins_apart(begins, known.begins, entry.second.size);
                known.begins = begins ? begins : known.begins;
                known.apart |= entry.second.apart;
                if (!known.uneven)
                    known.uneven = uneven_of(entry.second);
                *known.uneven |= known.apart & (UNEVEN_WIDE | UNEVEN_HALF);
            }
    for (Worker *w : workers)
        for (auto &entry : w->counts.sites)
            if (entry.second.space == SHARED) {
                const Shown &known = shown[entry.first];
                const uint8_t uneven = known.apart & SHOWN ? 0 : *known.uneven;
                entry.second.apart = known.apart | (uneven & UNEVEN_WIDE ? NOT_AT_WIDE : 0) |
                                     (uneven & UNEVEN_HALF ? NOT_AT_WIDE | NOT_AT_HALF : 0);
            }
}

/* Replaces the members that are covered by one instruction of `bytes`. */
static void put_in_place(CountSink &s, const CountedJoin &j, Part part, unsigned covers, unsigned bytes)
{
    const SiteCounts *lead = nullptr;
    uint64_t useful = 0;
    for (const CountedJoin::Member &m : j.members) {
        if (!(covers & 1u << m.place))
            continue;
        SiteCounts &site = s.sites[m.site];
        site.requests -= j.n;
        site.lanes -= j.lanes;
        site.units -= m.units;
        site.least -= m.least;
        site.useful -= m.useful;
        useful += m.useful;
        if (!lead)
            lead = &site;
    }
    const uint64_t key = (lead->key & ~0xfffffff0ull) | (uint64_t)bytes << 16 | (lead->key & 0xf);
    const SiteCounts like = *lead;
    SiteCounts &wide = s.sites[key];
    if (!wide.key) {
        wide.key = key;
        wide.pc = like.pc;
        wide.size = (uint8_t)bytes;
        wide.kind = like.kind;
        wide.space = like.space;
    }
    wide.requests += j.n;
    wide.lanes += j.lanes;
    wide.units += j.joined[part].units;
    wide.least += j.joined[part].least;
    wide.useful += useful;
}

static void join_in(CountSink &s)
{
    for (auto &entry : s.sites) {
        SiteCounts &c = entry.second;
        if (c.after && !(c.apart & NEW))
            c.requests = c.units = c.least = c.lanes = 0;
    }
    for (const auto &entry : s.joins) {
        const CountedJoin &j = entry.second;
        const unsigned size = s.sites[j.members[0].site].size;
        unsigned apart = j.bytes == wide(size) ? 0 : NOT_AT_WIDE;
        for (const CountedJoin::Member &m : j.members)
            apart |= s.sites[m.site].apart;
        const unsigned places = j.bytes / size, low = (1u << places / 2) - 1;
        if (j.parts & 1u << WHOLE && !(apart & (j.bytes == wide(size) ? NOT_AT_WIDE : NOT_AT_HALF)))
            put_in_place(s, j, WHOLE, ~0u, j.bytes);
        else if (!(apart & NOT_AT_HALF))
            for (Part part : {LOW, HIGH})
                if (j.parts & 1u << part)
                    put_in_place(s, j, part, part == LOW ? low : low << places / 2, j.bytes / 2u);
    }
    s.joins.clear();
    for (auto i = s.sites.begin(); i != s.sites.end();)
        i = i->second.requests ? std::next(i) : s.sites.erase(i);
}

void joins_add(const std::vector<Worker *> &workers)
{
    std::lock_guard<std::mutex> hold(shown_lock);
    share_alignment(workers);
    for (Worker *w : workers)
        join_in(w->counts);
}

} // namespace simt
