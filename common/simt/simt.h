/*
 * simt.h - what the CPU simulator offers beyond CUDA: counts, checks, reports.
 *
 * Host code that wants to run on both back ends includes this only where __SIMT__ is
 * defined.  Settings hold for later launches.  Not thread-safe: one host thread.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- settings ---- */

/* Counting of memory traffic on (default) or off.  Checks go on either way. */
void simt_set_counting(int on);

/* Counts every k-th block of a launch only, and takes its counts k times; 1 (default): all.  Checks see every block. */
void simt_set_sample(unsigned k);

/* Order of blocks, of warps in a block and of lanes in a warp.  0 (default) is the natural order. */
void simt_set_seed(uint64_t seed);

/* A global atomic waits until nobody else who waits at one has done less, a memory request counting as a unit of time:
   whoever would be free first on a GPU is first here, too.  For kernels that hand out work by a counter, whose
   balance is to be counted.  Uses one OS thread.  Default off. */
void simt_set_turns(int on);
int simt_turns(void);

/* OS threads that run blocks; 0 (default) means one per core. */
void simt_set_workers(int n);

/* Basic blocks plus memory accesses one thread may do before it counts as an endless loop.
   Default 200 million (a few seconds). */
void simt_set_step_limit(uint64_t steps);

/* Multiprocessors of the GPU, 1..1024.  Default 8; 132 gives an H200's persistent grids. */
void simt_set_sm_count(int n);

/* What nvcc and ptxas say of a kernel, named as for the linker. */
typedef struct simt_resources {
    unsigned registers;         /* of a thread; 0: the kernel is not known */
    size_t shared_bytes;        /* static ones, of a block */
} simt_resources_t;

/* Asked for by the occupancy calls and cudaFuncGetAttributes.  NULL (default): threads and dynamic shared memory alone
   decide how many blocks a multiprocessor holds. */
void simt_set_resources(simt_resources_t (*of)(const char *symbol));

/* The program is one that simtcc has built: cudaEventElapsedTime gives the time of the CPU between two records, and
   says once on stderr that it is not a GPU's.  Default off: there is no time, and the call fails. */
void simt_set_program(int on);
/* Its code has no hooks (simtcc --unchecked).  Before all else. */
void simt_set_unchecked(void);

/* A program's launch that would do again what an earlier one has done, for the kernel, its arguments and all memory are
   as they were before that one, is not run: what that one left is put in its place.  on > 0: each is run.  on < 0: the
   memory is looked at before each, even where that takes longer than the launch.  Default 0: where it pays. */
void simt_set_every_launch(int on);
/* How many have not been run so far. */
uint64_t simt_repeats(void);
/* Said by what a kernel calls that does more than to write memory: it is always run. */
void simt_leaves_something(void);

/* Where each fault is printed as it happens; NULL for nowhere.  Default stderr. */
void simt_set_report_stream(FILE *f);

/* Checks, a mask of the following; default SIMT_CHECK_EVERYTHING.  Meant for tests that
   want to see a check make the difference.  A check that guards this process itself
   (memory that is not there at all) cannot be turned off. */
enum {
    SIMT_CHECK_BOUNDS = 1,          /* red zones, freed memory */
    SIMT_CHECK_ALIGNMENT = 2,
    SIMT_CHECK_UNINITIALISED = 4,
    SIMT_CHECK_RACES = 8,
    SIMT_CHECK_BARRIERS = 16,       /* skipped and divergent barriers */
    SIMT_CHECK_WARP_OPS = 32,       /* shuffles and votes */
    SIMT_CHECK_EVERYTHING = 63
};
void simt_set_checks(unsigned mask);

/* What a GPU does not stop for - races, reads of memory that nobody has written, barriers reached in two places - is
   reported once a place, and the kernel goes on.  Default off: the first report stops it. */
void simt_set_lenient(int on);

/* How many places have been reported so: errors, and warnings (nothing came of it). */
void simt_passed(uint64_t *error_places, uint64_t *warning_places);

/* Prints what the program has made and not given back, a line each: buffers of the GPU and pinned ones, streams,
   events, with the place that made them.  Returns how many. */
