/*
 * replay_trace.cpp - the trace of every warp: its memory requests in order, and where it waited for other warps.
 *
 * Counts give the amount of data that was moved.  The time on a GPU also depends on which request waited for which.
 * The order of the requests shows that, and common/simulator/predict replays it.  A request takes 8 bytes, and 4 for
 * each distinct sector.
 *
 * To detect an address that was computed from a loaded value, as in x[col[k]], the address is compared with the values
 * that the last loads of the same lanes returned.  This works whatever code the compiler generates.
 */
#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include "internal.hpp"

namespace simt {

enum { LOADS_BACK = 8, MAX_SITES = UINT16_MAX };

/* One of a warp's last loads. */
struct LoadSeen {
    uint32_t lanes;
    uint8_t bytes;
    uint64_t address[WARP];     /* of each lane */
};

struct WarpWay {
    std::vector<simt_step_t> steps;
    std::vector<uint32_t> sectors;
    LoadSeen loads[LOADS_BACK];
    uint32_t n_loads;
};

struct BlockWay {
    WarpWay warps[MAX_WARPS];
    Allocation buffer;          /* the buffer of the last lookup */
    uint32_t last_pc = 0;
    uint16_t last_site = 0;
};

/* Memory in chunks that never move. */
struct Arena {
    std::vector<std::unique_ptr<uint64_t[]>> chunks;
    size_t used = 0, room = 0;
    void *take(size_t bytes)
    {
        const size_t words = (bytes + 7) / 8;
        if (used + words > room) {
            room = std::max<size_t>(words, 1 << 17);
            chunks.emplace_back(new uint64_t[room]);
            used = 0;
        }
        used += words;
        return &chunks.back()[used - words];
    }
};

struct LaunchWay {
    simt_way_t shown{};
    std::string kernel, symbol;
    std::vector<simt_warp_way_t> warps;
    std::vector<uint32_t> pcs;              /* the program point of each site */
    std::unordered_map<uint32_t, uint16_t> site_of;
    std::deque<Place> places;
    std::vector<simt_site_t> sites;
};

static std::mutex lock;
static Arena arena;
static size_t kept;                         /* bytes of all traces */
static std::deque<LaunchWay> launches;
static std::vector<simt_way_t> shown;
static std::vector<BlockWay *> spare;
static std::atomic<bool> too_much, asked;

LaunchWay *way_launch(const Launch &l, const void *kernel)
{
    if (!settings.replay_bytes || !l.counting || too_much)
        return nullptr;
    launches.emplace_back();
    LaunchWay &way = launches.back();
    way.kernel = l.name;
    way.symbol = symbol_of(kernel);
    way.shown.blocks = l.n_blocks;
    way.shown.threads = l.block.x * l.block.y * l.block.z;
    way.shown.warps = (way.shown.threads + WARP - 1) / WARP;
    way.warps.resize(l.n_blocks * way.shown.warps);
    return &way;
}

void way_memset(size_t bytes)
{
    if (!settings.replay_bytes || !settings.counting)
        return;
    launches.emplace_back();
    launches.back().shown.memset_bytes = bytes;
}

void way_gpu_asked() { asked = true; }

/* ---- blocks ---- */

void way_block_start(Block *b)
{
    b->way = nullptr;
    if (!b->launch->way || too_much)
        return;
    std::lock_guard<std::mutex> hold(lock);
    if (spare.empty())
        spare.push_back(new BlockWay);
    b->way = spare.back();
    spare.pop_back();
    b->way->last_pc = 0;            /* the old value may be from a launch with other sites */
    b->way->buffer = Allocation{};
    for (uint32_t i = 0; i < b->n_warps; ++i) {
        b->way->warps[i].steps.clear();
        b->way->warps[i].sectors.clear();
        b->way->warps[i].n_loads = 0;
    }
}

static size_t shared_bytes(const Block *b)
{
    size_t bytes = b->launch->dynamic_bytes;
    for (const SharedVariable &v : b->variables)
        bytes += (v.size + 15) / 16 * 16;
    return bytes;
}

void way_block_finish(Block *b)
{
    if (!b->way)
        return;
    LaunchWay &l = *b->launch->way;
    std::lock_guard<std::mutex> hold(lock);
    l.shown.shared_bytes = std::max(l.shown.shared_bytes, shared_bytes(b));
    for (uint32_t i = 0; i < b->n_warps && !too_much; ++i) {
        const WarpWay &from = b->way->warps[i];
        const size_t step_bytes = from.steps.size() * sizeof from.steps[0];
        const size_t sector_bytes = from.sectors.size() * sizeof from.sectors[0];
        kept += step_bytes + sector_bytes;
        too_much = kept > settings.replay_bytes;
        void *steps = memcpy(arena.take(step_bytes + 8), from.steps.data(), step_bytes);
        void *sectors = memcpy(arena.take(sector_bytes + 8), from.sectors.data(), sector_bytes);
        l.warps[b->linear * b->n_warps + i] = {static_cast<simt_step_t *>(steps), static_cast<uint32_t *>(sectors),
                                               from.steps.size()};
    }
    spare.push_back(b->way);
    b->way = nullptr;
}

/* ---- steps ---- */

static uint16_t site_of(Block *b, uint32_t pc)
{
    if (b->way->last_pc == pc)
        return b->way->last_site;
    LaunchWay &l = *b->launch->way;
    std::lock_guard<std::mutex> hold(lock);
    auto i = l.site_of.find(pc);
    if (i == l.site_of.end()) {
        i = l.site_of.emplace(pc, (uint16_t)std::min<size_t>(l.pcs.size(), MAX_SITES)).first;
        if (i->second == l.pcs.size())
            l.pcs.push_back(pc);
    }
    b->way->last_pc = pc;
    return b->way->last_site = i->second;
}

static simt_step_t &new_step(Block *b, Warp *w, WarpWay &way, simt_step_kind_t kind, uint32_t pc, unsigned lanes)
{
    way.steps.push_back({site_of(b, pc), (uint8_t)kind, (uint8_t)lanes, 0, 0, 0,
                         (uint8_t)std::min<uint32_t>(w->basic_blocks, UINT8_MAX)});
    w->basic_blocks = 0;
    return way.steps.back();
}

void way_mark(Block *b, Warp *w, simt_step_kind_t kind, uintptr_t pc, uint32_t lanes)
{
    new_step(b, w, b->way->warps[w - b->warps], kind, short_pc(pc), (unsigned)__builtin_popcount(lanes));
}

/* Returns integer number `part` of a lane's loaded value; a vector of four has four. */
static int64_t value_at(uint64_t address, unsigned bytes, unsigned part)
{
    int64_t wide;
    int32_t word;
    if (bytes == 8 && part == 1)
        return memcpy(&wide, (const void *)address, sizeof wide), wide;
    if (bytes < 4)
        return bytes == 1 ? *(const int8_t *)address : *(const int16_t *)address;
    return memcpy(&word, (const char *)address + (bytes == 16 ? 4 * part : 0), sizeof word), word;
}

/* Returns whether the distance of two addresses, or their offsets in their buffer, match the two loaded values. */
static bool made_from(const uint64_t a[2], const int64_t v[2], uint64_t base, unsigned piece)
{
    for (unsigned scale : {piece, 4u, 8u}) {
        if (v[0] != v[1] && (int64_t)(a[1] - a[0]) == (v[1] - v[0]) * (int64_t)scale)
            return true;
        const uint64_t near = 512;  /* 32 adjacent lanes, after the address in the value */
        if (v[0] > 0 && v[1] > 0 && a[0] - base - (uint64_t)v[0] * scale < near &&
            a[1] - base - (uint64_t)v[1] * scale < near)
            return true;
    }
    return false;
}

/* Returns how many loads ago the value was loaded from which this address was computed; 0 if no recent load loaded
   it. */
static unsigned loads_back(BlockWay *b, const WarpWay &way, const uint64_t *address, const uint8_t *lane, unsigned n,
                           unsigned piece)
{
    for (unsigned back = 1; back <= LOADS_BACK && back <= way.n_loads; ++back) {
        const LoadSeen &l = way.loads[(way.n_loads - back) % LOADS_BACK];
        unsigned from = 0, to = n - 1;
        while (from < to && !(l.lanes >> lane[from] & 1))
            ++from;
        while (to > from && !(l.lanes >> lane[to] & 1))
            --to;
        if (!(l.lanes >> lane[from] & 1))
            continue;
        if (address[from] - b->buffer.base >= b->buffer.size && !heap_find(address[from], &b->buffer))
            return 0;
        const uint64_t a[2] = {address[from], address[to]};
        for (unsigned part = 0; part < (l.bytes == 16 ? 4u : l.bytes == 8 ? 2u : 1u); ++part) {
            const int64_t v[2] = {value_at(l.address[lane[from]], l.bytes, part),
                                  value_at(l.address[lane[to]], l.bytes, part)};
            if (made_from(a, v, b->buffer.base, piece))
                return back;
        }
    }
    return 0;
}

static void keep_load(WarpWay &way, const uint64_t *address, const uint8_t *lane, unsigned n, unsigned bytes)
{
    LoadSeen &l = way.loads[way.n_loads++ % LOADS_BACK];
    l.lanes = 0;
    l.bytes = (uint8_t)bytes;
    for (unsigned i = 0; i < n; ++i) {
        l.lanes |= 1u << lane[i];
        l.address[lane[i]] = address[i];
    }
}

/* Returns the number of a sector, counted from the start of device memory.  Sectors of __device__ and __managed__
   variables, whose sections come in any order, have a separate range of numbers. */
static uint32_t sector_number(uint64_t a)
{
    const uintptr_t variables = managed.size && managed.base < program.base ? managed.base : program.base;
    return heap.contains(a) ? (uint32_t)((a - heap.base) >> 5) : 1u << 31 | (uint32_t)((a - variables) >> 5);
}

/* Appends the distinct sectors of a request, ascending; returns their number. */
static unsigned keep_sectors(WarpWay &way, const uint64_t *address, unsigned n)
{
    uint32_t sector[WARP];
    for (unsigned i = 0; i < n; ++i)
        sector[i] = sector_number(address[i]);
    if (!std::is_sorted(sector, sector + n))
        std::sort(sector, sector + n);
    const unsigned count = (unsigned)(std::unique(sector, sector + n) - sector);
    way.sectors.insert(way.sectors.end(), sector, sector + count);
    return count;
}

void way_request(Block *b, Warp *w, uint32_t pc, const Event &e, const uint64_t *address, const uint8_t *lane,
                 unsigned n)
{
    WarpWay &way = b->way->warps[w - b->warps];
    const unsigned kind = (e.space == SHARED ? SIMT_SHARED_LOAD : SIMT_LOAD) + e.kind;
    simt_step_t &step = new_step(b, w, way, (simt_step_kind_t)kind, pc, n);
    step.bytes = e.piece;
    if (e.space == SHARED) {
        unsigned least;
        step.units = (uint8_t)std::min(wavefronts(address, lane, n, e.piece, (AccessKind)e.kind, &least), 255u);
    } else {
        step.units = (uint8_t)keep_sectors(way, address, n);
        if (e.kind == READ)
            step.after = (uint8_t)loads_back(b->way, way, address, lane, n, e.piece);
    }
    if (e.kind == READ)
        keep_load(way, address, lane, n, e.piece);
}

} // namespace simt

using namespace simt;

void simt_set_replay(size_t most_bytes)
{
    settings.replay_bytes = most_bytes;
    shown.clear();
    launches.clear();
    arena = Arena();
    kept = 0;
    too_much = false;
}

const simt_way_t *simt_ways(size_t *n)
{
    shown.clear();
    shown.reserve(launches.size() + 1);     /* + 1: a null pointer would mean too many launches */
    for (LaunchWay &l : launches) {
        l.places.clear();
        l.sites.clear();
        for (uint32_t pc : l.pcs) {
            l.places.push_back(place_of(pc));
            l.sites.push_back({l.places.back().file.c_str(), l.places.back().line});
        }
        l.shown.kernel = l.shown.blocks ? l.kernel.c_str() : nullptr;
        l.shown.symbol = l.symbol.c_str();
        l.shown.warp = l.warps.data();
        l.shown.sites = l.sites.data();
        l.shown.n_sites = l.sites.size();
        shown.push_back(l.shown);
    }
    *n = shown.size();
    return too_much ? nullptr : shown.data();
}

int simt_gpu_asked(void) { return asked.exchange(false); }

int simt_turns(void) { return settings.turns; }
