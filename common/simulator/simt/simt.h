/*
 * simt.h - the interface of the CPU simulator beyond CUDA: counts, checks, reports.
 *
 * Host code for both back ends includes this only if __SIMT__ is defined.  Settings apply
 * to later launches.  Not thread-safe: use it from one host thread.
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

/* Turns counting of memory traffic on (default) or off.  Checks are made in both cases. */
void simt_set_counting(int on);

/* Counts only every k-th block of a launch, and multiplies its counts by k; 1 (default) counts all.  All blocks are
   checked. */
void simt_set_sample(unsigned k);

/* Sets the order of blocks, of warps in a block and of lanes in a warp.  0 (default) is the natural order. */
void simt_set_seed(uint64_t seed);

/* A global atomic waits until no other warp that waits at an atomic has executed fewer memory requests.  A request
   counts as one unit of time, so the warp that would be idle first on a GPU gets its work first here, too.  Use it to
   count the balance of kernels that distribute work by a counter.  It uses one OS thread.  Default off. */
void simt_set_turns(int on);
int simt_turns(void);

/* Sets the number of OS threads that run blocks; 0 (default) means one per core. */
void simt_set_workers(int n);

/* Sets the number of basic blocks plus memory accesses after which a thread counts as being in an endless loop.
   Default 200 million (a few seconds). */
void simt_set_step_limit(uint64_t steps);

/* Sets the number of multiprocessors of the GPU, 1..1024.  Default 8; with 132, grids sized to the GPU are those of an
   H200. */
void simt_set_sm_count(int n);

/* Resources of a kernel as nvcc and ptxas report them; the kernel is named by its linker symbol. */
typedef struct simt_resources {
    unsigned registers;         /* per thread; 0: the kernel is not known */
    size_t shared_bytes;        /* static shared memory per block */
} simt_resources_t;

/* Sets the function that the occupancy calls and cudaFuncGetAttributes use.  NULL (default): only threads and dynamic
   shared memory limit the number of blocks on a multiprocessor. */
void simt_set_resources(simt_resources_t (*of)(const char *symbol));

/* Takes times from the CPU's clock: those of clock64() in kernels, and of cudaEventElapsedTime, which prints once on
   stderr that this is not a GPU's time.  Default off: such a kernel is stopped, and the call fails. */
void simt_set_cpu_time(int on);
/* For programs compiled with checks of array indexes: each check is a basic block that nvcc's code does not have.
   Default off. */
void simt_set_index_checks(int on);
/* For a program without hooks (simtcc --unchecked).  Call it before any other function. */
void simt_set_unchecked(void);

/* Decides whether every launch runs.  A launch repeats an earlier one if kernel, arguments and all memory are the same
   as before that one; then the earlier result can be copied instead.  on > 0: every launch runs.  on < 0: memory is
   compared before each launch, even if that takes longer than the launch.  0: memory is compared if that saves time.
   Default 1. */
void simt_set_every_launch(int on);
/* Returns the number of launches that did not run because they were repeats. */
uint64_t simt_repeats(void);
/* Marks the running kernel as one with other effects than on memory: it always runs. */
void simt_leaves_something(void);

/* Sets the stream on which each fault is printed when it happens; NULL: none.  Default stderr. */
void simt_set_report_stream(FILE *f);

/* Turns checks on or off by a mask of the following; default SIMT_CHECK_EVERYTHING.  For tests of
   the checks themselves.  A check that protects the process (memory that does not exist) cannot be
   turned off. */
enum {
    SIMT_CHECK_BOUNDS = 1,          /* red zones, freed memory */
    SIMT_CHECK_ALIGNMENT = 2,
    SIMT_CHECK_UNINITIALISED = 4,
    SIMT_CHECK_RACES = 8,
    SIMT_CHECK_BARRIERS = 16,       /* skipped and divergent barriers */
    SIMT_CHECK_WARP_OPS = 32,       /* shuffles and votes */
    SIMT_CHECK_EXACT_MASKS = 64,    /* a mask names no lane that has returned, which CUDA allows */
    SIMT_CHECK_EVERYTHING = 127,    /* in the course */
    SIMT_CHECK_STREAMS = 128        /* work in two streams is not ordered; else it is as if all were in one stream */
};
void simt_set_checks(unsigned mask);

/* Faults that do not stop a GPU (races, reads of uninitialised memory, barriers reached at two places) are reported
   once per source location, and the kernel continues.  Default off: the first report stops it. */
void simt_set_lenient(int on);

