/*
 * programs.hpp - what programs of simtcc need beyond the course: streams in order, modules, processes, launches that
 * repeat, lenient reports.  In the course all work is in the default stream.
 */
#ifndef SIMT_PROGRAMS_HPP
#define SIMT_PROGRAMS_HPP

#include "state.hpp"

namespace simt {

/* ---- order.cpp ---- */
/* A copy of rows; with one side NULL they are set, or only read.  waits: the host waits for the copy. */
struct CopyPlan {
    const char *to;
    size_t to_pitch;
    const char *from;
    size_t from_pitch, width, rows;
    bool waits;
    StreamOperation operation = COPIES;
};
unsigned order_add_stream(unsigned flags);      /* returns the line of the new stream */
void order_drop_stream(unsigned line);
/* Begins an operation of the stream that is in scope; kernel: NULL if it is not a kernel. */
Order order_begin(uint64_t first_epoch, const char *kernel, StreamOperation operation = COPIES);
void order_owns(const Order &order, uint64_t from, uint64_t end);   /* the epochs from..end-1 belong to it */
void order_copy(const CopyPlan &plan, uintptr_t pc);    /* order_copies.cpp */
void order_host_access(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void order_host_polls(uintptr_t a);
/* May `order` rely on the operation that has this epoch?  If not, *who describes that operation with the verb, or with
   its own: "kernel k in stream 1 writes", "cudaMallocAsync in stream 1 allocates". */
bool order_before(const Order &order, uint64_t epoch, const char *verb, std::string *who);
bool order_is(const Order &order, uint64_t epoch);          /* whether this epoch belongs to that operation */
/* Is this the epoch of a copy from pageable memory on which `order` may not rely?  True once per copy, so that it is
   reported once. */
bool order_tells_staged(const Order &order, uint64_t epoch);
extern const char *const order_hint, *const staged_hint;
void order_host_waits();                        /* the host waits for all streams */
void order_host_waits(cudaStream_t stream);
void order_host_waits(const Clock &event);
bool order_host_knows(const Clock &event);      /* whether the host has waited for everything before it */
void order_host_is_told(cudaStream_t stream);
Clock order_of(cudaStream_t stream);            /* the clock of an event that is recorded now */
void order_stream_waits(cudaStream_t stream, const Clock &event);
void order_forget();                            /* for when epochs restart at 0 */
typedef std::vector<std::pair<uint64_t, uint64_t>> Epochs;      /* from, end */
Epochs order_epochs(const Order &order);        /* the epochs that belonged to an operation */
/* An operation does not run because an earlier one did the same: marks of these epochs, the earlier operation's, now
   belong to it. */
void order_repeats(const Order &order, const Epochs &epochs);
/* While an object lives, the host function of a stream runs: all earlier work of that stream is complete. */
class as_in_stream {
public:
    explicit as_in_stream(cudaStream_t stream);
    ~as_in_stream();
    as_in_stream(const as_in_stream &) = delete;
    as_in_stream &operator=(const as_in_stream &) = delete;

private:
    Clock clock;
    const Clock *before;
};
/* While an object lives, operations belong to that stream; graph: they are nodes of a graph. */
class stream_scope {
public:
    explicit stream_scope(cudaStream_t stream, bool graph = false);
    ~stream_scope();
    stream_scope(const stream_scope &) = delete;
    stream_scope &operator=(const stream_scope &) = delete;

private:
    cudaStream_t before;
    bool before_graph;
};

cudaStream_t stream_in_scope();

/* Branches of a graph run at the same time: each has its own line, except the first, which continues in the line that
   is in scope. */
unsigned order_add_branch();                    /* returns its line; order_drop_stream releases it */
Clock order_now();                              /* what an operation that begins now may rely on */
void order_join(Clock &into, const Clock &from);
void order_branches_meet(const std::vector<Clock> &all);        /* later operations may rely on all of them */
/* While an object lives, operations are a step of that branch (NULL: the first), and may rely on `known`. */
class as_in_branch {
public:
    as_in_branch(const unsigned *line, const Clock &known);
    ~as_in_branch();
    as_in_branch(const as_in_branch &) = delete;
    as_in_branch &operator=(const as_in_branch &) = delete;
    Clock end() const;                          /* the clock of operations that follow the step */

private:
    size_t line, before_line;
    Clock known;
    const Clock *before;
};

/* ---- host_buffers.cpp ---- */
/* The host's buffer that holds p, if it is known. */
bool host_buffer_from(const void *p, uintptr_t *base, size_t *size);

/* ---- api_libraries.cpp ---- */
extern __thread int in_library;                 /* this OS thread launches a library's kernels, not the program's */
/* While a node of a graph copies: the program point that created the node; else 0. */
extern __thread uintptr_t asked_at;
class as_asked_at {
public:
    explicit as_asked_at(uintptr_t pc) : before(asked_at) { asked_at = pc; }
    ~as_asked_at() { asked_at = before; }
    as_asked_at(const as_asked_at &) = delete;
    as_asked_at &operator=(const as_asked_at &) = delete;

private:
    uintptr_t before;
};
/* For a pc in a library's header: the program's call of it.  For pc 0: where host code is now, or 0. */
uintptr_t readers_place(uintptr_t pc);

/* ---- api_modules.cpp ---- */
Region *module_region(uintptr_t a);             /* the module's __device__ variables that hold a; or NULL */
bool is_module_constant(uintptr_t a);           /* whether it is in a __constant__ variable of a module */
bool in_module(uintptr_t a);                    /* whether it is in a module's code, constant tables, ... */
/* The program point of a module with these lower 32 bits, as short_pc() returns them; 0: no module has one. */
uintptr_t module_pc(uint32_t pc);

void module_stretches(std::vector<Stretch> *all);

/* ---- api_processes.cpp ---- */
void pool_for_others(simt_pool *pool);

/* ---- repeats.cpp ---- */
struct Repeat;
struct Digest;
/* The state before and after a launch, to find out whether it repeats an earlier one. */
class Repetition {
public:
    Repetition(Launch *l, const void *kernel, size_t argument_bytes);
    /* For a library's call; key: its name with all of its arguments. */
    Repetition(const char *name, std::string key);
    ~Repetition();
    Repetition(const Repetition &) = delete;
    Repetition &operator=(const Repetition &) = delete;
    /* True if an earlier launch did the same and its results are in place now: this one need not run. */
    bool again(const std::vector<Worker *> &workers = {});
    /* Call it when the launch has run.  settled: the launch would change nothing if it ran again at once. */
    void over(double seconds, const std::vector<Worker *> &workers = {}, bool settled = false);

private:
    Launch *l;                          /* NULL: for a library's call */
    const char *name = nullptr;
    Repeat *r = nullptr;
    std::string key;
    bool looks = false;
    std::vector<Digest> before;
};
void leaves_something();                        /* the running kernel has effects other than on memory: always run it */
void kernel_allocates(uintptr_t p);
void kernel_frees(uintptr_t p);
void *device_malloc(size_t bytes, uintptr_t pc);     /* malloc and cudaMalloc in a kernel */
void device_free(void *p, uintptr_t pc);             /* free and cudaFree in a kernel */
void repeats_forget();                          /* for when epochs restart at 0 */
void memory_touched();                          /* all memory may have changed */
void memory_touched(uintptr_t from, size_t bytes);
double seconds_now();

/* ---- lenient.cpp ---- */
enum Severity : uint8_t { HINT, WARNING, ERROR };        /* a hint stops nothing, and is not counted */
bool said_before(uintptr_t pc);                 /* this source location has been reported: nothing to add */
bool has_enough_words(uintptr_t pc);            /* MOST_WORDS words of this location wait for settle() */
bool words_wait();                              /* do any words wait for settle(), which finds harmless races? */
void look_again(uintptr_t a);                   /* a racing write to `a` is done: has it changed the value? */
/* Reports once per source location; the kernel continues.  raced: a word that is about to be written, perhaps with the
   value that it has already; then it is only a warning, which is printed when settle() finds that out. */
void pass(Thread *t, Severity severity, uintptr_t pc, const std::string &what, const std::string &hint,
          uintptr_t raced = 0, unsigned size = 0);
/* If reports are not lenient: another lane of the warp is about to store to `a` in the same instruction.  It is a fault
   if settle_one_stores() or look_again() finds two values; else a warning, once per source location. */
void one_store(Thread *t, uintptr_t pc, const std::string &what, const std::string &hint, uintptr_t a, unsigned size);
void settle_one_stores(const Block *b);         /* the block is at a barrier, or is over */
void forget_one_stores();                       /* the launch is over; a fault may have ended blocks before a barrier */
void pass_host(Severity severity, uintptr_t pc, const std::string &what, const std::string &hint);
/* The same; if reports are not lenient, everything but a hint is a fault. */
void say_host(Severity severity, uintptr_t pc, const std::string &what, const std::string &hint);
/* The racing writes to this range are done; over: and no thread will write there any more. */
void settle(uintptr_t from, size_t bytes, bool over);
std::string format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
std::string at_line(uint32_t pc);               /* "file:line" */
std::string thread_name(const Block *b, uint32_t id);

} // namespace simt

#endif
