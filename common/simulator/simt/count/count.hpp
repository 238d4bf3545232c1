/* count.hpp - counts the requests of accesses, and finds the source line of a program point. */
#ifndef SIMT_COUNT_HPP
#define SIMT_COUNT_HPP

#include "state.hpp"

namespace simt {

/* ---- fold.cpp ---- */
void fold_warp(Block *b, Warp *w, uint32_t open = 0);   /* all lanes but `open` have converged: counts their traces */
enum { LONGEST_TRACE = 8192 };                  /* events */
void make_room(Thread *t);                      /* for one more event; with a full trace t waits for other lanes */

/* ---- requests.cpp ---- */
void count_access(Block *b, Warp *w, uint32_t pc, uint32_t group, Event *const *event);  /* by the lanes of `group` */
unsigned sectors(const uint64_t *address, unsigned n);
unsigned wavefronts(const uint64_t *address, const uint8_t *lane, unsigned n, unsigned size, AccessKind k,
                    unsigned *least);

/* ---- counts.cpp ---- */
void counts_add(const std::vector<Worker *> &from,
                const Launch &l);               /* moves the workers' counts of a launch into the totals */
/* The counts since the last reset: the sums, and the counts of each program point. */
struct Totals {
    struct Line { std::string kernel; SiteCounts counts; };
    std::vector<Line> lines;
    std::vector<std::pair<std::string, TraceRow>> trace;
};
extern Totals totals;

/* ---- joins.cpp ---- */
void joins_block(Block *b, Warp *w, uint32_t pc, uint32_t lanes);      /* the lanes enter a basic block */
struct RequestSize { unsigned units, least, useful; };    /* as in SiteCounts */
void joins_access(Block *b, Warp *w, const Event &e, SiteCounts *site, const uint64_t *address, const uint8_t *lane,
                  unsigned n, const RequestSize &request);
void joins_end(Block *b, Warp *w);              /* at an instruction over which no access may be moved */
void joins_round(Block *b, Warp *w);            /* at an iteration of a loop that is not unrolled */
void joins_branch(Block *b, Warp *w);           /* at an operation that a GPU computes with a branch */
void joins_forget(Warp *w);
/* ---- join_sums.cpp ---- */
void joins_add(const std::vector<Worker *> &workers);   /* at a launch's end, before counts_add's sums */

/* ---- replay_trace.cpp ---- */
LaunchWay *way_launch(const Launch &l, const void *kernel);     /* NULL: no trace is recorded */
void way_memset(size_t bytes);                  /* records a cudaMemset between launches */
void way_block_start(Block *b);
void way_block_finish(Block *b);                /* adds its warps' traces to its launch */
void way_request(Block *b, Warp *w, uint32_t pc, const Event &e, const uint64_t *address, const uint8_t *lane,
                 unsigned n);
void way_mark(Block *b, Warp *w, simt_step_kind_t kind, uintptr_t pc, uint32_t lanes); /* barrier, warp op */
void way_gpu_asked();                          /* the host has queried the size of the GPU */

/* ---- film.cpp ---- */
void film_launch(Launch *l);
void film_leave(Thread *t, uintptr_t pc, Space s, uint8_t kind, uintptr_t value);   /* adds to the lane's trace */
void film_keep(Block *b, const Warp *w, uint32_t pc, const Event &e, const uintptr_t *address, const uint8_t *lane,
               unsigned n);
void film_of_worker(CountSink &from);           /* takes the events that the worker has recorded */
void film_race(const FilmOther &with);          /* before report_fault */
void film_fault(Thread *t, uintptr_t pc);
void film_forget();

/* ---- source.cpp ---- */
struct Place {
    std::string file;
    int line = 0, column = 0;
    std::string calls;      /* the inlined calls that lead there, innermost first */
};
inline uintptr_t program_base() { return (uintptr_t)&__executable_start; }
inline uint32_t short_pc(uintptr_t pc) { return (uint32_t)(pc - program_base()); }
bool is_ours(const char *file);                 /* whether it is a header of simt or of the system */
Place place_of(uint32_t pc);                    /* innermost line outside simt's own headers */
std::string line_text(const Place &p);
std::string symbol_of(const void *function);    /* its linker symbol; "" if it has none */
/* Returns the name of the function's static variable that holds the address (variables.cpp), or NULL. */
const char *kept_at(uintptr_t a, uintptr_t *base, size_t *bytes);
size_t static_shared_of(const void *kernel);    /* bytes of the __shared__ variables in it */
/* Returns the variable that holds the address, by the program's symbols: "table"; "" if there is none. */
std::string variable_at(uintptr_t a, uintptr_t *base, size_t *size);

/* Adds the file of an object that has been loaded; it is read when a report needs its lines. */
void source_add(int file, const std::string &name, uintptr_t base);

} // namespace simt

#endif