/* Returns the number of source locations reported in that way: errors, and warnings (no result was affected). */
void simt_passed(uint64_t *error_places, uint64_t *warning_places);

/* Prints a hint for each source line that allocated memory in the kernels' heap that no kernel has freed. */
void simt_say_lost(FILE *f);

/* Prints one line for each device buffer, pinned buffer, stream and event that the program created and did not destroy,
   with the source line that created it.  Returns their number. */
size_t simt_leaks(FILE *f);

/* Makes the allocation that holds `d_ptr` read-only for kernels: a write or an atomic is a fault.  The host may still
 * copy to it. */
void simt_set_read_only(const void *d_ptr);

/* Returns a warning since the last call about code that is allowed: all lanes of a warp stored one value to one
   address.  Each line of a kernel is named once.  NULL: no warning; the text is valid until the next call. */
const char *simt_remark(void);

/* Makes these bytes of device memory count as never written. */
void simt_forget_contents(const void *d_ptr, size_t bytes);

/* If on, stores the first block that ends with values in shared memory that no thread has read since they were written.
   simt_unread names them, "partial[128] to partial[191], written at x.cu:9", or returns NULL if there are none.  The
   text is valid until the next call of simt_watch_unread. */
void simt_watch_unread(int on);
const char *simt_unread(void);

/* Names the allocation that starts at `d_ptr` for reports and pictures ("d_in").  The
   name is copied and freed with the allocation.  Unknown pointers are ignored. */
void simt_name_buffer(const void *d_ptr, const char *name);

/* ---- counts, as a profiler has them ---- */

typedef struct simt_counts {
    uint64_t launches, threads;
    /* Global memory: requests (one warp, one instruction) and 32-byte sectors. */
    uint64_t ld_requests, ld_sectors, st_requests, st_sectors;
    uint64_t atomic_requests, atomic_sectors, atomic_lanes; /* lanes: operations, one for each lane of a request */
    /* Shared memory: requests and wavefronts, which are equal without bank conflicts. */
    uint64_t sh_ld_requests, sh_ld_wavefronts, sh_st_requests, sh_st_wavefronts;
    uint64_t sh_atomic_requests, sh_atomic_wavefronts;
    /* Bytes that the lanes access, each byte once per request; transferred bytes are 32 * sectors. */
    uint64_t ld_useful_bytes, st_useful_bytes;
    /* Mean number of active lanes of a global or shared memory instruction. */
    double active_lanes;
    /* Memory instructions per warp and per block: the largest number and the mean. */
    uint64_t warps, warp_work_max, blocks, block_work_max;
    /* The largest numbers of each launch, added up, because launches run one after the other. */
    uint64_t warp_work_chain, block_work_chain;
    double warp_work_mean, block_work_mean;
} simt_counts_t;

/* Deletes all counts, source lines and traces. */
void simt_counts_reset(void);

/* Returns the sums over all kernels since the last reset. */
void simt_counts_get(simt_counts_t *out);

/* A finished launch. */
typedef struct simt_launch {
    const char *kernel;         /* as in the source; valid during the call */
    unsigned grid[3], block[3];
    size_t shared_bytes;        /* dynamic shared memory per block */
    simt_counts_t counts;       /* of this launch alone */
    /* repeats: it did not run because it repeats an earlier launch.  note: four numbers for use by the listener, 0 at
       first, which are passed again when this launch is repeated; NULL: it will not be repeated. */
    int repeats;
    double *note;
} simt_launch_t;

/* Calls f after each launch, on the thread that launched it; NULL (default): no function is called. */
void simt_set_listener(void (*f)(const simt_launch_t *launch));

/* Writes the counts per source line, each with the line's text.  Lines with the most sectors and
   wavefronts beyond the minimum come first.  Returns the number of lines, -1 if writing failed. */
int simt_explain(FILE *f);

/* Writes the same for a results file, in the order of the source: a row is `prefix` (cells of the caller) and,
   tab-separated,
   file line does requests per_request least lanes source
   where per_request and least are sectors, or wavefronts for accesses to shared memory. */
int simt_lines(FILE *f, const char *prefix);

/* Records the first `requests` requests of each access in block 0, warp 0 of later launches
   (0, the default: none; at most 1024), for pictures. */
void simt_set_trace(int requests);

/* Writes the recorded requests: one header line, then tab-separated rows
   kernel file line column op request lane space address buffer index bank sector
   with `-` in cells that do not apply.  Returns the number of rows, -1 if writing failed. */
int simt_trace(FILE *f);

