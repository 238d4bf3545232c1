/*
 * requests.cpp - computes the memory request of one instruction of a warp, and counts it.
 *
 * Each access of each group of lanes that fold.cpp forms is one request.  Its sectors are the distinct
 * 32-byte pieces of memory it touches; its wavefronts are the largest number of distinct words
 * that it needs from one of the 32 banks.  8- and 16-byte accesses are split into phases of 16 and 8
 * lanes; loads may use phases of twice as many lanes that need half as many words.  Adjacent accesses
 * may be one request: joins.cpp.
 */
#include <algorithm>
#include "internal.hpp"

namespace simt {

/* Returns the number of different values in v[0..n), n <= 32. */
static unsigned distinct(const uint64_t *v, unsigned n)
{
    unsigned count = 1, i;
    for (i = 1; i < n && v[i] >= v[i - 1]; ++i)
        count += v[i] != v[i - 1];
    if (i >= n)
        return count;       /* the values ascend, as in most accesses */
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

/* Returns the number of sectors of one request. */
unsigned sectors(const uint64_t *address, unsigned n)
{
    uint64_t sector[WARP];
    for (unsigned i = 0; i < n; ++i)
        sector[i] = address[i] >> 5;
    return distinct(sector, n);
}

/* Returns the largest number of distinct words in one bank, among the words of one phase (at most 64). */
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

/* Returns whether lanes whose numbers differ only in this bit access the same address, for all such pairs of active
   lanes. */
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

/* Returns the number of lanes, from the first one on, in one phase: half a warp for 8-byte accesses, a quarter for
   16-byte ones.  For loads it is twice as many if all pairs of adjacent lanes, or all pairs of lanes at distance 2,
   load the same address. */
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

/* Returns the wavefronts of one request; *least gets the number that it would take without bank conflicts. */
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
 * ONE_FOR_ALL: if all lanes update one address, one lane adds for all of them in nvcc's code. */
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
void count_access(Block *b, Warp *w, uint32_t pc, uint32_t group, Event *const *event)
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

} // namespace simt
