/*
 * repeats.cpp - a launch that would repeat an earlier launch exactly is not run again.
 *
 * Programs launch a kernel a hundred times to measure its time.  What a kernel does follows from its code, its
 * arguments and the memory it can reach.  If all of these are as they were before an earlier launch, the new launch
 * would have the same reports and counts and leave the same memory.  So the simulator restores these results instead:
 * the bytes of the buffers that the kernel changed, its counts, and its marks in the shadow, which now belong to the
 * new launch.
 *
 * The comparison uses a digest of every byte of device memory and of its shadow.  It is taken only before a launch that
 * is known to take longer than the digest of the memory that may have changed.  All digests together may take a fifth
 * of the kernels' time, including the time that skipped launches would have taken.  A kernel with any other effect or
 * input is always run: printf, memory that it allocates and does not free, its own launches, a graph's condition,
 * reading the clock, memory that the host has mapped.
 *
 * Library calls are treated in the same way (simtcc/libraries/call.hpp) if they declare their arguments.
 *
 * For programs of simtcc alone.
 */
#define XXH_INLINE_ALL
#include <algorithm>
#include <cstring>
#include <ctime>
#include <deque>
#include <map>
#include <memory>
#include <unistd.h>
#include <xxhash.h>
#include "internal.hpp"

namespace simt {

struct Digest {
    Stretch of;
    uint64_t hash;
    bool operator==(const Digest &d) const { return of.p == d.of.p && of.bytes == d.of.bytes && hash == d.hash; }
};

/* A range of memory that a launch has changed: its bytes, followed by the state of its shadow. */
struct Left {
    Digest now;
    std::unique_ptr<char[]> bytes;
};

/* The effect of a launch on memory with a certain digest. */
struct Effect {
    std::vector<Digest> before;
    std::vector<Left> left;
    std::vector<Counted> counted;   /* one for each worker */
    Epochs epochs;
    double note[4] = {};            /* values that the listener attached (simt_set_listener) */

