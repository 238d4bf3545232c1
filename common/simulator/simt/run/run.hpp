/* run.hpp - threads, warps, blocks and launches, and the memory that they use. */
#ifndef SIMT_RUN_HPP
#define SIMT_RUN_HPP

#include "state.hpp"

namespace simt {

/* ---- device_heap.cpp ---- */
uintptr_t device_heap();                        /* its first address; 0: no kernel has allocated memory */

/* ---- this OS thread ---- */
/* State of this OS thread.  It is __thread, not thread_local, because the hooks run at every access, and only
   __thread guarantees that no initialiser has to be tested. */
extern __thread Worker *worker;         /* NULL outside a launch */
extern __thread Thread *current;        /* the CUDA thread that runs now, or NULL */
extern __thread bool counting;          /* the launch is being counted */

/* ---- blocks.cpp ---- */
Block *block_new(Worker *w);
void block_delete(Block *b);
void block_start(Block *b, Launch *l, uint64_t linear);
void block_finish(Block *b);                    /* adds its counts to its worker's */
void block_abandon(Block *b);                   /* after a fault: releases its fibers */
bool glances_do(const Block *b);                /* whether the quick checks suffice for it */

/* ---- scheduler.cpp ---- */
enum BlockState { BLOCK_DONE, BLOCK_SPINS, BLOCK_ABORTED };
BlockState block_run(Block *b);
uint64_t block_turn(const Block *b, uint32_t *warp);     /* simt_set_turns: the warp whose turn is next, and its time */
int barrier_at(int predicate, uintptr_t pc);
void wait_here(Thread *t);                      /* for a thread in a waiting mask; returns when t is released */
void spin_here(Thread *t);                      /* lets all other threads run first */
[[noreturn]] void leave_kernel();               /* after a fault, from a kernel thread */
void carrier_main();                            /* a carrier's main function: runs thread after thread, endlessly */

/* ---- carriers.cpp ---- */
Carrier *carrier_take(Worker *w);               /* returns an idle carrier, or a new one */
void carrier_reset(Carrier *c);                 /* empties its stack */
void carrier_delete(Carrier *c);
size_t guard_bytes();                           /* size of the guard pages below each stack */

/* ---- barrier.cpp ---- */
bool open_barrier(Block *b);                    /* all threads that have not returned wait there; false after a fault */
bool report_divergence(Thread *t, uintptr_t pc);        /* t is at another barrier than the first; true after a fault */
void report_stuck(Block *b);                    /* no thread can run and none polls */

/* ---- epochs.cpp ---- */
void new_epoch(Block *b);
uint64_t first_epoch_of_launch(uint64_t blocks, bool *wrapped);
uint64_t epoch_of_copy();                       /* one epoch, for marks of an operation that is not a kernel */
const uint32_t *epoch_owner(uint64_t epoch);     /* the block that had the epoch; NULL: not stored any more */

/* ---- async_copies.cpp ---- */
const uint32_t UNDER_WAY = UINT32_MAX;          /* epoch of the marks of a copy for which its thread has not waited */
void async_forget(Thread *t);                   /* for a thread that has ended */

/* ---- clusters.cpp ---- */
/* While an object lives, launches have clusters of this size; with x = 0 the size that their kernel declares. */
class cluster_scope {
public:
    explicit cluster_scope(uint3 size);
    ~cluster_scope();
    cluster_scope(const cluster_scope &) = delete;
    cluster_scope &operator=(const cluster_scope &) = delete;

private:
    uint3 before;
};
void allow_large_clusters(const void *kernel, bool allowed);
bool large_clusters(const void *kernel);        /* whether its clusters may have more than 8 blocks; NULL: any */
uint3 cluster_of(const char *kernel);           /* cluster size of the next launch; x = 0: no clusters */
std::string wrong_cluster(const Launch &l, const void *kernel);     /* what is wrong with its size; "": nothing */
uint64_t cluster_linear(const Launch &l, uint64_t i);   /* the number in the grid of the i-th block */
Block *cluster_block(Worker *w, Launch *l, uint64_t i); /* the i-th block, to be started */
void cluster_begin(Block *b);                   /* for a block that has been started */
void cluster_variable(Block *b, const SharedVariable &v);   /* adds a block's new variable to the other blocks */
void cluster_block_over(Block *b);
void cluster_thread_over(const Thread *t);
void clusters_abandon(Launch *l, Worker *w);    /* after a fault */
Block *block_of_shared(const Thread *t, uintptr_t a);   /* block of t's cluster whose shared memory holds a, or NULL */
void cluster_reach(Thread *t, Block *b, uintptr_t pc);  /* faults unless b has started and not ended */

/* ---- warp_ops.cpp ---- */
bool resolve_warp(Block *b, Warp *w);           /* releases complete groups of lanes; true if it released any */
void report_missing_lanes(Block *b, Warp *w);
const char *warp_op_name(int kind);             /* "__shfl_sync" */

/* ---- launch.cpp ---- */
/* While an object lives, launches are cooperative, or are not. */
class cooperative_scope {
public:
    explicit cooperative_scope(bool cooperative);
    ~cooperative_scope();
    cooperative_scope(const cooperative_scope &) = delete;
    cooperative_scope &operator=(const cooperative_scope &) = delete;

private:
    bool before;
};

std::unique_lock<std::recursive_mutex> host_turn();     /* serializes launches and library calls */
/* In a kernel: queues work that begins after the kernel's earlier work; tail: also after all work that this work
   begins. */
void after_kernel(std::function<void()> work, bool tail);

/* ---- signals.cpp ---- */
void catch_signals();           /* installs the handler for faults that the hooks miss, also over a later handler */
void use_signal_stack();        /* gives this OS thread a stack for the handler: the usual one may have overflowed */
/* division.cpp: changes a signal's context so that execution continues after the division, with a GPU's result.
   Returns false if it is not at a division. */
bool pass_over_division(void *context);

/* ---- hooks.cpp ---- */
/* Checks one access, records it for the counts, and returns the memory space that it accesses. */
Space access(Thread *t, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
/* The same for a range of bytes, in the pieces in which a GPU would transfer it. */
void range(void *p, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc);
bool is_constant(uintptr_t a);  /* whether it is in a __constant__ variable */
void out_of_fuel(Thread *t, uintptr_t pc);

/* ---- atomics.cpp ---- */
void acquire(Thread *t, bool global);           /* global: for its whole block, and from other blocks */
void release(Thread *t);
/* Spin detection: the thread has read this value by a volatile or atomic access. */
void note_polled_value(Thread *t, uintptr_t a, uint64_t value, bool changed, uintptr_t pc);
void unlock_location();                         /* unlocks the location of the atomic in progress */
void polled(Thread *t);                         /* spin detection in an unchecked program: the thread may be waiting */

/* ---- variables.cpp ---- */
void add_variable(Block *b, const SharedVariable &v);   /* makes its bytes exist */

/* ---- shadow.cpp ---- */
void region_make(Region &r, uintptr_t base, size_t size);
void region_forget_tags(Region &r);
/* Makes shadow memory for the initialised variables in from..to-1. */
void make_variables(Region &r, const char *from, const char *to);
uint8_t *state_of(uintptr_t a);                 /* returns the state of the word of device memory that holds a */
void set_state(uintptr_t a, size_t bytes, uint8_t high, uint8_t low);   /* high and low are 15 or 0 */
/* Counts the uninitialised words in a range of device memory; *first: the offset of the first one in bytes. */
size_t unwritten_words(const void *p, size_t bytes, size_t *first);
bool is_padding(const Region &r, uintptr_t from, size_t bytes, uintptr_t a, size_t size);       /* checks.cpp */
void mark_initialised(const void *p, size_t bytes);
void set_exists(void *p, size_t bytes, bool exists);    /* for a buffer that is divided into parts */
void copy_initialised(const void *dst, const void *src, size_t bytes);

/* ---- heap.cpp ---- */
struct Allocation {
    uintptr_t base;
    size_t size;
    bool live;
    std::string name;
    bool read_only = false;
    uintptr_t pc = 0;           /* the program point that allocated it: reports find its name by this */
    int file = -1;              /* the file that holds its bytes if other processes may open it (api_processes.cpp) */
    uint64_t pool = 0;          /* the inode of its memory pool if other processes know the pool */
};
enum MemoryKind { DEVICE_MEMORY, MANAGED_MEMORY, PINNED_MEMORY };
extern Region heap, program, managed;            /* managed: __managed__ variables */
extern uintptr_t managed_base;                  /* the heap above it is managed memory, which host code may touch */
extern uintptr_t pinned_base;                   /* the heap above it is pinned memory of a program */
inline bool is_managed(uintptr_t a) { return managed.contains(a) || (heap.contains(a) && a >= managed_base); }
void memory_init();
void *heap_allocate(size_t bytes, MemoryKind kind = DEVICE_MEMORY, uintptr_t pc = 0);
bool heap_free(void *p);
void heap_of_pool(void *p, uint64_t pool);
int heap_share(uintptr_t base);                 /* moves the buffer into a file, which it returns; -1: refused */
void *heap_of_file(int file, size_t bytes, uintptr_t pc);   /* a buffer in the file; freeing it closes the file */
void heap_reset();
size_t heap_capacity();
size_t heap_in_use();
/* Returns the hint for a wrong pointer: for a null pointer the allocation that failed before, else `otherwise`. */
std::string hint_at(const void *p, const std::string &otherwise);
/* Finds the allocation, live or freed, whose memory or red zone holds `a`; returns false if there is none. */
bool heap_find(uintptr_t a, Allocation *out);
bool heap_record(uintptr_t a, Allocation *out); /* the same, with a name made from its number */
bool heap_covers(const void *p, size_t bytes);  /* whether all bytes are allocated */
void add_pinned(void *p, size_t bytes, bool registered = false);    /* registered: the program's own memory */
bool remove_pinned(void *p, bool registered = false);
bool pinned_overlaps(const void *p, size_t bytes);
bool is_pinned(uintptr_t a);
void *reserve(size_t bytes);                    /* zero pages, not yet backed by memory; NULL if refused */
[[noreturn]] void give_up(const char *what);    /* prints that the system refused `what`, exits with 1 */
std::vector<Allocation> heap_live();
std::vector<uintptr_t> allocating_places();     /* program points, sorted */
/* A range of memory that a kernel can access.  state: its shadow state, NULL if that does not change; mapped: host code
   can access it, too. */
struct Stretch {
    char *p;
    size_t bytes;
    uint8_t *state;
    bool mapped;
};
std::vector<Stretch> memory_stretches();

} // namespace simt

#endif
