/*
 * joins.cpp - adjacent accesses that nvcc joins into one instruction count as one request.
 *
 * nvcc loads s[2 * t] and s[2 * t + 1] by one instruction of 8 bytes, and As[ty][k] to As[ty][k + 3] of an unrolled
 * loop by one of 16, if it can prove that they are aligned.  In the simulator each is a separate access.  The simulator
 * cannot prove alignment, so it observes the launch.  Accesses of the same lanes are joined if both conditions hold:
 *
 *   - They are in one piece of straight code: no operation is between them that they must not pass (a barrier, a store
 *     or an atomic in shared memory; for stores a load, too), the same lanes are active, and the only loop is the
 *     innermost one, if it is short enough to be unrolled.
 *   - Their offsets within 16 (or 8) bytes are the same for all lanes.  The first access of the joined ones has the
 *     same offset in the whole launch and in all launches before.  This excludes s[t], and s[ty][k] with rows of 33
 *     floats.
 *
 * If an access always reads what another access of the same lanes has just read, with no store to shared memory between
 * them, it is not counted.  Of the four words of 16 bytes nvcc loads all if three are needed.  It loads two only if
 * they are one half of the 16 bytes; the same holds for stores.  Only at the end of a launch is it known whether
 * accesses are joined, so both sums are kept until then.
 *
 * In global memory only types tell what is aligned (simtcc/types.cpp): components of one vector, p[i].x and p[i].y, are
 * joined if no branch and no access to possibly the same address is between them.
 */
#include <algorithm>
#include <cstring>
#include "joins.hpp"