size_t simt_leaks(FILE *f);

/* Kernels may only read the allocation that `d_ptr` lies in: a write or an atomic is a fault.  Copies of the host's go
 * on. */
void simt_set_read_only(const void *d_ptr);

/* These bytes of device memory count as never written. */
void simt_forget_contents(const void *d_ptr, size_t bytes);

/* From now on (1), or no longer (0): the first block that ends with values in shared memory which no thread has read
   since they were written is remembered; simt_unread says them, "partial[128] to partial[191], written at x.cu:9", or
   NULL if there are none.  The text is good until the next call of simt_watch_unread. */
void simt_watch_unread(int on);
const char *simt_unread(void);

/* Calls the allocation that starts at `d_ptr` `name` in reports and pictures ("d_in").
   The name is copied and forgotten with the allocation.  Unknown pointers are ignored. */
void simt_name_buffer(const void *d_ptr, const char *name);

/* ---- counts, as the profiler counts ---- */

typedef struct simt_counts {
    uint64_t launches, threads;
    /* Global memory: requests (one warp, one instruction) and 32-byte sectors. */
    uint64_t ld_requests, ld_sectors, st_requests, st_sectors;
    uint64_t atomic_requests, atomic_sectors, atomic_lanes; /* lanes: operations, as many as a request has lanes */
    /* Shared memory: requests and wavefronts; equal when no bank conflicts. */
    uint64_t sh_ld_requests, sh_ld_wavefronts, sh_st_requests, sh_st_wavefronts;
    uint64_t sh_atomic_requests, sh_atomic_wavefronts;
    /* Bytes the lanes asked for, each byte once per request; moved bytes are 32 * sectors. */
    uint64_t ld_useful_bytes, st_useful_bytes;
    /* Mean lanes taking part in a global or shared memory instruction. */
    double active_lanes;
    /* Memory instructions per warp and per block: the longest and the mean. */
    uint64_t warps, warp_work_max, blocks, block_work_max;
    /* Launches run one after the other: the longest of each launch, added up. */
    uint64_t warp_work_chain, block_work_chain;
    double warp_work_mean, block_work_mean;
} simt_counts_t;

/* Forgets all counts, source lines and traces. */
void simt_counts_reset(void);

/* Sums over all kernels since the last reset. */
void simt_counts_get(simt_counts_t *out);

/* One launch that is over. */
typedef struct simt_launch {
    const char *kernel;         /* as in the source; valid during the call */
    unsigned grid[3], block[3];
    size_t shared_bytes;        /* dynamic ones, of a block */
    simt_counts_t counts;       /* of this launch alone */
    /* repeats: it was not run, as it would have done what an earlier launch has done.  note: four numbers of the
       listener's own, 0 at first, that are there again when this launch is repeated; NULL: it will not be. */
    int repeats;
    double *note;
} simt_launch_t;

/* f is called after each launch, on the thread that launched it; NULL (default): nothing is. */
void simt_set_listener(void (*f)(const simt_launch_t *launch));

/* The counts per source line, worst first (moved sectors and wavefronts beyond the least
   possible), each with the line's text.  Returns the number of lines, -1 if writing failed. */
int simt_explain(FILE *f);

/* The same for a record, in the order of the source: a row is `prefix` (cells of the caller's) and, tab-separated,
   file line does requests per_request least lanes source
   where per_request and least are sectors, or wavefronts where it does something shared. */
int simt_lines(FILE *f, const char *prefix);

/* Keeps the first `requests` requests of each access in block 0, warp 0 of later launches
   (0, the default: none; at most 1024), for pictures. */
void simt_set_trace(int requests);

/* Writes what was kept: one header line, then tab-separated rows
   kernel file line column op request lane space address buffer index bank sector
   where `-` stands for what does not apply.  Returns the number of rows, -1 if writing failed. */
int simt_trace(FILE *f);

/* ---- the way of every warp, for a replay on the model of a GPU (common/predict) ---- */

typedef enum simt_step_kind {
    SIMT_LOAD, SIMT_STORE, SIMT_ATOMIC,                         /* global memory */
    SIMT_SHARED_LOAD, SIMT_SHARED_STORE, SIMT_SHARED_ATOMIC,
    SIMT_BARRIER, SIMT_WARP_OP                                  /* all of its block, all lanes of a group have come */
} simt_step_kind_t;