/* ---- the trace of every warp, for a replay on the model of a GPU (common/simulator/predict) ---- */

typedef enum simt_step_kind {
    SIMT_LOAD, SIMT_STORE, SIMT_ATOMIC,                         /* global memory */
    SIMT_SHARED_LOAD, SIMT_SHARED_STORE, SIMT_SHARED_ATOMIC,
    SIMT_BARRIER, SIMT_WARP_OP                                  /* the whole block, or a group of lanes, has arrived */
} simt_step_kind_t;

/* One instruction of a warp. */
typedef struct simt_step {
    uint16_t site;      /* its program point: an index into sites of its launch */
    uint8_t kind;       /* simt_step_kind_t */
    uint8_t lanes;
    uint8_t units;      /* distinct sectors, whose numbers are in the warp's list; shared memory: wavefronts */
    uint8_t after;      /* n: its address depends on the value that this warp loaded n loads earlier; 0: on no load */
    uint8_t bytes;      /* bytes per lane */
    uint8_t blocks;     /* basic blocks entered since the step before, at most 255 */
} simt_step_t;

typedef struct simt_warp_way {
    const simt_step_t *steps;
    const uint32_t *sectors;    /* 32-byte pieces of device memory, counted from its start, in the order of the steps */
    size_t n_steps;
} simt_warp_way_t;

typedef struct simt_site {
    const char *file;           /* the source file, as in reports */
    int line;
} simt_site_t;

/* A launch, or a cudaMemset between launches (kernel NULL). */
typedef struct simt_way {
    const char *kernel, *symbol;    /* the name in the source; the linker symbol */
    uint64_t blocks;
    unsigned threads, warps;        /* per block */
    size_t shared_bytes;            /* per block, static and dynamic */
    const simt_warp_way_t *warp;    /* [blocks * warps], block after block */
    const simt_site_t *sites;
    size_t n_sites;
    size_t memset_bytes;
} simt_way_t;

/* Records the traces of the warps of later counted launches, at most most_bytes bytes; 0 (default): none.
   Discards the traces recorded before. */
void simt_set_replay(size_t most_bytes);

/* Returns the recorded traces of *n launches in order, valid until the next simt_set_replay; NULL if too large. */
const simt_way_t *simt_ways(size_t *n);

/* Returns whether the host has queried the number of multiprocessors since the last call.  Then another GPU might get
   other work. */
int simt_gpu_asked(void);

/* ---- films ---- */

/* Records every step of later counted launches, at most `most` steps (0, the default: none), until
   simt_counts_reset. */
void simt_set_film(int most);

/* Writes the recorded steps, tab-separated:
     launch number kernel grid(x y z) block(x y z)
     place  number file line
     buffer number name space bytes
     event  launch block warp place what bytes buffer lanes offsets
     fault  launch block thread place [block thread file line: the other access of a race]
     cut    (more steps than `most`)
   Events of a warp are in the order of execution.  what: load, store, atomic, "shared load" and so on, barrier, fault,
   or a warp operation (__shfl_down_sync); lanes: a mask in hex; offsets: for each lane the byte in the buffer, or the
   lane that its shuffle reads.  Returns the number of events, -1 if writing failed. */
int simt_film(FILE *f);

/* ---- code that is not trusted ---- */

typedef struct simt_span {
    const void *from;
    size_t size;
} simt_span_t;

/* The memory that host code of a submission may use in addition to its stack, and the range of its code. */
typedef struct simt_confinement {
    simt_span_t code;           /* kernels begin in this range */
    simt_span_t variables[2];   /* its variables, which it may read and write */
    simt_span_t readable[6];    /* its constants, and the memory to which its arguments point */
} simt_confinement_t;

/* Calls f(argument) on a separate stack; returns when f does, or when code with hooks has broken a rule, which is a
   fault (below).  The code that f calls must be compiled with frame pointers and -fcf-protection=branch, and linked
   with simt_memcpy for memcpy, and so on (confine.cpp).  Calls must not be nested. */
void simt_call_confined(const simt_confinement_t *c, void (*f)(void *), void *argument);

/* ---- faults ---- */

/* Returns the report of the first fault since the last clear, a few lines that end in a newline;
   NULL if there was none.  Valid until simt_fault_clear(). */
const char *simt_fault(void);

/* Returns whether a call of the program has returned cudaErrorAssert.  Then the program knows that its assertion
   failed. */
int simt_assertion_told(void);

/* Clears the fault; CUDA calls work again. */
void simt_fault_clear(void);

#ifdef __cplusplus
}
#endif

#endif