    Effect(std::vector<Digest> b, Epochs e) : before(std::move(b)), epochs(std::move(e)) {}
};

/* A launch with certain arguments, for any contents of memory. */
struct Repeat {
    double seconds;                 /* seconds that it takes */
    bool never;                     /* it has effects other than on memory, or changes too much memory to keep */
    unsigned in_vain;               /* number of effects stored since one was last reused */
    unsigned rest;                  /* number of launches that run without a digest */
    std::deque<Effect> effects;     /* the latest effects, one for each digest */
    Epochs latest;                  /* of the last launch that ran; in the shadow they may replace those of an effect */
};

/* Several effects are kept, since launches may alternate: each then repeats the one before the last. */
enum { MOST_EFFECTS = 3, MOST_KNOWN = 4096, DEAR = 2, SHARE = 5, LONGEST_REST = 6 /* log2 */ };
static const double LEAST_SECONDS = 0.001;
static std::map<std::string, Repeat> repeats;
static size_t kept_bytes;
static double second_a_byte = 0.1e-9;       /* time per byte of a digest, measured at each digest */
static double spent, of_kernels;            /* seconds of all digests, and of all launches, including those not run */
static uint64_t n_repeats;

double seconds_now()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The end and the digest of a range that has not been touched since its digest was computed. */
struct Known { uintptr_t end; uint64_t hash; };
static std::map<uintptr_t, Known> known;
static std::mutex known_lock;

void memory_touched()
{
    std::lock_guard<std::mutex> hold(known_lock);
    known.clear();
}

void memory_touched(uintptr_t from, size_t bytes)
{
    std::lock_guard<std::mutex> hold(known_lock);
    if (known.empty())
        return;
    auto i = known.upper_bound(from);
    if (i != known.begin() && std::prev(i)->second.end > from)
        --i;
    while (i != known.end() && i->first < from + bytes)
        i = known.erase(i);
}

static size_t state_bytes(const Stretch &s) { return s.state ? (s.bytes + 3) / 4 : 0; }

static uint64_t hash_of(const Stretch &s)
{
    const uint64_t h = XXH3_64bits(s.p, s.bytes);
    return s.state ? XXH3_64bits_withSeed(s.state, state_bytes(s), h) : h;
}

/* The host may write to managed or mapped memory without calling the simulator. */
static bool only_ours(const Stretch &s)
{ return heap.contains((uintptr_t)s.p) && !s.mapped && !is_managed((uintptr_t)s.p); }

static bool is_known(const Stretch &s, uint64_t *hash)
{
    std::lock_guard<std::mutex> hold(known_lock);
    const auto found = known.find((uintptr_t)s.p);
    if (found == known.end() || found->second.end != (uintptr_t)s.p + s.bytes)
        return false;
    *hash = found->second.hash;
    return true;
}

static void now_known(const Stretch &s, uint64_t hash)
{
    std::lock_guard<std::mutex> hold(known_lock);
    if (only_ours(s))
        known[(uintptr_t)s.p] = {(uintptr_t)s.p + s.bytes, hash};
}

static std::vector<Digest> digest()
{
    const double begin = seconds_now();
    std::vector<Digest> all;
    size_t bytes = 0;
    for (const Stretch &s : memory_stretches()) {
        all.push_back({s, 0});
        if (is_known(s, &all.back().hash))
            continue;
        now_known(s, all.back().hash = hash_of(s));
        bytes += s.bytes + state_bytes(s);
    }
    const double seconds = seconds_now() - begin;
    if (bytes > 1 << 20)
        second_a_byte = seconds / (double)bytes;
    spent += seconds;
    return all;
}

/* Whether computing a digest now is worth its time, if a repeated launch saves so many seconds. */
static bool pays(double spares)
{
    if (settings.looks_anyway)
        return true;
    size_t bytes = 0;
    uint64_t hash;
    for (const Stretch &s : memory_stretches())
        if (!is_known(s, &hash))
            bytes += s.bytes + state_bytes(s);
    const double cost = second_a_byte * (double)bytes;
    return spares > DEAR * cost && SHARE * (spent + cost) < of_kernels;
}

/* Identifies a launch by everything except the contents of memory. */
static std::string key_of(const Launch &l, const void *kernel, size_t bytes)
{
    struct { const void *kernel; void (*call)(const void *); uint3 grid, block; size_t shared, limit; } what;
    memset(&what, 0, sizeof what);
    what.kernel = kernel;
    what.call = l.call;
    what.grid = l.grid;
    what.block = l.block;
    what.shared = l.dynamic_bytes;
    what.limit = l.shared_limit;
    std::string key((const char *)&what, sizeof what);
    return key.append((const char *)l.args, bytes);
}

static void drop_oldest(Repeat *r)
{
    for (const Left &l : r->effects.front().left)
        kept_bytes -= l.now.of.bytes + state_bytes(l.now.of);
    r->effects.pop_front();
}

static void drop_all(Repeat *r)
{
    while (!r->effects.empty())
        drop_oldest(r);
}

void repeats_forget()
{
    for (auto &entry : repeats)
        drop_all(&entry.second);
}

/* ---- before a launch ---- */

static void put_in_place(Effect &e, const std::vector<Digest> &now, Launch *l, const Epochs &latest,
                         const std::vector<Worker *> &workers)
{
    for (const Left &left : e.left) {
        const Stretch &s = left.now.of;
        for (const Digest &d : now)
            if (d.of.p == s.p && d.hash != left.now.hash) {
                memcpy(s.p, left.bytes.get(), s.bytes);
                if (s.state)
                    memcpy(s.state, left.bytes.get() + s.bytes, state_bytes(s));
                now_known(s, left.now.hash);
            }
    }
    if (l) {
        order_repeats(l->order, e.epochs);
        order_repeats(l->order, latest);
        l->repeats = true;
        l->note = e.note;
    }
    for (size_t i = 0; i < e.counted.size(); ++i)
        static_cast<Counted &>(workers[i]->counts) = e.counted[i];
    ++n_repeats;
}

Repetition::Repetition(Launch *launch, const void *kernel, size_t bytes) : l(launch)
{
    if (settings.every_launch || !bytes || l->trace || settings.film)
        return;
    key = key_of(*l, kernel, bytes);
    const auto found = repeats.find(key);
    if (found == repeats.end())
        return;
    r = &found->second;
    if (r->rest) {
        --r->rest;
        return;
    }
    looks = !r->never && pays(r->seconds);
}

/* The seconds of the last executed library call of that name, which estimate a call with other arguments. */
static std::map<const char *, double> usual;

Repetition::Repetition(const char *n, std::string k) : l(nullptr), name(n)
{
    if (settings.every_launch)
        return;
    key = std::move(k);
    const auto found = repeats.find(key);
    if (found == repeats.end()) {
        looks = pays(usual[name]);
        return;
    }
    r = &found->second;
    if (r->rest)
        --r->rest;
    else
        looks = !r->never && pays(r->seconds);
}

Repetition::~Repetition() {}

bool Repetition::again(const std::vector<Worker *> &workers)
{
    if (!looks)
        return false;
    heap_look();
    before = digest();
    if (!r) {
        heap_close();
        return false;
    }
    const auto same = std::find_if(r->effects.begin(), r->effects.end(),
                                   [&](const Effect &e) { return e.before == before; });
    const bool found = same != r->effects.end();
    if (found) {
        put_in_place(*same, before, l, r->latest, workers);
        r->in_vain = 0;
        of_kernels += r->seconds;
    }
    heap_close();
    return found;
}

/* ---- after a launch ---- */

/* Finds the buffers that the launch has changed.  False: they are too large to keep, or the host can write them,
 * too. */
static bool keep_changes(Effect *e, const std::vector<Digest> &after)
{
    static const size_t most = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 16;
    if (after.size() != e->before.size())
        return false;
    for (size_t i = 0; i < after.size(); ++i) {
        const Stretch &s = after[i].of;
        if (after[i] == e->before[i])
            continue;
        const size_t bytes = s.bytes + state_bytes(s);
        if (s.mapped || kept_bytes + bytes > most)
            return false;
        e->left.push_back({after[i], std::unique_ptr<char[]>(new char[bytes])});
        kept_bytes += bytes;
        char *copy = e->left.back().bytes.get();
        memcpy(copy, s.p, s.bytes);
        if (s.state)
            memcpy(copy + s.bytes, s.state, state_bytes(s));
    }
    return true;
}

void Repetition::over(double seconds, const std::vector<Worker *> &workers, bool settled)
{
    if (key.empty() || (l && l->aborted))
        return;
    of_kernels += seconds;
    if (!l)
        usual[name] = seconds;
    else if (!l->allocated.empty())
        l->lasting = true;
    if (!r && (looks || settings.looks_anyway || seconds > LEAST_SECONDS)) {
        if (repeats.size() == MOST_KNOWN) {
            repeats_forget();
            repeats.clear();
        }
        r = &(repeats[key] = {seconds, l && l->lasting, 0, 0, {}, {}});
    }
    if (r && l)
        r->latest = order_epochs(l->order);
    if (!looks)
        return;
    if (++r->in_vain > MOST_EFFECTS && r->in_vain % 2)  /* two in a row are one more try */
        r->rest = 1u << std::min<unsigned>(r->in_vain, LONGEST_REST);
    if (settled)
        before = digest();
    r->effects.emplace_back(std::move(before), r->latest);
    Effect &e = r->effects.back();
    if ((l && l->lasting) || (!settled && !keep_changes(&e, digest()))) {
        r->never = true;
        return drop_all(r);
    }
    for (const Worker *w : workers)
        e.counted.push_back(w->counts);
    if (l)
        l->note = e.note;
    if (r->effects.size() > MOST_EFFECTS)
        drop_oldest(r);
}

void leaves_something()
{
    if (current)
        current->block->launch->lasting.store(true, std::memory_order_relaxed);
}

/* Memory that a kernel allocates and also frees is no effect of the launch. */
void kernel_allocates(uintptr_t p)
{
    Launch *l = current->block->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    l->allocated.insert(p);
}

void kernel_frees(uintptr_t p)
{
    Launch *l = current->block->launch;
    std::lock_guard<std::mutex> hold(l->release_lock);
    if (!l->allocated.erase(p))
        leaves_something();
}

} // namespace simt

using namespace simt;

uint64_t simt_repeats(void) { return n_repeats; }
void simt_leaves_something(void) { leaves_something(); }
void simt_set_every_launch(int on)
{
    settings.every_launch = on > 0;
    settings.looks_anyway = on < 0;
}
