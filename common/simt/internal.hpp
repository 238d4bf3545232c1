/*
 * internal.hpp - the data that the parts of simt share.
 *
 *   scheduler.cpp  fibers, warps, blocks, barriers        launch.cpp   grids on OS threads
 *   warp_ops.cpp   shuffles and votes                     atomics.cpp  atomics and fences
 *   hooks.cpp      every memory access arrives here       checks.cpp   bounds, initialised, races
 *   glance.hpp     the same for most, in a few steps
 *   switch.hpp     from one fiber to another
 *   counts.cpp     accesses of lanes into warp requests   flow.cpp     the order in which lanes go on
 *   memory.cpp     allocations and their shadow           explain.cpp  counts per source line
 *   source.cpp     program point to file and line         report.cpp   faults
 *   api.cpp        the CUDA calls                         guard.cpp    host code that touches device memory
 *   confine.cpp    code that is not trusted               film.cpp     a run kept step by step
 *   lenient.cpp    reports after which a kernel goes on     order.cpp  what streams and the host wait for
 *   host_buffers.cpp   how large they are                  device_heap.cpp   malloc and new in kernels
 *   host_atomics.cpp   C++'s own atomics                   leaks.cpp  what was not given back
 *   names.cpp      what memory is called in a report        bounds.cpp an index past an array of known size
 *   tiles.cpp      products of small matrices            clusters.cpp blocks together, and each other's memory
 *   async_copies.cpp   copies that nobody has waited for yet
 *   replay_trace.cpp   the way of every warp, for a replay   repeats.cpp   launches that need not be run again
 *   joins.cpp          neighbours that nvcc takes at once
 */
#ifndef SIMT_INTERNAL_HPP
#define SIMT_INTERNAL_HPP

#include <atomic>
#include <functional>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
#include "cuda_runtime_api.h"
#include "simt_calls.h"
#include "simt.h"
#include "switch.hpp"

extern "C" char __executable_start;     /* by the linker: where the program lies */

struct simt_kernel;

/* A pool of memory; file and inode: by which other processes know it, if it was made for them. */
struct simt_pool {
    uint64_t threshold = 0;
    int file = -1;
    uint64_t inode = 0;
};

