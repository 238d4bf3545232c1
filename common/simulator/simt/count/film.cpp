/*
 * film.cpp - records a run step by step, for the player (docs/player).
 *
 * The events of a warp are recorded in order.  Memory requests are recorded where they are counted (requests.cpp).
 * Shuffles, votes and barriers are part of the lanes' traces, like accesses, so merging the traces orders them.  Faults
 * are also events; for a race the earlier access is recorded with it.
 */
#include <algorithm>
#include <map>
#include <tuple>
#include "internal.hpp"

namespace simt {

static Film film;
static thread_local FilmOther other; /* the earlier access of the race that is about to be reported */

static const char *what_was_done(const FilmEvent &e)
{
    static const char *const names[2][3] = {{"load", "store", "atomic"},
                                            {"shared load", "shared store", "shared atomic"}};
    switch (e.space) {
    case WARP_OP: return warp_op_name(e.kind);
    case BARRIER: return "barrier";
    case FAULT: return "fault";
    default: return names[e.space][e.kind];
    }
}

void film_launch(Launch *l)
{
    l->film = settings.counting ? settings.film : 0;
    if (!l->film)
        return;
    film.most = (size_t)l->film;
    l->film_number = (uint32_t)film.launches.size();
    film.launches.push_back({l->name, l->grid, l->block});
}

void film_leave(Thread *t, uintptr_t pc, Space s, uint8_t kind, uintptr_t value)
{
    if (!counting || !t->block->launch->film)
        return;
    if (t->n_events == t->room)
        make_room(t);
    t->events[t->n_events++] = {short_pc(pc), 1, kind, s, 1, value};
}

/* Sets the variable or buffer in which an address is, its first byte, and its size. */
static void name_buffer(const Block *b, uintptr_t a, FilmEvent *e)
{
    Allocation al;
    e->base = a & ~(uintptr_t)255;
    e->buffer = "memory";
    e->shared = b->shared.contains(a);
    if (e->shared) {
        e->base = b->shared_base;
        e->buffer = "dynamic";
        e->bytes = b->launch->dynamic_bytes;
        for (const SharedVariable &v : b->variables)
            if (a - v.address < v.size) {
                e->base = v.address; /* a multiple of 128: bank 0 (variables.cpp) */
                e->buffer = v.name;
                e->bytes = v.size;
            }
    } else if (heap.contains(a) && heap_find(a, &al)) {
        e->base = al.base;
        e->buffer = al.name;
        e->bytes = al.size;
    } else if (program.contains(a)) {
        e->base = program.base & ~(uintptr_t)255;
        e->buffer = "__device__";
        e->bytes = program.size;
    }
}

void film_keep(Block *b, const Warp *w, uint32_t pc, const Event &e, const uintptr_t *address, const uint8_t *lane,
               unsigned n)
{
    std::vector<FilmEvent> &kept = b->worker->counts.film;
    if (kept.size() > (size_t)b->launch->film)
        return;
    FilmEvent f = {};
    f.launch = b->launch->film_number;
    f.block = b->linear;
    f.warp = w->first / WARP;
    f.pc = pc;
    f.kind = e.kind;
    f.space = e.space;
    f.size = e.piece;
    if (e.space <= SHARED || (e.space == FAULT && address[0]))
        name_buffer(b, address[0], &f);
    for (unsigned i = 0; i < n; ++i) {
        f.lanes |= 1u << lane[i];
        f.at[i] = address[i];
    }
    kept.push_back(f);
}

void film_of_worker(CountSink &from)
{
    film.events.insert(film.events.end(), from.film.begin(), from.film.end());
    film.cut |= film.events.size() > film.most;
    from.film.clear();
}

void film_race(const FilmOther &with) { other = with; }

void film_fault(Thread *t, uintptr_t pc)
{
    const FilmOther with = other;
    other = {};
    if (!t->block->launch->film || film.fault.there)
        return;
    film.fault = {true, t->block->launch->film_number, t->block->linear, t->id, short_pc(pc), with};
    if (t->n_events == t->room && t->room < LONGEST_TRACE) /* other lanes must not run now */
        make_room(t);
    if (t->n_events < t->room)
        t->events[t->n_events++] = {short_pc(pc), 1, READ, FAULT, 1, with.there ? with.address : 0};
}

void film_forget() { film = Film(); }

} // namespace simt

using namespace simt;

void simt_set_film(int most) { settings.film = most > 0 ? most : 0; }

/* Numbers source places and buffers in the order in which they first occur. */
struct Numbers {
    FILE *f;
    std::map<std::tuple<std::string, int>, int> places;
    std::map<std::tuple<uintptr_t, std::string, bool>, int> buffers;

    int place(uint32_t pc)
    {
        const Place p = place_of(pc);
        const auto added = places.insert({{p.file, p.line}, (int)places.size()});
        if (added.second)
            fprintf(f, "place\t%d\t%s\t%d\n", added.first->second, p.file.c_str(), p.line);
        return added.first->second;
    }

    int buffer(const FilmEvent &e)
    {
        if (e.buffer.empty())
            return -1;
        const auto added = buffers.insert({{e.shared ? 0 : e.base, e.buffer, e.shared}, (int)buffers.size()});
        if (added.second)
            fprintf(f, "buffer\t%d\t%s\t%s\t%zu\n", added.first->second, e.buffer.c_str(),
                    e.shared ? "shared" : "global", e.bytes);
        return added.first->second;
    }
};

static void write_fault(FILE *f, Numbers &numbers)
{
    const FilmFault &x = film.fault;
    const int here = numbers.place(x.pc);
    fprintf(f, "fault\t%u\t%llu\t%u\t%d", x.launch, (unsigned long long)x.block, x.thread, here);
    if (x.other.there && x.other.pc) {
        const Place there = place_of(x.other.pc);
        fprintf(f, "\t%llu\t%u\t%s\t%d", (unsigned long long)x.other.block, x.other.thread, there.file.c_str(),
                there.line);
    }
    fputc('\n', f);
}

int simt_film(FILE *f)
{
    Numbers numbers{f, {}, {}};
    std::stable_sort(film.events.begin(), film.events.end(), [](const FilmEvent &a, const FilmEvent &b) {
        return std::tie(a.launch, a.block, a.warp) < std::tie(b.launch, b.block, b.warp);
    });
    if (film.cut)
        film.events.resize(film.most);
    int n = 0;
    for (const FilmLaunch &l : film.launches)
        fprintf(f, "launch\t%d\t%s\t%u\t%u\t%u\t%u\t%u\t%u\n", n++, l.name.c_str(), l.grid.x, l.grid.y, l.grid.z,
                l.block.x, l.block.y, l.block.z);
    for (const FilmEvent &e : film.events) {
        const int place = numbers.place(e.pc), buffer = numbers.buffer(e);
        fprintf(f, "event\t%u\t%llu\t%u\t%d\t%s\t%u\t%d\t%08x\t", e.launch, (unsigned long long)e.block, e.warp, place,
                what_was_done(e), e.size, buffer, e.lanes);
        for (int i = 0; i < __builtin_popcount(e.lanes); ++i)
            fprintf(f, "%s%lld", i ? "," : "", (long long)(e.at[i] - (buffer < 0 ? 0 : e.base)));
        fputc('\n', f);
    }
    if (film.fault.there)
        write_fault(f, numbers);
    if (film.cut)
        fputs("cut\n", f);
    return ferror(f) ? -1 : (int)film.events.size();
}