namespace simt {

enum { WINDOWS = 8, LONGEST_PATH = 32, LONGEST_ROUND = 12, SHORT_LOOP = 8, MOST_CHECKS = 2, READS = 4 };

/* An aligned piece of 16 or 8 bytes for each lane, of which accesses have touched some. */
struct Window {
    uint32_t lanes;
    uint8_t bytes, size, kind, space, pointer;      /* size: of an access; pointer: as in the mark POINTER */
    uint8_t wanted, n_members;      /* wanted: one bit for each number of that size */
    bool begins, loops;             /* begins: has the first access of the piece; loops: spans several iterations */
    uint64_t base[WARP];            /* of each active lane, the lowest first */
    struct Member { SiteCounts *site; uint8_t place; RequestSize request; } members[4];
};

/* A read by these lanes, with no write to shared memory since. */
struct Recent {
    const SiteCounts *site;         /* NULL: no read */
    uint32_t lanes, block;          /* block: the number of basic blocks entered before */
    uint64_t address[WARP];         /* of each lane */
};

/* The straight code that the warp has executed since the last point over which no access may be moved. */
struct Straight {
    uint64_t id;
    uint32_t lanes;
    uint32_t path[LONGEST_PATH], n_path;    /* its basic blocks */
    uint32_t head, at, rounds, accesses;    /* the loop at the end; at: its next step, 0: no loop */
    uint32_t entered;                       /* basic blocks since the last access, without an iteration's first */
    uint32_t next, next_read, blocks;       /* blocks: basic blocks that the warp has entered */
    Window windows[WINDOWS];
    Recent reads[READS];
};

/* Counts the one instruction that would replace those of `part`. */
static void keep_group(CountedJoin &j, const Window &w, Part part)
{
    const unsigned bytes = part == WHOLE ? w.bytes : w.bytes / 2, n = (unsigned)__builtin_popcount(w.lanes);
    uint64_t address[WARP];
    uint8_t lane[WARP];
    unsigned i = 0, least;
    for (uint32_t m = w.lanes; m; m &= m - 1, ++i) {
        address[i] = w.base[i] + (part == HIGH ? bytes : 0);
        lane[i] = (uint8_t)__builtin_ctz(m);
    }
    if (w.space == SHARED) {
        j.joined[part].units += wavefronts(address, lane, n, bytes, (AccessKind)w.kind, &least);
        j.joined[part].least += least;
        return;
    }
    unsigned useful = 0;
    for (i = 0; i < w.n_members; ++i)
        if (part == WHOLE || w.members[i].place / (w.bytes / w.size / 2) == (part == HIGH))
            useful += w.members[i].request.useful;
    j.joined[part].units += sectors(address, n);
    j.joined[part].least += (useful + 31) / 32;
}

/* Returns the numbers that an instruction of half a window covers, one bit each. */
static unsigned half(const Window &w, Part part)
{
    const unsigned places = w.bytes / w.size / 2, low = (1u << places) - 1;
    return part == LOW ? low : low << places;
}

/* Returns the parts of the window that are joined if the alignment allows it. */
static unsigned parts_of(const Window &w)
{
    const unsigned all = (1u << w.bytes / w.size) - 1, n = (unsigned)__builtin_popcount(w.wanted);
    const bool tail = w.loops && !w.begins && w.wanted != all;  /* the remaining iterations of an unrolled loop */
    unsigned parts = 0;
    if (tail || n < 2)
        return 0;
    const bool in_global = w.space == GLOBAL, three = w.bytes == 16 && n == 3 && (!in_global || w.wanted & 1);
    const bool small = w.size < 4 && in_global && (w.wanted & 5) == 5;      /* x and z of a short4 */
    if (w.wanted == all || (w.kind == READ && (three || small)))
        parts |= 1u << WHOLE;
    if (w.bytes / w.size == 4)
        for (Part part : {LOW, HIGH})
            if ((w.wanted & half(w, part)) == half(w, part))
                parts |= 1u << part;
    return parts;
}

static void close_window(CountSink &s, Window &w)
{
    const unsigned parts = w.n_members < 2 ? 0 : parts_of(w);
    if (parts) {
        uint64_t key = (uint64_t)parts << 8 | w.bytes;
        for (unsigned i = 0; i < w.n_members; ++i)
            key = (key ^ w.members[i].site->key ^ (uint64_t)w.members[i].place << 60) * 0x9e3779b97f4a7c15ull;
        CountedJoin &j = s.joins[key];
        if (j.n++ == 0) {
            j.parts = parts;
            j.bytes = w.bytes;
            for (unsigned i = 0; i < w.n_members; ++i)
                j.members.push_back({w.members[i].site->key, w.members[i].place, 0, 0, 0});
        }
        j.lanes += (unsigned)__builtin_popcount(w.lanes);
        for (unsigned i = 0; i < w.n_members; ++i) {
            j.members[i].units += w.members[i].request.units;
            j.members[i].least += w.members[i].request.least;
            j.members[i].useful += w.members[i].request.useful;
        }
        for (Part part : {WHOLE, LOW, HIGH})
            if (parts & 1u << part)
                keep_group(j, w, part);
    }
    w.n_members = 0;
}

enum : unsigned { READS_OF = 1u << READ, WRITES_OF = 1u << WRITE, ALL_OF = READS_OF | WRITES_OF };
static void close_windows(CountSink &s, Straight &p, unsigned kinds, Space space)
{
    for (Window &w : p.windows)
        if (w.n_members && w.space == space && kinds >> w.kind & 1)
            close_window(s, w);
}

static void close_all(CountSink &s, Straight &p)
{
    close_windows(s, p, ALL_OF, SHARED);
    close_windows(s, p, ALL_OF, GLOBAL);
}

static void forget_reads(Straight &p)
{
    for (Recent &r : p.reads)
        r.site = nullptr;
}

/* Begins a new piece of straight code.  After a loop, the values that its last iteration read count as unknown. */
static void begin_piece(CountSink &s, Straight &p, uint32_t lanes)
{
    close_all(s, p);
    if (p.at)
        forget_reads(p);
    p.id = ++s.pieces;
    p.lanes = lanes;
    p.n_path = p.at = p.rounds = p.accesses = p.entered = 0;
}

void joins_end(Block *b, Warp *w)
{
    if (!w->straight)
        return;
    begin_piece(b->worker->counts, *w->straight, 0);
    forget_reads(*w->straight);
}

void joins_round(Block *b, Warp *w)
{
    if (w->straight)
        begin_piece(b->worker->counts, *w->straight, 0);
}

/* Accesses to shared memory before and after a branch are not joined; components of vectors in global memory are. */
void joins_branch(Block *b, Warp *w)
{
    if (w->straight)
        close_windows(b->worker->counts, *w->straight, ALL_OF, SHARED);
}

void joins_forget(Warp *w)
{
    delete w->straight;
    w->straight = nullptr;
}

/* The first iteration of a loop defines its body: lanes that take another path later have left the loop. */
void joins_block(Block *b, Warp *w, uint32_t pc, uint32_t lanes)
{
    if (!w->straight)
        return;
    CountSink &s = b->worker->counts;
    Straight &p = *w->straight;
    ++p.blocks;
    if (p.lanes != lanes) {
        begin_piece(s, p, lanes);
    } else if (p.at) {
        ++p.entered;
        if (p.at == p.n_path) {
            p.entered = 0;
            p.at = p.head;
            ++p.rounds;
            if (p.accesses > LONGEST_ROUND)
                close_all(s, p);
            p.accesses = 0;
        }
        if (p.path[p.at] == pc) {
            ++p.at;
            return;
        }
        p.at = 1;
        begin_piece(s, p, lanes);
    } else {
        const uint32_t i = (uint32_t)(std::find(p.path, p.path + p.n_path, pc) - p.path);
        if (i < p.n_path) {
            p.head = i;
            p.entered = 0;
            p.at = i + 1;
            p.rounds = 1;
            if (p.accesses > LONGEST_ROUND)
                close_all(s, p);
            p.accesses = 0;
            return;
        }
        if (p.n_path == LONGEST_PATH)
            begin_piece(s, p, lanes);
        p.entered += p.n_path > 0;
    }
    p.path[p.n_path++] = pc;
}

/* Returns whether all lanes have the same offset within `bytes`. */
static bool same_place(const uint64_t *address, unsigned n, unsigned bytes)
{
    uint64_t differ = 0;
    for (unsigned i = 1; i < n; ++i)
        differ |= address[i] ^ address[0];
    return (differ & (bytes - 1)) == 0;
}

/* Records the alignment of an access, together with that of earlier accesses of the site in the launch. */
static void record_alignment(SiteCounts *site, bool first, const uint64_t *address, unsigned n, bool at_wide,
                             bool at_half)
{
    enum { SEVERAL = 4 };
    site->apart |= (uint8_t)((at_wide ? 0 : NOT_AT_WIDE | UNEVEN_WIDE) | (at_half ? 0 : NOT_AT_HALF | UNEVEN_HALF) |
                             (n >= SEVERAL ? SHOWN : 0));
    if (!first)
        return;
    const uint8_t begins = (uint8_t)(1 + address[0] % 16);
    if (!site->begins)
        site->begins = begins;
    site->apart |= begins_apart(site->begins, begins, site->size);
}

static Window *window_of(CountSink &s, Straight &p, const Window &like, unsigned n, unsigned place)
{
    for (Window &w : p.windows)
        if (w.n_members && w.lanes == like.lanes && w.bytes == like.bytes && w.size == like.size &&
            w.kind == like.kind && w.space == like.space && !memcmp(w.base, like.base, n * sizeof *w.base)) {
            if (w.n_members < 4 && !(w.wanted & 1u << place))
                return &w;
            close_window(s, w);
            break;
        }
    Window &w = p.windows[p.next++ % WINDOWS];
    if (w.n_members)
        close_window(s, w);
    memcpy(&w, &like, offsetof(Window, base) + n * sizeof *w.base);
    return &w;
}

/* Returns whether another site has read the same addresses for these lanes, at most two basic blocks before.  If it
   always has, nvcc keeps the value in a register, while g++ reads again after any store to global memory.  At a larger
   distance there may be stores on branches that no lane has taken. */
static bool read_before(Straight &p, SiteCounts *site, const uint64_t *address, const uint8_t *lane, unsigned n)
{
    for (const Recent &r : p.reads) {
        if (!r.site || p.blocks - r.block > MOST_CHECKS || r.site == site || r.site->size != site->size ||
            (site->after && site->after != r.site->key))
            continue;
        unsigned i = 0;
        while (i < n && r.lanes >> lane[i] & 1 && r.address[lane[i]] == address[i])
            ++i;
        if (i < n)
            continue;
        site->after = r.site->key;
        return true;
    }
    site->apart |= NEW;
    Recent &r = p.reads[p.next_read++ % READS];
    r.site = site;
    r.block = p.blocks;
    r.lanes = 0;
    for (unsigned i = 0; i < n; ++i) {
        r.lanes |= 1u << lane[i];
        r.address[lane[i]] = address[i];
    }
    return false;
}

/* Returns the difference between an address of shared memory here and on a GPU.  A GPU has no gaps between variables,
   so accesses to two adjacent floats may be joined, and the alignment of a variable after an array of odd size
   differs. */
static uint64_t to_gpu(const Block *b, uint64_t address)
{
    const uint64_t place = (uint64_t)1 << 40;   /* an address that no variable has */
    for (const SharedVariable &v : b->variables)
        if (address - v.address < v.size)
            return place + v.on_gpu - v.address;
    return 0;
}

/* Stores an access that may be joined with others of the same lanes into `bytes` aligned bytes. */
static Window *keep_access(CountSink &s, Straight &p, const Event &e, SiteCounts *site, const uint64_t *address,
                           uint32_t lanes, unsigned n, unsigned bytes, const RequestSize &request)
{
    Window like;
    like.pointer = (uint8_t)(e.address / POINTER % 16);
    like.lanes = lanes;
    like.bytes = (uint8_t)bytes;
    like.size = e.piece;
    like.kind = e.kind;
    like.space = e.space;
    like.wanted = like.n_members = 0;
    like.begins = like.loops = false;
    for (unsigned i = 0; i < n; ++i)
        like.base[i] = address[i] & -(uint64_t)bytes;
    const unsigned place = (unsigned)(address[0] % bytes / e.piece);
    Window *window = window_of(s, p, like, n, place);
    window->wanted |= (uint8_t)(1u << place);
    for (unsigned i = 0; i < window->n_members; ++i)
        window->loops |= window->members[i].site == site;
    window->members[window->n_members++] = {site, (uint8_t)place, request};
    return window;
}

/* Returns whether these lanes are those of the window, and all access only its bytes. */
static bool is_of_window(const Window &w, uint32_t lanes, const uint64_t *address, unsigned n)
{
    unsigned i = 0;
    while (w.lanes == lanes && i < n && address[i] - w.base[i] < w.bytes)
        ++i;
    return i == n;
}

/* Handles an access to global memory, which may be a component of a vector.  It ends the joining of accesses that it
   may overlap: all through the same pointer, unless both are components of the same vector.  A __restrict__ pointer
   counts as a different one. */
static void join_in_global(CountSink &s, Straight &p, const Event &e, SiteCounts *site, const uint64_t *address,
                           uint32_t lanes, unsigned n, const RequestSize &request)
{
    const uintptr_t mark = e.kind == ATOMIC ? (uintptr_t)IN_NONE : e.address & IN_16;
    const uintptr_t pointer = e.address / POINTER % 16;
    for (Window &w : p.windows)
        if (w.n_members && w.space == GLOBAL && (e.kind != READ || w.kind != READ) && w.pointer == pointer &&
            !(mark && is_of_window(w, lanes, address, n)))
            close_window(s, w);
    const unsigned bytes = mark == IN_4 ? 4 : mark == IN_8 ? 8 : 16;
    if (mark && same_place(address, n, bytes))
        keep_access(s, p, e, site, address, lanes, n, std::min(bytes, wide(e.piece)), request)->begins = true;
}

void joins_access(Block *b, Warp *w, const Event &e, SiteCounts *site, const uint64_t *address, const uint8_t *lane,
                  unsigned n, const RequestSize &request)
{
    if (b->launch->film)        /* a film shows each access separately */
        return;
    CountSink &s = b->worker->counts;
    if (!w->straight)
        w->straight = new Straight();
    Straight &p = *w->straight;
    uint32_t lanes = 0;
    for (unsigned i = 0; i < n; ++i)
        lanes |= 1u << lane[i];
    if (p.lanes != lanes || p.id == 0)
        begin_piece(s, p, lanes);
    /* In programs of simtcc each check of an array index (bounds.cpp) is a separate basic block. */
    if (p.entered > (settings.checks_indexes ? MOST_CHECKS : 0))
        close_all(s, p);
    else if (p.entered)
        close_windows(s, p, ALL_OF, GLOBAL);
    p.entered = 0;
    ++p.accesses;
    if (e.space == GLOBAL)
        return join_in_global(s, p, e, site, address, lanes, n, request);
    if (e.space != SHARED)
        return;
    close_windows(s, p, e.kind == READ ? WRITES_OF : e.kind == WRITE ? READS_OF : ALL_OF, SHARED);
    if (e.kind != READ)
        forget_reads(p);
    if (e.address & VOLATILE) {
        site->apart |= NOT_AT_WIDE | NOT_AT_HALF | NEW;
        return;
    }
    if (e.kind == READ && read_before(p, site, address, lane, n))
        return;
    /* Of numbers smaller than a word, nvcc joins only stores of 2-byte numbers. */
    if (e.kind == ATOMIC || e.piece > 8 || (e.piece < 4 && (e.piece == 1 || e.kind == READ)))
        return;
    uint64_t moved[WARP];
    const uint64_t distance = to_gpu(b, address[0]);
    for (unsigned i = 0; i < n; ++i)
        moved[i] = address[i] + distance;
    address = moved;
    const unsigned bytes = wide(e.piece);
    const bool at_wide = same_place(address, n, bytes), at_half = same_place(address, n, bytes / 2);
    const bool first = site->piece != p.id;
    site->piece = p.id;
    record_alignment(site, first, address, n, at_wide, at_half);
    if (!at_half || (e.piece == 8 && !at_wide) || site->apart & NOT_AT_HALF)
        return;
    Window *window = keep_access(s, p, e, site, address, lanes, n, at_wide ? bytes : bytes / 2, request);
    window->begins |= first || p.rounds < SHORT_LOOP;
}

} // namespace simt