namespace simt {

#ifdef __x86_64__
enum { SIMT_LANDINGS = 1 };     /* the compiler marks where indirect calls may land */
#else
enum { SIMT_LANDINGS = 0 };
#endif

enum { WARP = 32, MAX_THREADS = 1024, MAX_WARPS = MAX_THREADS / WARP };
enum { CLOCK_KHZ = 1980000 };           /* of the GPU */
const size_t SHARED_DEFAULT = 48 << 10, SHARED_OPT_IN = 227 << 10;

struct Launch;
struct Block;
struct Worker;
struct Cluster;
struct AsyncCopies;
struct BlockWay;
struct LaunchWay;

/* ---- shadow memory: what is known about each 4-byte word ---- */

/* Last write and last read of a word.  A tag holds, from the top: 32 bits epoch, 10 bits
   thread, 16 bits warp clock, 4 bits which bytes, 2 bits flags (checks.cpp). */
struct Cell {
    uint64_t write, read;
    uint32_t write_pc, read_pc;     /* offsets into the program */
};

/* A stretch of addresses with shadow: the heap, the __device__ variables, or the shared
   memory of one block.  State: high nibble which of the word's bytes exist, low nibble
   which are initialised. */
struct Region {
    uintptr_t base = 0;
    size_t size = 0;
    uint8_t *state = nullptr;
    Cell *cells = nullptr;
    bool contains(uintptr_t a) const { return a - base < size; }
};

/* ---- threads, warps, blocks ---- */

/* One step of a lane's way through the kernel.  size 0: no access, but what `piece` says. */
struct Event {
    uint32_t pc;
    uint8_t size;
    uint8_t kind;       /* AccessKind */
    uint8_t space;      /* Space */
    uint8_t piece;      /* bytes per instruction; less than size for structs; size 0: an EventMark */
    uintptr_t address;
};
/* A basic block is entered, a round of a loop that stays rolled begins, something is computed with a branch. */
enum EventMark : uint8_t { BASIC_BLOCK, NEXT_ROUND, BRANCH };
enum : uintptr_t { VOLATILE = (uintptr_t)1 << 63 };      /* in an Event's address: each such access stays as it is */
enum : uintptr_t { NO_TRIES = 0, TRIES = VOLATILE, ONE_FOR_ALL = TRIES >> 1 };   /* ... of an atomic: count_tries() */
/* ... of another: it is a number of a vector of so many bytes, as x is of a float4. */
enum : uintptr_t { IN_NONE = 0, IN_4 = VOLATILE >> 3, IN_8 = VOLATILE >> 2, IN_16 = IN_4 | IN_8 };
/* ... which of the pointers that are __restrict__ it goes by, from 1; 0: by another one. */
enum : uintptr_t { POINTER = IN_4 >> 4, POINTERS = IN_4 - POINTER };
enum : uintptr_t { MARKS = VOLATILE | ONE_FOR_ALL | IN_16 | POINTERS };
enum AccessKind : uint8_t { READ, WRITE, ATOMIC };
/* NOT_COUNTED: stack, constants, pinned memory.  Those after it touch no memory and are kept for films only, but for
   CLUSTER, of checks alone: shared memory of a block that is one of a cluster. */
enum Space : uint8_t { GLOBAL, SHARED, NOT_COUNTED, WARP_OP, BARRIER, FAULT, CLUSTER };

/* A stack that runs one thread after another. */
struct Carrier {
    Suspended context = nullptr;                    /* where an idle one goes on */
    char *low = nullptr, *high = nullptr;       /* usable stack; a guard page below */
    uintptr_t limit = 0;                        /* above it are the scheduler's own frames */
    size_t colour = 0;                          /* bytes left free at the top (scheduler.cpp) */
};

struct Warp;

struct Thread {
    /* what every switch and every access needs comes first: two cache lines */
    Suspended context;                  /* where it goes on */
    Carrier *carrier;               /* NULL before its start and after its end */
    Block *block;
    Warp *warp;
    uint64_t tag;                   /* its part of a Cell tag: thread and warp clock */
    uint32_t id, lane;              /* id in the block, linear */
    uint32_t fuel;                  /* steps until the next look at the limit */
    uint3 index;
    bool synced;                    /* its warp's: clock is not all zero */
    uint32_t n_events, room;        /* the lane's trace since its warp last converged */
    uint32_t last_node;             /* in the control flow, when it converged */
    Event *events;
    uintptr_t wait_pc;              /* where it waits */
    /* the shuffle or vote it waits in */
    uint32_t op_mask, op_source;
    uintptr_t last_op;              /* where it has been in one last */
    uint32_t active_mask;           /* what __activemask has said last, if that were not all lanes; else 0 */
    uint8_t op_kind;
    uint64_t op_value, op_result;
    uint64_t steps;
    uint32_t folds;                 /* how often the trace has been emptied */
    /* memory order (atomics.cpp): epochs of its last __threadfence, of the barrier before that, and of its last fence
       of any kind; the time of its latest acquire, and whether a volatile load is under way that will be one */
    uint64_t fence_epoch, fence_cover, block_fence_epoch;
    uint64_t acquired;
    bool acquire_pending;
    uintptr_t moved;                /* the struct that it is reading, and its bytes; 0: none */
    size_t moved_bytes;
    uintptr_t read_unset, read_unset_pc;        /* what nobody had written, the last of it that this thread has read */
    /* spinning: the last volatile and atomic accesses and what they saw */
    uint32_t spin_next, spin_count, spin_yields;
    struct Spin { uintptr_t address, value; uint32_t pc, event, fold; } spin[4];     /* of spin_next, the latest */
    AsyncCopies *copies;            /* that it has not waited for; NULL: none so far */
    uint64_t cluster_phase;         /* of the barrier of its cluster, when it arrived there */
    unsigned carry;                 /* PTX */
    uint32_t n_spins() const { return spin_next < 4 ? spin_next : 4; }
};

/* Masks of lanes: each existing lane is running or in one of the states after `exist`. */
struct Warp {
    uint32_t exist, fresh, ready, at_barrier, at_op, spinning, full, done;
    uint32_t first;                 /* id of lane 0 */
    bool synced;                    /* clock is not all zero, and not only for lanes' own pasts */
    bool met;                       /* in a shuffle or a vote */
    uint16_t clock[WARP][WARP];     /* clock[u][t]: how much of lane t's past lane u may rely on */
    uint16_t read_before[WARP];     /* by lane t's clock: what it had read when it last came to a shuffle or a vote, */
    uint32_t met_there[WARP];       /* and who came there, or had returned */
    uint64_t requests;              /* memory instructions, for the balance plots */
    uint32_t basic_blocks;          /* entered since its last step in the trace for a replay */
    struct Straight *straight;      /* what may be joined (joins.cpp); NULL: nothing so far */
    uint64_t waited;                /* simt_set_turns: requests of others it has waited for, and turns it has had */
};

struct SharedVariable {
    const void *key;
    const char *name;
    uintptr_t address;
    size_t size, element;
    uintptr_t on_card;          /* where it lies there: right behind those before it, as it is aligned */
};

/* One of those that PTX names (named_barriers.cpp): how many have come to it since it opened last. */
struct NamedBarrier {
    uint32_t expected, arrived, phase;
    int sum, result;                /* of the predicates */
    uint64_t opened;                /* when it did, by the launch's clock */
};
enum { NAMED_BARRIERS = 16 };

struct Block {
    /* what every access needs comes first */
    uint64_t epoch, barrier_epoch, over;        /* over: its launch's */
    Region shared;                  /* a wide window, the block's memory in its middle */
    bool alone;                     /* its launch's */
    bool quick;                     /* a glance may do (glance.hpp) */
    bool wrote;                     /* a thread has, or has looked for others, by what a glance did not settle */
    bool watched;                   /* for writes: no glances */
    bool fenced, fenced_since_barrier; /* by anybody: since its start; for other blocks too, since the last barrier */
    Launch *launch;
    Worker *worker;
    uint64_t linear;
    uint3 index;
    uint32_t n_threads, n_warps, n_live, n_at_barrier;
    uint3 shape;                    /* of the block that its threads were placed for */
    uint32_t warps_to_run, current_warp;
    uint32_t lane_rotation, warp_rotation;
    uint64_t first_epoch;
    uint64_t fence_cover;           /* writes of earlier epochs are fenced */
    std::atomic<uint64_t> acquired; /* clock of the latest acquire by any thread */
    std::atomic<bool> acquire_pending;      /* a volatile load is under way */
    uint32_t met;                   /* barriers since its start, or since it is watched */
    int barrier_sum, barrier_result;
    uintptr_t barrier_pc;
    uint32_t apart;                 /* 1 more than a thread that has come to another barrier; 0: none has */
    bool met_apart;                 /* its threads have gone on from several barriers */
    uint16_t named_used;            /* which of them it has used */
    NamedBarrier named[NAMED_BARRIERS];
    uintptr_t shared_base;
    size_t shared_used, shared_touched;
    std::vector<SharedVariable> variables;
    uint64_t work;
    BlockWay *way;                  /* its trace for a replay; NULL: none is kept */
    Cluster *cluster;               /* NULL: it is in none */
    uint32_t rank;                  /* in its cluster */
    bool ended;
    const Block *reached;           /* of the cluster, whose shared memory is being looked at */
    Warp warps[MAX_WARPS];
    Thread threads[MAX_THREADS];
};

/* ---- counts ---- */

/* Sums for one access of the program: a program point and what it does. */
struct SiteCounts {
    uint64_t key = 0;
    uint32_t pc = 0;
    uint8_t size = 0, kind = 0, space = 0;
    uint64_t requests = 0, units = 0, least = 0, lanes = 0, useful = 0;   /* units: sectors or wavefronts */
    /* in shared memory: where in 16 bytes it begins (1 more; 0: nothing yet), what cannot be done with it, its latest
       piece, the site that has always read the same before, if there is one */
    uint8_t begins = 0, apart = 0;
    uint64_t piece = 0, after = 0;
};

/* Accesses that have come side by side, so many times, and what they would be as one (joins.cpp). */
struct CountedJoin {
    struct Member { uint64_t site; uint8_t place; uint64_t units, least, useful; };
    std::vector<Member> members;
    uint64_t n = 0, lanes = 0;
    unsigned parts = 0;
    uint8_t bytes = 0;
    struct { uint64_t units = 0, least = 0; } joined[3];
};

struct TraceRow {
    uint32_t pc, request;
    uint8_t lane, size, kind, space;
    uintptr_t address;
    std::string buffer;
    uint64_t index;
    uint32_t bank;
    uint64_t sector;
};

/* ---- films ---- */

/* What a warp did at once: a request, or a shuffle, vote, barrier or fault (space). */
struct FilmEvent {
    uint32_t launch, warp, pc, lanes;
    uint64_t block;
    uint8_t kind, space, size;      /* kind: AccessKind, of WARP_OP the operation (simt_calls.h) */
    bool shared;                    /* where the buffer is */
    std::string buffer;             /* empty: none */
    uintptr_t base;
    size_t bytes;                   /* of the buffer */
    uintptr_t at[WARP];             /* for each of `lanes`: its address, or the lane that its shuffle reads */
};
struct FilmLaunch { std::string name; uint3 grid, block; };
/* The access that a race is with; pc 0: of several readers one, which is not known. */
struct FilmOther {
    bool there;
    uintptr_t address;
    uint64_t block;
    uint32_t thread, pc;
};
struct FilmFault {
    bool there;
    uint32_t launch;
    uint64_t block;
    uint32_t thread, pc;
    FilmOther other;
};
struct Film {
    std::vector<FilmLaunch> launches;
    std::vector<FilmEvent> events;
    FilmFault fault = {};
    size_t most = 0;                /* events */
    bool cut = false;               /* there were more */
};

/* The program's control flow as far as lanes have shown it (flow.cpp).  Node 0 is outside. */
struct FlowGraph {
    struct Node {
        uint32_t pc, next[2];           /* the first two successors, 0 for none */
        std::vector<uint32_t> more;     /* the others */
        uint32_t place, loop_end;       /* where it stands in the order, and the end of its loop */
    };
    std::vector<Node> nodes{Node{}};
    std::vector<uint32_t> table;        /* hash: program point -> node */
    bool changed = false;