/* One instruction of a warp. */
typedef struct simt_step {
    uint16_t site;      /* which program point: an index into sites of its launch */
    uint8_t kind;       /* simt_step_kind_t */
    uint8_t lanes;
    uint8_t units;      /* distinct sectors, whose numbers stand in the warp's list; shared memory: wavefronts */
    uint8_t after;      /* its address is made from the value of this warp's load so many loads back; 0: it is not */
    uint8_t bytes;      /* of one lane */
    uint8_t blocks;     /* basic blocks entered since the step before, 255 for more */
} simt_step_t;

typedef struct simt_warp_way {
    const simt_step_t *steps;
    const uint32_t *sectors;    /* 32-byte pieces of device memory, counted from its start, in the order of the steps */
    size_t n_steps;
} simt_warp_way_t;

typedef struct simt_site {
    const char *file;           /* of the source, as in reports */
    int line;
} simt_site_t;

/* A launch, or a cudaMemset between launches (kernel NULL). */
typedef struct simt_way {
    const char *kernel, *symbol;    /* as in the source; for the linker */
    uint64_t blocks;
    unsigned threads, warps;        /* of a block */
    size_t shared_bytes;            /* of a block, static and dynamic */
    const simt_warp_way_t *warp;    /* blocks * warps of them, block after block */
    const simt_site_t *sites;
    size_t n_sites;
    size_t memset_bytes;
} simt_way_t;

/* Keeps the ways of the warps of later counted launches, at most so many bytes of them; 0 (default): none.
   Forgets those that were kept. */
void simt_set_replay(size_t most_bytes);

/* What was kept, *n launches in their order, until the next simt_set_replay; NULL if it was too much. */
const simt_way_t *simt_ways(size_t *n);

/* The host has asked for the number of multiprocessors since the last call of this: another GPU would have been given
   other work. */
int simt_card_asked(void);

/* ---- films ---- */

/* Keeps every step of later counted launches, `most` at most (0, the default: none), until simt_counts_reset. */
void simt_set_film(int most);

/* Writes what was kept, tab-separated:
     launch number kernel grid(x y z) block(x y z)
     place  number file line
     buffer number name space bytes
     event  launch block warp place what bytes buffer lanes offsets
     fault  launch block thread place [block thread file line: the access that a race is with]
     cut    (there was more)
   Events of a warp are in its order.  what: load, store, atomic, the same after "shared ", barrier, fault, or a warp
   operation (__shfl_down_sync); lanes: a mask in hex; offsets: for each lane the byte in the buffer, or the lane that
   its shuffle reads.  The number of events, -1 if writing failed. */
int simt_film(FILE *f);

/* ---- code that is not trusted ---- */

typedef struct simt_span {
    const void *from;
    size_t size;
} simt_span_t;

/* What the host code of a submission may use beside its stack, and what is its code. */
typedef struct simt_confinement {
    simt_span_t code;           /* kernels begin here */
    simt_span_t variables[2];   /* its own: to read and write */
    simt_span_t readable[6];    /* its constants, and what its arguments point to */
} simt_confinement_t;

/* f(argument) on a stack of its own; returns when f does, or when code with hooks has broken a rule: then there is a
   fault (below).  The code that f calls is to be compiled with frame pointers and -fcf-protection=branch, and linked
   with simt_memcpy for memcpy, and so on (confine.cpp).  Not nested. */
void simt_call_confined(const simt_confinement_t *c, void (*f)(void *), void *argument);

/* ---- faults ---- */

/* Report of the first fault since the last clear, a few lines ending in a newline; NULL if
   there was none.  Valid until simt_fault_clear(). */
const char *simt_fault(void);

/* Has a call of the program answered cudaErrorAssert?  An assertion in a kernel is the program's own check, and the
   program knows then. */
int simt_assertion_told(void);

/* Forgets the fault; CUDA calls work again. */
void simt_fault_clear(void);

#ifdef __cplusplus
}
#endif

#endif