    /* The node of `pc`, reached from node `from`; adds what is new. */
    uint32_t step(uint32_t from, uint32_t pc)
    {
        for (uint32_t n : nodes[from].next)
            if (n && nodes[n].pc == pc)
                return n;
        return new_step(from, pc);
    }
    uint32_t new_step(uint32_t from, uint32_t pc);
    void arrange();                     /* gives every node its place */
};

/* What has been counted of a launch. */
struct Counted {
    std::unordered_map<uint64_t, SiteCounts> sites;
    std::unordered_map<uint64_t, CountedJoin> joins;
    uint64_t warps = 0, warp_sum = 0, warp_max = 0, blocks = 0, block_sum = 0, block_max = 0;
};

struct CountSink : Counted {
    FlowGraph flow;
    std::unordered_map<uint64_t, int> traced;               /* requests kept per site */
    std::vector<TraceRow> trace;
    std::vector<FilmEvent> film;
    SiteCounts *cache[256] = {};                            /* by program point */
    uint64_t pieces = 0;                                    /* of code, so far */
};

/* ---- workers and launches ---- */

/* One OS thread that runs blocks, one thread of one block at a time. */
struct Worker {
    Suspended main_context = nullptr;
    std::vector<Carrier *> idle, carriers;
    std::vector<Block *> spare;                 /* block objects for reuse */
    uint64_t epoch_next = 0, epoch_end = 0;     /* epochs are handed out in batches */
    CountSink counts;
};

/* A release: what its thread had written before `own_epoch` (for its own block: `block_epoch`), the lanes of its warp
   before that and before their clocks in `seen`, and its block before `cover_epoch`, is out. */
struct Release {
    uint64_t time;
    uint32_t thread;
    uint64_t own_epoch, block_epoch, cover_epoch;
    uint16_t seen[WARP];
};

/* Between kernels, copies and the host (order.cpp): how many operations of each stream are over. */
typedef std::vector<uint64_t> Clock;
/* What an operation may rely on; epochs before `unknown_from` are over for it, `own` is its first one. */
/* What no kernel does in a stream; a memset copies, too.  STAGES: a copy from pageable memory, of which the last part
   may be under way when the call returns. */
enum Deed { COPIES, ALLOCATES, FREES, STAGES };
struct Order {
    Clock clock;
    uint64_t unknown_from, own;                 /* its first epoch */
    uint64_t number;                            /* it is this operation of its line */
    size_t line;
    const char *kernel;                         /* NULL: the deed */
    Deed deed;
};

/* A mark that an atomic has replaced (checks.cpp). */
struct HiddenWrite {
    uint64_t tag;
    uint32_t pc;
};

/* Of a kernel that a kernel has launched: what that thread does behind its launch may run at the same time. */
struct Parent {
    Order order = {};
    uint64_t epoch = 0;                         /* the thread's marks from then on; 0: the host has launched it */
    uint32_t block = 0, thread = 0;
};

struct Launch {
    const char *name;
    uint3 grid, block;
    uint64_t n_blocks;
    uint3 cluster = {1, 1, 1};
    unsigned cluster_size = 1;                  /* in blocks */
    std::unordered_map<uint64_t, Cluster *> clusters;   /* those that have begun and not ended, by their number */
    size_t dynamic_bytes, shared_limit;
    void (*call)(const void *);
    const void *args;
    bool counting, turns;
    bool cooperative;                           /* its grid may meet */
    bool alone;                                 /* one OS thread runs all blocks */
    unsigned checks, sample;                    /* sample: every so manieth block is counted */
    int trace, film;
    uint64_t unknown_from = UINT64_MAX;         /* from this epoch on something may run at the same time */
    Order order;                                /* program: what it may rely on */
    Parent parent;
    LaunchWay *way;                             /* simt_set_replay: where the ways of its warps go */
    bool repeats = false;                       /* it need not run, and what the listener has left at the first */
    double *note = nullptr;
    uint32_t film_number;
    uint64_t seed, step_limit;
    uint64_t first_epoch;
    uint64_t over;                              /* what has an earlier epoch is over for it, in all streams */
    uint64_t order_step, order_start;           /* block order is (start + i * step) % n_blocks */
    std::atomic<uint64_t> next_block{0};
    std::atomic<uint64_t> progress{0};          /* bumped by every step that is not a spin */
    std::atomic<uint64_t> clock{0};             /* time of releases and acquires */
    std::atomic<bool> aborted{false};
    std::atomic<bool> lasting{false};           /* it leaves something that is not in memory (repeats.cpp) */
    std::set<uintptr_t> allocated;              /* by its threads, and not freed */
    std::atomic<bool> hides{false};             /* there are */
    std::unordered_map<uintptr_t, HiddenWrite> hidden;      /* plain writes below an atomic of their own block */
    std::set<std::pair<uint64_t, uintptr_t>> read_unset;        /* words, by block, before anybody had written them */
    std::mutex release_lock;
    std::unordered_map<uint64_t, std::vector<Release>> releases;    /* by block */
};

struct Settings {
    bool counting = true;
    uint64_t seed = 0, step_limit = 200000000;
    int workers = 0, sm_count = 8, trace = 0, film = 0;
    bool sm_count_is_asked_for = false;  /* somebody has said how many there are */
    bool program = false;           /* simt_set_program */
    bool turns = false, lenient = false, every_launch = false, looks_anyway = false;
    unsigned sample = 1;
    size_t replay_bytes = 0;
    bool unread = false;            /* simt_watch_unread */
    unsigned checks = SIMT_CHECK_EVERYTHING;
    FILE *report = stderr;
};

/* ---- checks.cpp ---- */
void keep_unread(const Block *b);               /* simt_watch_unread: the block has ended */

/* ---- api.cpp ---- */
extern Settings settings;
/* The program was built by simtcc --unchecked, or a part of it: kernels say nothing of what they touch, so that no
   shadow is kept, nothing can be looked at, and device memory is open to everybody. */
extern bool without_hooks;
inline bool unchecked() { return without_hooks; }
extern cudaError_t last_error;
void set_last_error(cudaError_t e);
cudaError_t done(cudaError_t e);                /* what a call returns: the fault if there was one; keeps the error */

/* ---- api_memory.cpp ---- */
enum Side { HOST, DEVICE, EITHER };
bool range_ok(const void *p, size_t bytes, Side side);   /* all of it lies there */
bool kind_sides(int kind, Side *to, Side *from);         /* of a cudaMemcpyKind; false: it is none */
/* Rows of `width` bytes, `height` of them in each of `depth` slices. */
struct Box { char *p; size_t pitch, slice; };
/* now: it is over when the call returns. */
cudaError_t copy_box(const Box &to, const Box &from, size_t width, size_t height, size_t depth, int kind,
                     uintptr_t pc, bool now);
/* What a GPU answers with an error alone is said, too, in a program of simtcc's. */
void complain(uintptr_t pc, const std::string &what, const std::string &hint);

/* ---- order.cpp: programs of simtcc alone ---- */
/* Rows that are copied, or, with one side NULL, set or only read; waits: the host waits for it. */
struct CopyPlan {
    const char *to;
    size_t to_pitch;
    const char *from;
    size_t from_pitch, width, rows;
    bool waits;
    Deed deed = COPIES;
};
unsigned order_add_stream(unsigned flags);      /* its line */
void order_drop_stream(unsigned line);
/* An operation of the stream that is in scope; kernel: NULL if it is none. */
Order order_begin(uint64_t first_epoch, const char *kernel, Deed deed = COPIES);
void order_owns(const Order &order, uint64_t from, uint64_t end);   /* these epochs */
void order_copy(const CopyPlan &plan, uintptr_t pc);
void order_host_access(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void order_host_polls(uintptr_t a);
/* May `order` rely on the operation that has this epoch?  If not, who that is, with the verb, or its own: "kernel k in
   stream 1 writes", "cudaMallocAsync in stream 1 allocates". */
bool order_before(const Order &order, uint64_t epoch, const char *verb, std::string *who);
bool order_is(const Order &order, uint64_t epoch);          /* is this epoch one of that operation's? */
/* Is it a copy's from pageable memory that `order` may not rely on?  From then on all may: it is told once. */
bool order_tells_staged(const Order &order, uint64_t epoch);
extern const char *const order_hint, *const staged_hint;
void order_host_waits();                        /* for everything */
void order_host_waits(cudaStream_t stream);
void order_host_waits(const Clock &event);
void order_host_is_told(cudaStream_t stream);
Clock order_of(cudaStream_t stream);            /* what an event that is recorded now says */
void order_stream_waits(cudaStream_t stream, const Clock &event);
void order_forget();                            /* epochs begin anew */
typedef std::vector<std::pair<uint64_t, uint64_t>> Epochs;      /* from, end */
Epochs order_epochs(const Order &order);        /* those that an operation has had */
/* An operation that is not run, since an earlier one has done the same: marks of these epochs, the earlier one's, are
   now its own. */
void order_repeats(const Order &order, const Epochs &epochs);
/* The host function of a stream, as long as it lives: it comes when what is in the stream before it is over. */
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
/* What is done while it lives is done in that stream; graph: by nodes of a graph. */
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

/* Branches of a graph, which run at the same time: each has a line of its own, but the first, which goes on in the one
   that is in scope. */
unsigned order_add_branch();                    /* its line; order_drop_stream gives it back */
Clock order_now();                              /* what is done now may rely on that */
void order_join(Clock &into, const Clock &from);
void order_branches_meet(const std::vector<Clock> &all);        /* what is done next may rely on all of them */
/* What is done while it lives is a step of that branch (NULL: of the first), and may rely on what is known. */
class as_in_branch {
public:
    as_in_branch(const unsigned *line, const Clock &known);
    ~as_in_branch();
    as_in_branch(const as_in_branch &) = delete;
    as_in_branch &operator=(const as_in_branch &) = delete;
    Clock end() const;                          /* what may rely on the step knows that */

private:
    size_t line, before_line;
    Clock known;
    const Clock *before;
};

/* ---- host_buffers.cpp ---- */
/* The host's buffer that holds p, if it is known. */
bool host_buffer_from(const void *p, uintptr_t *base, size_t *size);

/* ---- names.cpp ---- */
struct Allocation;
void name_allocation(Allocation *a);            /* by where it was allocated, if that is known */
/* "d_in[17]", "d_in, on which cudaFree has been called", "memory beside d_in", "a __device__ variable".  size: of an
   element, 0: in bytes. */
std::string place_in_memory(uintptr_t a, unsigned size);

/* ---- api_streams.cpp, api_graphs.cpp ---- */
bool is_stream(cudaStream_t stream);
/* If the stream is being captured, the work becomes a node of its graph and true is returned; else nothing is done. */
bool capture(cudaStream_t stream, cudaGraphNodeType type, std::function<cudaError_t()> work);
/* Work in a stream: now, or when the stream's graph runs, or, of a kernel's, behind that kernel and its launches. */
cudaError_t begin_in(cudaStream_t stream, cudaGraphNodeType type, const std::function<cudaError_t()> &work);

/* A call that would disturb streams that are being captured is refused with an error, and those captures end with one,
   as was seen on an H200.  LEGACY: in the legacy stream, which waits for all but non-blocking ones; UNSAFE: not while a
   stream is captured, but in relaxed mode; ALL: waits for all streams. */
enum Disturbance { LEGACY_WORK, UNSAFE, WAITS_FOR_ALL };
cudaError_t disturbs_captures(Disturbance how);

/* ---- api_libraries.cpp ---- */
extern __thread int in_library;                 /* this OS thread launches a library's kernels, not the program's */
/* While a node of a graph copies: where the program has asked for that; else 0. */
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
/* In a header of a library: where the program has called that; 0: where the host's code is now, or 0. */
uintptr_t readers_place(uintptr_t pc);

/* ---- api_kernels.cpp ---- */
/* A launch of a kernel by its address, its arguments copied; none if the kernel is not known. */
bool kernel_known(const void *kernel, simt_kernel *how);  /* can be launched by its address */
std::function<cudaError_t()> kernel_work(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                         uint3 cluster = {0, 0, 0}, bool cooperative = true);

/* ---- device_heap.cpp ---- */
uintptr_t device_heap();                        /* where it begins; 0: no kernel has asked for memory */

/* ---- api_device.cpp ---- */
size_t limit_of(cudaLimit limit);
int device_count();
int device_current();

/* A call that a submission may make leaves its result only in memory of the submission. */
#define RESULT(p)                                                                                  \
    check_result(p, sizeof *(p), *static_cast<const uintptr_t *>(__builtin_frame_address(0)),      \
                 (uintptr_t)__builtin_return_address(0))
unsigned most_threads(const void *kernel);      /* a block of it may have: __launch_bounds__ */
size_t shared_opt_in(const void *kernel);       /* bytes of dynamic shared memory it has asked for; 0: none.
                                                   nullptr, a kernel not known by its address: any has */

/* Of this OS thread.  __thread, not thread_local: the hooks run at every access, and only
   __thread promises that no initialiser has to be looked for. */
extern __thread Worker *worker;         /* NULL outside a launch */
extern __thread Thread *current;        /* the CUDA thread that runs now, or NULL */
extern __thread bool counting;          /* the launch is being counted */

/* ---- scheduler.cpp ---- */
void block_start(Block *b, Launch *l, uint64_t linear);
enum BlockState { BLOCK_DONE, BLOCK_SPINS, BLOCK_ABORTED };
BlockState block_run(Block *b);
uint64_t block_turn(const Block *b, uint32_t *warp);     /* simt_set_turns: who is first in line, and when */
void block_finish(Block *b);                    /* folds its counts */
void block_abandon(Block *b);                   /* after a fault: drops its fibers */
Block *block_new(Worker *w);
void block_delete(Block *b);
void carrier_delete(Carrier *c);
size_t guard_bytes();                           /* closed pages below each stack */
int barrier_at(int predicate, uintptr_t pc);
void add_variable(Block *b, const SharedVariable &v);   /* memory.cpp: now it is there */
void wait_here(Thread *t);                      /* t has put itself into a waiting mask; returns when let go */
void spin_here(Thread *t);                      /* lets everybody else run first */
[[noreturn]] void leave_kernel();               /* after a fault, from a kernel thread */
void new_epoch(Block *b);
uint64_t first_epoch_of_launch(uint64_t blocks, bool *wrapped);
uint64_t epoch_of_copy();                       /* one epoch, for marks of what no kernel does */
const uint32_t *epoch_owner(uint64_t epoch);     /* NULL: forgotten */

/* ---- async_copies.cpp ---- */
const uint32_t UNDER_WAY = UINT32_MAX;          /* the epoch of a mark: of a copy that its thread has not waited for */
void async_forget(Thread *t);                   /* it has ended */

/* ---- clusters.cpp ---- */
/* As long as it lives, launches have clusters of that size, whatever their kernel says; x 0: what that says. */
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
bool large_clusters(const void *kernel);        /* more than 8 blocks; NULL: of any kernel */
uint3 cluster_of(const char *kernel);           /* of the launch that is about to be; x 0: none */
std::string wrong_cluster(const Launch &l, const void *kernel);     /* "": nothing is */
uint64_t cluster_linear(const Launch &l, uint64_t i);   /* the number in the grid of the i-th block */
Block *cluster_block(Worker *w, Launch *l, uint64_t i); /* the i-th block, to be started */
void cluster_begin(Block *b);                   /* it has been started */
void cluster_variable(Block *b, const SharedVariable &v);   /* the block has a new variable: so have the others */
void cluster_block_over(Block *b);
void cluster_thread_over(const Thread *t);
void clusters_abandon(Launch *l, Worker *w);    /* after a fault */
Block *block_of_shared(const Thread *t, uintptr_t a);   /* of its cluster, whose shared memory that is; NULL: none */
void cluster_reach(Thread *t, Block *b, uintptr_t pc);  /* is its shared memory there?  Does not return if not */

/* ---- warp_ops.cpp ---- */
bool resolve_warp(Block *b, Warp *w);           /* lets complete groups go; true if any did */
void report_missing_lanes(Block *b, Warp *w);
const char *warp_op_name(int kind);             /* "__shfl_sync" */

/* ---- counts.cpp ---- */
void fold_warp(Block *b, Warp *w, uint32_t open = 0);   /* the lanes have converged, or `open` ones are on their way */
void counts_add(const std::vector<Worker *> &from,
                const Launch &l);               /* a launch, into sums and totals; empties theirs */
enum { LONGEST_TRACE = 8192 };                  /* events */
void make_room(Thread *t);                      /* for one more event; of a longest trace others run first */
unsigned sectors(const uint64_t *address, unsigned n);
unsigned wavefronts(const uint64_t *address, const uint8_t *lane, unsigned n, unsigned size, AccessKind k,
                    unsigned *least);

/* ---- joins.cpp ---- */
void joins_block(Block *b, Warp *w, uint32_t pc, uint32_t lanes);      /* they enter a basic block */
struct RequestSize { unsigned units, least, useful; };    /* as in SiteCounts */
void joins_access(Block *b, Warp *w, const Event &e, SiteCounts *site, const uint64_t *address, const uint8_t *lane,
                  unsigned n, const RequestSize &request);
void joins_end(Block *b, Warp *w);              /* at what no access may pass */
void joins_round(Block *b, Warp *w);            /* of a loop that stays rolled */
void joins_branch(Block *b, Warp *w);           /* at what a GPU computes with one */
void joins_forget(Warp *w);
void joins_add(const std::vector<Worker *> &workers);   /* at a launch's end, before counts_add's sums */

/* ---- replay_trace.cpp ---- */
LaunchWay *way_launch(const Launch &l, const void *kernel);     /* NULL: none is kept */
void way_memset(size_t bytes);                  /* a node of its own between launches */
void way_block_start(Block *b);
void way_block_finish(Block *b);                /* its warps' ways, into those of its launch */
void way_request(Block *b, Warp *w, uint32_t pc, const Event &e, const uint64_t *address, const uint8_t *lane,
                 unsigned n);
void way_mark(Block *b, Warp *w, simt_step_kind_t kind, uintptr_t pc, uint32_t lanes); /* barrier, warp op */
void way_card_asked();                          /* the host has asked how large the GPU is */

/* What has been counted since the last reset: the sums, and where they come from. */
struct Totals {
    struct Line { std::string kernel; SiteCounts counts; };
    std::vector<Line> lines;
    std::vector<std::pair<std::string, TraceRow>> trace;
};
extern Totals totals;

/* ---- film.cpp ---- */
void film_launch(Launch *l);
void film_leave(Thread *t, uintptr_t pc, Space s, uint8_t kind, uintptr_t value);   /* in the lane's trace */
void film_keep(Block *b, const Warp *w, uint32_t pc, const Event &e, const uintptr_t *address, const uint8_t *lane,
               unsigned n);
void film_of_worker(CountSink &from);           /* takes what it has kept */
void film_race(const FilmOther &with);          /* before report_fault */
void film_fault(Thread *t, uintptr_t pc);
void film_forget();

/* ---- launch.cpp ---- */
/* As long as it lives, launches are cooperative ones, or are not. */
class cooperative_scope {
public:
    explicit cooperative_scope(bool cooperative);
    ~cooperative_scope();
    cooperative_scope(const cooperative_scope &) = delete;
    cooperative_scope &operator=(const cooperative_scope &) = delete;

private:
    bool before;
};

/* Of a signal's context: behind the division, with what a GPU gives; false: there is none.  division.cpp */
bool pass_over_division(void *context);
void catch_signals();           /* the handler for what the hooks do not see; again where somebody has put another */

/* ---- checks.cpp ---- */
/* Looks at one access of at most 16 bytes; does not return if it is a fault.  relaxed: volatile, no race with atomics.
 */
void check_global(Thread *t, Region &r, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
void check_shared(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
/* The same of the shared memory of b, a block of t's cluster. */
void check_cluster(Thread *t, Block *b, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
void check_exists(Thread *t, uintptr_t a, size_t bytes, uintptr_t pc);     /* bounds alone, of the heap alone */
void forget_hidden(Launch *l, uintptr_t a, size_t bytes);       /* plain writes there: memory that is freed */
void mark_atomic(Thread *t, Region &r, uintptr_t a, unsigned size);
void initialise(const Thread *t, uintptr_t a, unsigned size);   /* it is about to be written, by what reads, too */
[[noreturn]] void fault_constant(Thread *t, unsigned size, uintptr_t pc);
void check_constant(Thread *t, uintptr_t a, unsigned size, uintptr_t pc);   /* of a variable without a value */
void constant_given(const void *variable, size_t bytes);    /* the host has copied there, or may do so */
[[noreturn]] void fault_outside(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void has_ended(Thread *t, unsigned size, AccessKind k, uintptr_t pc);   /* the function whose variable that was */

/* ---- hooks.cpp ---- */
/* Checks one access and keeps it for the counts; says which memory it was. */
Space access(Thread *t, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
/* A stretch, in the pieces a GPU would move it in. */
void range(void *p, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc);
bool is_constant(uintptr_t a);  /* of a __constant__ variable */
void out_of_fuel(Thread *t, uintptr_t pc);

/* ---- atomics.cpp ---- */
void acquire(Thread *t, bool global);           /* global: for its whole block, from other blocks too */
void release(Thread *t);
void saw(Thread *t, uintptr_t a, uint64_t value, bool changed, uintptr_t pc);    /* spin detection */
void let_go();                                  /* of the location at which an atomic is at work */
void polled(Thread *t);                         /* the same of an unchecked program: it may be waiting */

/* ---- memory.cpp ---- */
struct Allocation {
    uintptr_t base;
    size_t size;
    bool live;
    std::string name;
    bool read_only = false;
    uintptr_t pc = 0;           /* of a program: where it was allocated; its name is found when it is asked for */
    int file = -1;              /* that holds its bytes, which other processes may open (api_processes.cpp) */
    uint64_t pool = 0;          /* the inode of one that other processes know */
};
enum MemoryKind { DEVICE_MEMORY, MANAGED_MEMORY, PINNED_MEMORY };
void region_make(Region &r, uintptr_t base, size_t size);
/* Shadow for variables that are there, and initialised, from..to-1. */
void make_variables(Region &r, const char *from, const char *to);
extern Region heap, program, managed;            /* managed: __managed__ variables */
extern uintptr_t managed_base;                  /* from here on the heap is managed memory, which the host may touch */
extern uintptr_t pinned_base;                   /* and from here on a program's pinned memory */
inline bool is_managed(uintptr_t a) { return managed.contains(a) || (heap.contains(a) && a >= managed_base); }
void memory_init();
void *heap_allocate(size_t bytes, MemoryKind kind = DEVICE_MEMORY, uintptr_t pc = 0);
bool heap_free(void *p);
void heap_of_pool(void *p, uint64_t pool);
int heap_share(uintptr_t base);                 /* puts it into a file, which is given; -1: the system refuses it */
void *heap_of_file(int file, size_t bytes, uintptr_t pc);   /* a buffer that is the file's; it is closed with it */
void heap_reset();
size_t heap_capacity();
size_t heap_in_use();
/* What to look at where something is wrong with the pointer: if it is null, the buffer that was refused before. */
std::string hint_at(const void *p, const std::string &otherwise);
/* The allocation whose memory or red zone holds `a`, live or freed; false if none. */
bool heap_find(uintptr_t a, Allocation *out);
bool heap_record(uintptr_t a, Allocation *out); /* the same, and its name is that of its number */
bool heap_covers(const void *p, size_t bytes);  /* all of it allocated */
size_t unwritten_words(const void *p, size_t bytes, size_t *first);     /* of device memory; byte of the first one */
bool is_padding(const Region &r, uintptr_t from, size_t bytes, uintptr_t a, size_t size);       /* checks.cpp */
void mark_initialised(const void *p, size_t bytes);
void set_exists(void *p, size_t bytes, bool exists);    /* of a buffer that is divided further */
void copy_initialised(const void *dst, const void *src, size_t bytes);
void add_pinned(void *p, size_t bytes, bool registered = false);    /* registered: the program's own memory */
bool remove_pinned(void *p, bool registered = false);
bool pinned_overlaps(const void *p, size_t bytes);
bool pinned_from(uintptr_t a, uintptr_t *start);    /* the pinned memory that holds `a` */
bool is_pinned(uintptr_t a);
void *reserve(size_t bytes);                    /* zero pages, not yet backed by memory; NULL if refused */
[[noreturn]] void give_up(const char *what);    /* the system refuses it: one line, exit status 1 */
void region_forget_tags(Region &r);
std::vector<Allocation> heap_live();
std::vector<uintptr_t> allocating_places();     /* program points, in their order */
/* All that a kernel can reach.  state: its shadow's, NULL where that does not change; mapped: it is the host's, too. */
struct Stretch {
    char *p;
    size_t bytes;
    uint8_t *state;
    bool mapped;
};
std::vector<Stretch> memory_stretches();

/* ---- guard.cpp ---- */
/* The pages of device memory, open while a kernel runs.  Pairs, which may nest. */
void heap_open();
void heap_look();                               /* the same, and what is done leaves no trace (repeats.cpp) */
void heap_close();
void heap_open_more(uintptr_t from, size_t bytes);     /* a buffer that is newer than the kernel */
/* Opens two stretches for as long as it lives; those that are not of the heap do not matter. */
class copy_window {
public:
    copy_window(const void *a, size_t a_bytes, const void *b = nullptr, size_t b_bytes = 0);
    ~copy_window();
    copy_window(const copy_window &) = delete;
    copy_window &operator=(const copy_window &) = delete;

private:
    uintptr_t from[2];
    size_t size[2];
};
/* Host code is about to touch managed memory: reports it if a kernel has used it since the last synchronisation. */
void managed_access(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void not_synchronised(uint64_t first_epoch);    /* a kernel has run whose epochs begin there */
void synchronised();
/* Host code is about to touch device memory: keeps the fault and opens the pages; returns. */
void host_access_fault(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
/* The same from a signal handler: `at` is the instruction, `does` "reads" or "writes".  false: it is another address.
 */
bool host_signal(uintptr_t a, const char *does, void *at);
void heap_forget_fault();

/* ---- confine.cpp ---- */
extern const simt_confinement_t *confined;      /* NULL: code is trusted, as always but in the grader */
/* May the submission do that?  Does not return if not.  frame: the frame pointer of whoever called the hook. */
void confined_check(uintptr_t a, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc);
/* The same for what a CUDA call leaves behind a pointer. */
void check_result(const void *p, size_t size, uintptr_t frame, uintptr_t pc);
bool may_enter(const void *function);
bool leave_confined();          /* after a fault of the host code; returns false if there is nothing to leave */

/* ---- source.cpp ---- */
struct Place {
    std::string file;
    int line = 0, column = 0;
    std::string calls;      /* the inlined calls that lead there, innermost first */
};
inline uintptr_t program_base() { return (uintptr_t)&__executable_start; }
inline uint32_t short_pc(uintptr_t pc) { return (uint32_t)(pc - program_base()); }
bool is_ours(const char *file);                 /* a header of ours or the system's, where no reader looks */
Place place_of(uint32_t pc);                    /* innermost line outside simt's own headers */
std::string line_text(const Place &p);
std::string symbol_of(const void *function);    /* its name for the linker; "" if it has none */
/* A static variable of a function that holds it (memory.cpp), or NULL. */
const char *kept_at(uintptr_t a, uintptr_t *base, size_t *bytes);
size_t static_shared_of(const void *kernel);    /* bytes of the __shared__ variables in it */
/* The variable that holds the address, by the program's symbols: "table"; "" if it has none. */
std::string variable_at(uintptr_t a, uintptr_t *base, size_t *size);

/* An object that has been loaded: its file, which is read from now on when somebody asks for its lines. */
void source_add(int file, const std::string &name, uintptr_t base);

/* ---- api_modules.cpp ---- */
Region *module_region(uintptr_t a);             /* the __device__ variables of a module that a lies in; or NULL */
bool is_module_constant(uintptr_t a);           /* of a __constant__ variable of a module */
bool in_module(uintptr_t a);                    /* of its code, constant tables, ... */
/* A program point of a module whose lower 32 bits, as short_pc() has them, are these; 0: of none. */
uintptr_t module_pc(uint32_t pc);

void module_stretches(std::vector<Stretch> *all);

/* ---- api_processes.cpp ---- */
void pool_for_others(simt_pool *pool);

/* ---- api_textures.cpp ---- */
void image_stretches(std::vector<Stretch> *all);    /* what textures and surfaces are */

/* ---- launch.cpp ---- */
std::unique_lock<std::recursive_mutex> host_turn();     /* launches and library calls come one after the other */
/* In a kernel: work that is begun when all that has been begun before is over; tail: and all that this will begin. */
void after_kernel(std::function<void()> work, bool tail);

/* ---- repeats.cpp ---- */
struct Repeat;
struct Digest;
/* What is known of a launch, before it and behind it. */
class Repetition {
public:
    Repetition(Launch *l, const void *kernel, size_t argument_bytes);
    /* Of a library's call; key: what it is, with all of its arguments. */
    Repetition(const char *name, std::string key);
    ~Repetition();
    Repetition(const Repetition &) = delete;
    Repetition &operator=(const Repetition &) = delete;
    /* It would do what one before it has done, and that is in place now: it need not run. */
    bool again(const std::vector<Worker *> &workers = {});
    /* It has run, for so long.  settled: run at once again, it would change nothing. */
    void over(double seconds, const std::vector<Worker *> &workers = {}, bool settled = false);

private:
    Launch *l;                          /* NULL: it is a library's call */
    const char *name = nullptr;
    Repeat *r = nullptr;
    std::string key;
    bool looks = false;
    std::vector<Digest> before;
};
void leaves_something();                        /* the kernel that runs: more than memory, so that it is always run */
void kernel_allocates(uintptr_t p);
void kernel_frees(uintptr_t p);
void device_free(void *p, uintptr_t pc);             /* free and cudaFree in a kernel */
void repeats_forget();                          /* epochs begin anew */
void memory_touched();                          /* all of it may have changed */
void memory_touched(uintptr_t from, size_t bytes);
double seconds_now();

/* ---- report.cpp ---- */
/* Keeps the first fault, stops the launch.  leave_kernel() is up to the caller. */
void report_fault(Thread *t, cudaError_t error, uintptr_t pc, const std::string &what, const std::string &hint);
void report_host_fault(uintptr_t pc, const std::string &what, const std::string &hint);
void report_late(const std::string &report);    /* a kernel's fault, of which it shows later; it is not stopped */
void report_launch(const char *kernel, cudaError_t error, const std::string &what);     /* and the reader's line */
/* The same and leaves.  The caller's frame is never unwound: hold no string across the call. */
[[noreturn]] void fault(Thread *t, cudaError_t error, uintptr_t pc, std::string what, std::string hint);
cudaError_t sticky_error();
std::string host_place_text(uintptr_t pc);
std::string place_text(Thread *t, uintptr_t pc);    /* a report's lines "in k, block ..." and "at file:line: ..." */

/* ---- lenient.cpp ---- */
enum Severity : uint8_t { HINT, WARNING, ERROR };        /* a hint stops nothing, and is not counted */
bool said_before(uintptr_t pc);                 /* nothing more need be said of this place */
bool enough_of(uintptr_t pc);                   /* nor of this one, until its words have been looked at */
bool words_wait();                              /* has a race been seen of which it is open if it harms? */
void look_again(uintptr_t a);                   /* who has written so at `a` is back: is it the value of before? */
/* Says it once a place; the kernel goes on.  raced: a word that is about to be written, which may be to what it holds
   already; then it is a warning, and said when settle() finds that out. */
void pass(Thread *t, Severity severity, uintptr_t pc, const std::string &what, const std::string &hint,
          uintptr_t raced = 0, unsigned size = 0);
/* Where reports are not lenient: another lane of the warp is about to store to `a` in the same instruction.  A fault
   once settle_one_stores() or look_again() finds that it was another value; a warning, once a place, if not. */
void one_store(Thread *t, uintptr_t pc, const std::string &what, const std::string &hint, uintptr_t a, unsigned size);
void settle_one_stores(const Block *b);         /* the block has met, or is over */
void forget_one_stores();                       /* the launch is over; a fault may have ended blocks before they met */
void pass_host(Severity severity, uintptr_t pc, const std::string &what, const std::string &hint);
/* A fault if reports are not lenient, but for a hint. */
void say_host(Severity severity, uintptr_t pc, const std::string &what, const std::string &hint);
/* What raced there has been written; over: and nobody will write there any more. */
void settle(uintptr_t from, size_t bytes, bool over);
std::string format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
std::string at_line(uint32_t pc);               /* "file:line" */
std::string thread_name(const Block *b, uint32_t id);

} // namespace simt

#endif
