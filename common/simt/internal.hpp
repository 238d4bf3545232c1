/*
 * internal.hpp - the data that the parts of simt share.
 *
 *   scheduler.cpp  fibers, warps, blocks, barriers        launch.cpp   grids on OS threads
 *   warp_ops.cpp   shuffles and votes                     atomics.cpp  atomics and fences
 *   hooks.cpp      every memory access arrives here       checks.cpp   bounds, initialised, races
 *   glance.hpp     a short check that settles most accesses
 *   switch.hpp     switches from one fiber to another
 *   counts.cpp     groups accesses of lanes into requests flow.cpp     the order in which lanes continue
 *   memory.cpp     allocations and their shadow           explain.cpp  counts per source line
 *   source.cpp     program point to file and line         report.cpp   faults
 *   api.cpp        the CUDA calls                         guard.cpp    host code that touches device memory
 *   confine.cpp    limits code that is not trusted        film.cpp     records a run step by step
 *   lenient.cpp    reports after which a kernel continues   order.cpp  what streams and the host wait for
 *   host_buffers.cpp   sizes of the host's buffers         device_heap.cpp   malloc and new in kernels
 *   host_atomics.cpp   C++'s own atomics                   leaks.cpp  what the program did not free
 *   names.cpp      names of memory in reports               bounds.cpp an index past an array of known size
 *   tiles.cpp      products of small matrices            clusters.cpp clusters of blocks, and their shared memory
 *   async_copies.cpp   copies for which no thread has waited yet
 *   replay_trace.cpp   the trace of every warp, for a replay repeats.cpp   launches that need not run again
 *   joins.cpp          adjacent accesses that nvcc joins to one
 *   witness.cpp        every access of a submission was announced by a hook
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

/* A pool of memory.  Other processes know a pool that was made for them by its file and inode. */
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

/* A range of addresses with shadow memory: the heap, the __device__ variables, or the shared
   memory of one block.  The high nibble of a state says which bytes of the word exist, the low
   nibble which are initialised. */
struct Region {
    uintptr_t base = 0;
    size_t size = 0;
    uint8_t *state = nullptr;
    Cell *cells = nullptr;
    bool contains(uintptr_t a) const { return a - base < size; }
};

/* ---- threads, warps, blocks ---- */

/* What the hooks of a submission have announced and its code has not touched yet, the latest (witness.cpp). */
struct Announced {
    enum { KEPT = 16 };
    struct { uintptr_t a; uint32_t size, left; bool written; } entry[KEPT] = {};
    unsigned next = 0;
};

/* One step of a lane's path through the kernel.  An event of size 0 is no access; `piece` says what it is. */
struct Event {
    uint32_t pc;
    uint8_t size;
    uint8_t kind;       /* AccessKind */
    uint8_t space;      /* Space */
    uint8_t piece;      /* bytes per instruction, fewer than size for structs; an EventMark if size is 0 */
    uintptr_t address;
};
/* The lane enters a basic block, begins an iteration of a loop that is not unrolled, or computes with a branch. */
enum EventMark : uint8_t { BASIC_BLOCK, NEXT_ROUND, BRANCH };
enum : uintptr_t { VOLATILE = (uintptr_t)1 << 63 };      /* in an Event's address: the access stays as it is */
enum : uintptr_t { NO_TRIES = 0, TRIES = VOLATILE, ONE_FOR_ALL = TRIES >> 1 };   /* ... of an atomic: count_tries() */
/* ... in the address of any other access: it is an element of a vector of that many bytes, as x is of a float4. */
enum : uintptr_t { IN_NONE = 0, IN_4 = VOLATILE >> 3, IN_8 = VOLATILE >> 2, IN_16 = IN_4 | IN_8 };
/* ... and the number, from 1, of the __restrict__ pointer that it uses; 0: another pointer. */
enum : uintptr_t { POINTER = IN_4 >> 4, POINTERS = IN_4 - POINTER };
enum : uintptr_t { MARKS = VOLATILE | ONE_FOR_ALL | IN_16 | POINTERS };
enum AccessKind : uint8_t { READ, WRITE, ATOMIC };
/* NOT_COUNTED: stack, constants, pinned memory.  The values after it touch no memory and are recorded for films only,
   except CLUSTER, which only the checks use: shared memory of a block of a cluster. */
enum Space : uint8_t { GLOBAL, SHARED, NOT_COUNTED, WARP_OP, BARRIER, FAULT, CLUSTER };

/* A stack on which CUDA threads run one after another. */
struct Carrier {
    Suspended context = nullptr;                    /* where an idle carrier continues */
    char *low = nullptr, *high = nullptr;       /* usable stack; a guard page below */
    uintptr_t limit = 0;                        /* above it are the scheduler's own frames */
    size_t colour = 0;                          /* bytes left free at the top (scheduler.cpp) */
    Announced announced;                        /* by the thread that runs here */
};

struct Warp;

struct Thread {
    /* The fields that every switch and every access needs come first, in two cache lines. */
    Suspended context;                  /* where it continues */
    Carrier *carrier;               /* NULL before its start and after its end */
    Block *block;
    Warp *warp;
    uint64_t tag;                   /* its part of a Cell tag: thread and warp clock */
    uint32_t id, lane;              /* id in the block, linear */
    uint32_t fuel;                  /* steps until the step limit is tested again */
    uint3 index;
    bool synced;                    /* copy of its warp's: clock is not all zero */
    uint32_t n_events, room;        /* the lane's trace since its warp last converged */
    uint32_t last_node;             /* node of the control flow at which it converged */
    Event *events;
    uintptr_t wait_pc;              /* where it waits */
    /* the shuffle or vote it waits in */
    uint32_t op_mask, op_source;
    uintptr_t last_op;              /* program point of its latest shuffle or vote */
    uint32_t active_mask;           /* the latest result of __activemask, if that was not all lanes; else 0 */
    uint8_t op_kind;
    uint64_t op_value, op_result;
    uint64_t steps;
    uint32_t folds;                 /* number of times the trace was emptied */
    /* memory order (atomics.cpp): epochs of its last __threadfence, of the barrier before that, and of its last fence
       of any kind; the time of its latest acquire, and whether a volatile load is under way that will be one */
    uint64_t fence_epoch, fence_cover, block_fence_epoch;
    uint64_t acquired;
    bool acquire_pending;
    uintptr_t moved;                /* the struct that it is copying, and its bytes; 0: none */
    size_t moved_bytes;
    uintptr_t read_unset, read_unset_pc;        /* the latest uninitialised word that this thread has read */
    /* spinning: the last volatile and atomic accesses and the values that they returned */
    uint32_t spin_next, spin_count, spin_yields;
    struct Spin { uintptr_t address, value; uint32_t pc, event, fold; } spin[4];     /* of spin_next, the latest */
    AsyncCopies *copies;            /* copies for which it has not waited; NULL: none so far */
    uint64_t cluster_phase;         /* phase of its cluster's barrier when it arrived there */
    unsigned carry;                 /* PTX's carry flag (add.cc) */
    uint32_t n_spins() const { return spin_next < 4 ? spin_next : 4; }
};

/* The first line has masks of lanes: each existing lane is running, or in one of the states after `exist`. */
struct Warp {
    uint32_t exist, fresh, ready, at_barrier, at_op, spinning, full, done;
    uint32_t first;                 /* id of lane 0 */
    bool synced;                    /* clock has entries other than lanes' own pasts */
    bool met;                       /* its lanes have met in a shuffle or a vote */
    uint16_t clock[WARP][WARP];     /* clock[u][t]: how much of lane t's past lane u may rely on */
    uint16_t read_before[WARP];     /* lane t's clock at its latest shuffle or vote: its earlier reads are over */
    uint32_t met_there[WARP];       /* the lanes that took part there, or had returned */
    uint64_t requests;              /* number of memory instructions, for maxwarp and maxblock */
    uint32_t basic_blocks;          /* number of blocks entered since its last step in the trace for a replay */
    struct Straight *straight;      /* accesses that may be joined (joins.cpp); NULL: none so far */
    uint64_t waited;                /* simt_set_turns: requests of other warps it has waited for, plus its turns */
};

struct SharedVariable {
    const void *key;
    const char *name;
    uintptr_t address;
    size_t size, element;
    uintptr_t on_card;          /* its address on a GPU: right behind the variables before it, aligned */
};

/* A barrier that PTX identifies by number (named_barriers.cpp); arrived: since it opened last. */
struct NamedBarrier {
    uint32_t expected, arrived, phase;
    int sum, result;                /* of the predicates */
    uint64_t opened;                /* time of its latest opening, by the launch's clock */
};
enum { NAMED_BARRIERS = 16 };

struct Block {
    /* The fields that every access needs come first. */
    uint64_t epoch, barrier_epoch, over;        /* over: copy of its launch's */
    Region shared;                  /* a wide window, the block's memory in its middle */
    bool alone;                     /* copy of its launch's */
    bool quick;                     /* the short check may settle an access (glance.hpp) */
    bool wrote;                     /* while watched: a thread has written, or has polled for another block's write */
    bool watched;                   /* watched for writes, since its barriers may be an endless loop: no short checks */
    bool fenced, fenced_since_barrier; /* by a thread: since its start; since the last barrier, for all blocks */
    Launch *launch;
    Worker *worker;
    uint64_t linear;
    uint3 index;
    uint32_t n_threads, n_warps, n_live, n_at_barrier;
    uint3 shape;                    /* the block shape for which its threads' indices were computed */
    uint32_t warps_to_run, current_warp;
    uint32_t lane_rotation, warp_rotation;
    uint64_t first_epoch;
    uint64_t fence_cover;           /* writes of earlier epochs are fenced */
    std::atomic<uint64_t> acquired; /* clock of the latest acquire by any thread */
    std::atomic<bool> acquire_pending;      /* a volatile load is in flight */
    uint32_t met;                   /* number of barriers since its start, or since watching began */
    int barrier_sum, barrier_result;
    uintptr_t barrier_pc;
    uint32_t apart;                 /* 1 + the id of a thread that waits in another barrier; 0: none does */
    bool met_apart;                 /* its threads have continued from several barriers */
    uint16_t named_used;            /* mask of the named barriers that it has used */
    NamedBarrier named[NAMED_BARRIERS];
    uintptr_t shared_base;
    size_t shared_used, shared_touched;
    std::vector<SharedVariable> variables;
    uint64_t work;
    BlockWay *way;                  /* its trace for a replay; NULL: none is recorded */
    Cluster *cluster;               /* NULL: the block is in no cluster */
    uint32_t rank;                  /* in its cluster */
    bool ended;
    const Block *reached;           /* block of the cluster whose shared memory is being checked */
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
    /* In shared memory, for joins: 1 + its offset in 16 bytes (0: not known yet), what rules out joins, its latest
       piece, and the site that has always read the same address before it, if there is one. */
    uint8_t begins = 0, apart = 0;
    uint64_t piece = 0, after = 0;
};

/* Accesses that were adjacent n times, and their counts if nvcc joins them to one (joins.cpp). */
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

/* One step of a warp: a request, or a shuffle, vote, barrier or fault (space). */
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
/* The other access of a race; pc 0: one of several readers, and it is not known which. */
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
    bool cut = false;               /* there were more events than `most` */
};

/* The program's control flow as far as lanes have shown it (flow.cpp).  Node 0 is outside. */
struct FlowGraph {
    struct Node {
        uint32_t pc, next[2];           /* the first two successors, 0 for none */
        std::vector<uint32_t> more;     /* the others */
        uint32_t place, loop_end;       /* its position in the order, and the end of its loop */
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
    void arrange();                     /* computes the position of every node */
};

/* The counts of a launch. */
struct Counted {
    std::unordered_map<uint64_t, SiteCounts> sites;
    std::unordered_map<uint64_t, CountedJoin> joins;
    uint64_t warps = 0, warp_sum = 0, warp_max = 0, blocks = 0, block_sum = 0, block_max = 0;
};

struct CountSink : Counted {
    FlowGraph flow;
    std::unordered_map<uint64_t, int> traced;               /* number of requests recorded per site */
    std::vector<TraceRow> trace;
    std::vector<FilmEvent> film;
    SiteCounts *cache[256] = {};                            /* by program point */
    uint64_t pieces = 0;                                    /* number of code pieces so far */
};

/* ---- workers and launches ---- */

/* One OS thread that runs blocks, one thread of one block at a time. */
struct Worker {
    Suspended main_context = nullptr;
    std::vector<Carrier *> idle, carriers;
    std::vector<Block *> spare;                 /* block objects for reuse */
    uint64_t epoch_next = 0, epoch_end = 0;     /* a worker takes epochs in batches */
    CountSink counts;
};

/* A release makes visible: writes of its thread before `own_epoch` (`block_epoch` for its own block), writes of its
   warp's lanes before that and before their clocks in `seen`, and writes of its block before `cover_epoch`. */
struct Release {
    uint64_t time;
    uint32_t thread;
    uint64_t own_epoch, block_epoch, cover_epoch;
    uint16_t seen[WARP];
};

/* Order between kernels, copies and the host (order.cpp): the number of finished operations of each stream. */
typedef std::vector<uint64_t> Clock;
/* The operations of a stream other than kernels; a memset counts as a copy.  STAGES: a copy from pageable memory, whose
   last part may be in flight when the call returns. */
enum StreamOperation { COPIES, ALLOCATES, FREES, STAGES };
/* What an operation may rely on: operations with epochs before `unknown_from` are over for it. */
struct Order {
    Clock clock;
    uint64_t unknown_from, first_epoch;         /* first_epoch: of the operation itself */
    uint64_t number;                            /* index of the operation in its line */
    size_t line;
    const char *kernel;                         /* NULL: no kernel, but the operation */
    StreamOperation operation;
};

/* The mark of a plain write that an atomic has replaced (checks.cpp). */
struct HiddenWrite {
    uint64_t tag;
    uint32_t pc;
};

/* The thread that launched this kernel from another kernel: what it does after the launch may run at the same time. */
struct Parent {
    Order order = {};
    uint64_t epoch = 0;                         /* of the thread's marks after the launch; 0: the host launched it */
    uint32_t block = 0, thread = 0;
};

struct Launch {
    const char *name;
    uint3 grid, block;
    uint64_t n_blocks;
    uint3 cluster = {1, 1, 1};
    unsigned cluster_size = 1;                  /* in blocks */
    std::unordered_map<uint64_t, Cluster *> clusters;   /* the clusters that run, by number */
    size_t dynamic_bytes, shared_limit;
    void (*call)(const void *);
    const void *args;
    size_t args_bytes;
    const char *pointers;                       /* the names of its parameters that are pointers (names.cpp), or NULL */
    size_t pointers_bytes;                      /* of the arguments that may be searched for them */
    bool counting, turns;
    bool cooperative;                           /* it may use barriers of the whole grid */
    bool alone;                                 /* one OS thread runs all blocks */
    unsigned checks, sample;                    /* sample: one in that many blocks is counted */
    int trace, film;
    uint64_t unknown_from = UINT64_MAX;         /* operations from this epoch on may run at the same time */
    Order order;                                /* for programs of simtcc: what it may rely on */
    Parent parent;
    LaunchWay *way;                             /* simt_set_replay: receives the traces of its warps */
    bool repeats = false;                       /* an earlier launch did the same: it need not run */
    double *note = nullptr;                     /* the listener's memory of that earlier launch */
    uint32_t film_number;
    uint64_t seed, step_limit;
    uint64_t first_epoch;
    uint64_t over;                              /* operations of earlier epochs are over for it, in all streams */
    uint64_t order_step, order_start;           /* block order is (start + i * step) % n_blocks */
    std::atomic<uint64_t> next_block{0};
    std::atomic<uint64_t> progress{0};          /* bumped by every step that is not a spin */
    std::atomic<uint64_t> clock{0};             /* numbers releases and acquires */
    std::atomic<bool> aborted{false};
    std::atomic<bool> lasting{false};           /* it has an effect other than on memory (repeats.cpp) */
    std::set<uintptr_t> allocated;              /* memory that its threads allocated and did not free */
    std::atomic<bool> hides{false};             /* `hidden` is not empty */
    std::unordered_map<uintptr_t, HiddenWrite> hidden;      /* plain writes; an atomic replaced the mark */
    std::set<std::pair<uint64_t, uintptr_t>> read_unset;        /* words that a block read before any write to them */
    std::mutex release_lock;
    std::unordered_map<uint64_t, std::vector<Release>> releases;    /* by block */
};

struct Settings {
    bool counting = true;
    uint64_t seed = 0, step_limit = 200000000;
    int workers = 0, sm_count = 8, trace = 0, film = 0;
    bool sm_count_is_asked_for = false;  /* the user has set sm_count */
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
/* The program, or a part of it, was built by simtcc --unchecked.  Its kernels have no hooks, so there is no shadow
   memory, no access is checked, and host code may touch device memory. */
extern bool without_hooks;
inline bool unchecked() { return without_hooks; }
extern cudaError_t last_error;
void set_last_error(cudaError_t e);
cudaError_t done(cudaError_t e);                /* the result of a call: an earlier fault, else e; stores the error */

/* ---- api_memory.cpp ---- */
enum Side { HOST, DEVICE, EITHER };
bool range_ok(const void *p, size_t bytes, Side side);   /* all of it lies there */
bool kind_sides(int kind, Side *to, Side *from);         /* of a cudaMemcpyKind; false: kind is not one */
/* Rows of `width` bytes, `height` of them in each of `depth` slices. */
struct Box { char *p; size_t pitch, slice; };
/* now: the copy is complete when the call returns. */
cudaError_t copy_box(const Box &to, const Box &from, size_t width, size_t height, size_t depth, int kind,
                     uintptr_t pc, bool now);
/* In a program of simtcc: reports what a GPU answers only with an error code. */
void complain(uintptr_t pc, const std::string &what, const std::string &hint);

/* ---- order.cpp: programs of simtcc alone ---- */
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
void order_copy(const CopyPlan &plan, uintptr_t pc);
void order_host_access(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void order_host_polls(uintptr_t a);
/* May `order` rely on the operation that has this epoch?  If not, *who describes that operation with the verb, or with
   its own: "kernel k in stream 1 writes", "cudaMallocAsync in stream 1 allocates". */
bool order_before(const Order &order, uint64_t epoch, const char *verb, std::string *who);
bool order_is(const Order &order, uint64_t epoch);          /* is this epoch one of that operation's? */
/* Is this the epoch of a copy from pageable memory on which `order` may not rely?  True once per copy, so that it is
   reported once. */
bool order_tells_staged(const Order &order, uint64_t epoch);
extern const char *const order_hint, *const staged_hint;
void order_host_waits();                        /* the host waits for all streams */
void order_host_waits(cudaStream_t stream);
void order_host_waits(const Clock &event);
bool order_host_knows(const Clock &event);      /* has the host waited for all that was before it? */
void order_host_is_told(cudaStream_t stream);
Clock order_of(cudaStream_t stream);            /* the clock of an event that is recorded now */
void order_stream_waits(cudaStream_t stream, const Clock &event);
void order_forget();                            /* for when epochs restart at 0 */
typedef std::vector<std::pair<uint64_t, uint64_t>> Epochs;      /* from, end */
Epochs order_epochs(const Order &order);        /* the epochs that an operation has had */
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

/* ---- names.cpp ---- */
struct Allocation;
void name_allocation(Allocation *a);            /* after the source line that allocated it, if that is known */
/* heap_find; in the course, if one parameter of the kernel points into the buffer, the buffer as that kernel has it:
   with the parameter's name, from where it points to. */
bool heap_find_for(const Launch *l, uintptr_t a, Allocation *out);
/* "d_in[17]", "d_in, on which cudaFree has been called", "memory beside d_in", "a __device__ variable".  size: of an
   element, 0: in bytes. */
std::string place_in_memory(uintptr_t a, unsigned size);

/* ---- api_streams.cpp, api_graphs.cpp ---- */
bool is_stream(cudaStream_t stream);
/* If the stream is being captured, adds the work as a node of its graph and returns true; else returns false. */
bool capture(cudaStream_t stream, cudaGraphNodeType type, std::function<cudaError_t()> work);
/* Runs work in a stream: now, when the stream's graph runs, or, if a kernel begins it, after that kernel. */
cudaError_t begin_in(cudaStream_t stream, cudaGraphNodeType type, const std::function<cudaError_t()> &work);

/* A call that would disturb a stream capture fails, and the capture fails, too, as measured on an H200.  LEGACY_WORK:
   work in the legacy stream, which waits for all blocking streams; UNSAFE: allowed during a capture in relaxed mode
   only; WAITS_FOR_ALL: waits for all streams. */
enum Disturbance { LEGACY_WORK, UNSAFE, WAITS_FOR_ALL };
cudaError_t disturbs_captures(Disturbance how);

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

/* ---- api_kernels.cpp ---- */
bool kernel_known(const void *kernel, simt_kernel *how);  /* can the kernel be launched by its address? */
/* The launch of a kernel by its address, with copies of its arguments; empty if the kernel is not known. */
std::function<cudaError_t()> kernel_work(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                         uint3 cluster = {0, 0, 0}, bool cooperative = true);

/* ---- device_heap.cpp ---- */
uintptr_t device_heap();                        /* its first address; 0: no kernel has allocated memory */

/* ---- api_device.cpp ---- */
size_t limit_of(cudaLimit limit);
int device_count();
int device_current();

/* Checks that a call stores its result in memory of the submission only. */
#define RESULT(p)                                                                                  \
    check_result(p, sizeof *(p), *static_cast<const uintptr_t *>(__builtin_frame_address(0)),      \
                 (uintptr_t)__builtin_return_address(0))
unsigned most_threads(const void *kernel);      /* largest block of the kernel: __launch_bounds__ */
size_t shared_opt_in(const void *kernel);       /* bytes of dynamic shared memory that it has requested; 0: none.
                                                   nullptr: the most that any kernel has requested */

/* State of this OS thread.  It is __thread, not thread_local, because the hooks run at every access, and only
   __thread guarantees that no initialiser has to be tested. */
extern __thread Worker *worker;         /* NULL outside a launch */
extern __thread Thread *current;        /* the CUDA thread that runs now, or NULL */
extern __thread bool counting;          /* the launch is being counted */

/* ---- scheduler.cpp ---- */
void block_start(Block *b, Launch *l, uint64_t linear);
enum BlockState { BLOCK_DONE, BLOCK_SPINS, BLOCK_ABORTED };
BlockState block_run(Block *b);
uint64_t block_turn(const Block *b, uint32_t *warp);     /* simt_set_turns: the warp whose turn is next, and its time */
void block_finish(Block *b);                    /* adds its counts to its worker's */
void block_abandon(Block *b);                   /* after a fault: releases its fibers */
Block *block_new(Worker *w);
void block_delete(Block *b);
void carrier_delete(Carrier *c);
size_t guard_bytes();                           /* size of the guard pages below each stack */
int barrier_at(int predicate, uintptr_t pc);
void add_variable(Block *b, const SharedVariable &v);   /* memory.cpp: makes its bytes exist */
void wait_here(Thread *t);                      /* t has put itself into a waiting mask; returns when t is released */
void spin_here(Thread *t);                      /* lets all other threads run first */
[[noreturn]] void leave_kernel();               /* after a fault, from a kernel thread */
void new_epoch(Block *b);
uint64_t first_epoch_of_launch(uint64_t blocks, bool *wrapped);
uint64_t epoch_of_copy();                       /* one epoch, for marks of an operation that is not a kernel */
const uint32_t *epoch_owner(uint64_t epoch);     /* NULL: forgotten */

/* ---- async_copies.cpp ---- */
const uint32_t UNDER_WAY = UINT32_MAX;          /* epoch of the marks of a copy for which its thread has not waited */
void async_forget(Thread *t);                   /* for a thread that has ended */

/* ---- clusters.cpp ---- */
/* While an object lives, launches have clusters of that size; with x = 0 the size that their kernel declares. */
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
bool large_clusters(const void *kernel);        /* may it have more than 8 blocks?  NULL: may any kernel? */
uint3 cluster_of(const char *kernel);           /* cluster size of the next launch; x = 0: no clusters */
std::string wrong_cluster(const Launch &l, const void *kernel);     /* what is wrong with its clusters; "": nothing */
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

/* ---- counts.cpp ---- */
void fold_warp(Block *b, Warp *w, uint32_t open = 0);   /* all lanes but `open` have converged: counts their traces */
void counts_add(const std::vector<Worker *> &from,
                const Launch &l);               /* moves the workers' counts of a launch into the totals */
enum { LONGEST_TRACE = 8192 };                  /* events */
void make_room(Thread *t);                      /* for one more event; if the trace is full, other lanes run first */
unsigned sectors(const uint64_t *address, unsigned n);
unsigned wavefronts(const uint64_t *address, const uint8_t *lane, unsigned n, unsigned size, AccessKind k,
                    unsigned *least);

/* ---- joins.cpp ---- */
void joins_block(Block *b, Warp *w, uint32_t pc, uint32_t lanes);      /* the lanes enter a basic block */
struct RequestSize { unsigned units, least, useful; };    /* as in SiteCounts */
void joins_access(Block *b, Warp *w, const Event &e, SiteCounts *site, const uint64_t *address, const uint8_t *lane,
                  unsigned n, const RequestSize &request);
void joins_end(Block *b, Warp *w);              /* at an instruction over which no access may be moved */
void joins_round(Block *b, Warp *w);            /* at an iteration of a loop that is not unrolled */
void joins_branch(Block *b, Warp *w);           /* at an operation that a GPU computes with a branch */
void joins_forget(Warp *w);
void joins_add(const std::vector<Worker *> &workers);   /* at a launch's end, before counts_add's sums */

/* ---- replay_trace.cpp ---- */
LaunchWay *way_launch(const Launch &l, const void *kernel);     /* NULL: no trace is recorded */
void way_memset(size_t bytes);                  /* a separate node between launches */
void way_block_start(Block *b);
void way_block_finish(Block *b);                /* adds its warps' traces to its launch */
void way_request(Block *b, Warp *w, uint32_t pc, const Event &e, const uint64_t *address, const uint8_t *lane,
                 unsigned n);
void way_mark(Block *b, Warp *w, simt_step_kind_t kind, uintptr_t pc, uint32_t lanes); /* barrier, warp op */
void way_card_asked();                          /* the host has queried the size of the GPU */

/* The counts since the last reset: sums, and the source lines that they come from. */
struct Totals {
    struct Line { std::string kernel; SiteCounts counts; };
    std::vector<Line> lines;
    std::vector<std::pair<std::string, TraceRow>> trace;
};
extern Totals totals;

/* ---- film.cpp ---- */
void film_launch(Launch *l);
void film_leave(Thread *t, uintptr_t pc, Space s, uint8_t kind, uintptr_t value);   /* adds to the lane's trace */
void film_keep(Block *b, const Warp *w, uint32_t pc, const Event &e, const uintptr_t *address, const uint8_t *lane,
               unsigned n);
void film_of_worker(CountSink &from);           /* takes the events that the worker has recorded */
void film_race(const FilmOther &with);          /* before report_fault */
void film_fault(Thread *t, uintptr_t pc);
void film_forget();

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

/* division.cpp: changes a signal's context so that execution continues after the division, with a GPU's result; false:
   it is not at a division. */
bool pass_over_division(void *context);
void catch_signals();           /* installs the handler for faults that the hooks miss, also over a later handler */

/* ---- checks.cpp ---- */
/* Checks one access of at most 16 bytes; does not return if it is a fault.  relaxed: volatile, no race with atomics. */
void check_global(Thread *t, Region &r, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
void check_shared(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
/* The same for the shared memory of b, a block of t's cluster. */
void check_cluster(Thread *t, Block *b, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
void check_exists(Thread *t, uintptr_t a, size_t bytes, uintptr_t pc);     /* checks only bounds, only in the heap */
void forget_hidden(Launch *l, uintptr_t a, size_t bytes);       /* drops the hidden writes to memory that is freed */
void mark_atomic(Thread *t, Region &r, uintptr_t a, unsigned size);
void initialise(const Thread *t, uintptr_t a, unsigned size);   /* for an access that reads and writes */
[[noreturn]] void fault_constant(Thread *t, unsigned size, uintptr_t pc);
void check_constant(Thread *t, uintptr_t a, unsigned size, uintptr_t pc);   /* faults if the variable has no value */
void constant_given(const void *variable, size_t bytes);    /* the host has copied there, or may do so */
[[noreturn]] void fault_outside(Thread *t, uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
void has_ended(Thread *t, unsigned size, AccessKind k, uintptr_t pc);   /* the variable's function has returned */

/* ---- hooks.cpp ---- */
/* Checks one access, records it for the counts, and returns which memory it was. */
Space access(Thread *t, uintptr_t a, unsigned size, AccessKind k, bool relaxed, uintptr_t pc);
/* The same for a range of bytes, in the pieces in which a GPU would transfer it. */
void range(void *p, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc);
bool is_constant(uintptr_t a);  /* is it in a __constant__ variable? */
void out_of_fuel(Thread *t, uintptr_t pc);

/* ---- atomics.cpp ---- */
void acquire(Thread *t, bool global);           /* global: for its whole block, from other blocks too */
void release(Thread *t);
/* Spin detection: the thread has read this value by a volatile or atomic access. */
void note_polled_value(Thread *t, uintptr_t a, uint64_t value, bool changed, uintptr_t pc);
void unlock_location();                         /* the one that the atomic in progress has locked */
void polled(Thread *t);                         /* spin detection in an unchecked program: the thread may be waiting */

/* ---- memory.cpp ---- */
struct Allocation {
    uintptr_t base;
    size_t size;
    bool live;
    std::string name;
    bool read_only = false;
    uintptr_t pc = 0;           /* where a program of simtcc allocated it; a report that needs the name looks it up */
    int file = -1;              /* the file that holds its bytes if other processes may open it (api_processes.cpp) */
    uint64_t pool = 0;          /* the inode of its pool if other processes know that */
};
enum MemoryKind { DEVICE_MEMORY, MANAGED_MEMORY, PINNED_MEMORY };
void region_make(Region &r, uintptr_t base, size_t size);
/* Makes shadow memory for the initialised variables in from..to-1. */
void make_variables(Region &r, const char *from, const char *to);
extern Region heap, program, managed;            /* managed: __managed__ variables */
extern uintptr_t managed_base;                  /* the heap above it is managed memory, which host code may touch */
extern uintptr_t pinned_base;                   /* the heap above it is pinned memory of a program */
inline bool is_managed(uintptr_t a) { return managed.contains(a) || (heap.contains(a) && a >= managed_base); }
void memory_init();
void *heap_allocate(size_t bytes, MemoryKind kind = DEVICE_MEMORY, uintptr_t pc = 0);
bool heap_free(void *p);
void heap_of_pool(void *p, uint64_t pool);
int heap_share(uintptr_t base);                 /* moves it into a file and returns that; -1: the system refuses */
void *heap_of_file(int file, size_t bytes, uintptr_t pc);   /* a buffer backed by the file, which is closed with it */
void heap_reset();
size_t heap_capacity();
size_t heap_in_use();
/* The hint for a wrong pointer: for a null pointer the allocation that failed before, else `otherwise`. */
std::string hint_at(const void *p, const std::string &otherwise);
/* The allocation whose memory or red zone holds `a`, live or freed; false if none. */
bool heap_find(uintptr_t a, Allocation *out);
bool heap_record(uintptr_t a, Allocation *out); /* the same, with a name made of its number */
bool heap_covers(const void *p, size_t bytes);  /* are all bytes allocated? */
size_t unwritten_words(const void *p, size_t bytes, size_t *first);     /* of device memory; byte of the first one */
bool is_padding(const Region &r, uintptr_t from, size_t bytes, uintptr_t a, size_t size);       /* checks.cpp */
void mark_initialised(const void *p, size_t bytes);
void set_exists(void *p, size_t bytes, bool exists);    /* for a buffer that is divided further */
void copy_initialised(const void *dst, const void *src, size_t bytes);
void add_pinned(void *p, size_t bytes, bool registered = false);    /* registered: the program's own memory */
bool remove_pinned(void *p, bool registered = false);
bool pinned_overlaps(const void *p, size_t bytes);
bool pinned_from(uintptr_t a, uintptr_t *start);    /* the pinned memory that holds `a` */
bool is_pinned(uintptr_t a);
void *reserve(size_t bytes);                    /* zero pages, not yet backed by memory; NULL if refused */
[[noreturn]] void give_up(const char *what);    /* the system refused `what`: prints one line, exits with 1 */
void region_forget_tags(Region &r);
std::vector<Allocation> heap_live();
std::vector<uintptr_t> allocating_places();     /* program points, in their order */
/* A range of memory that a kernel can reach.  state: its shadow state, NULL if that does not change; mapped: host code
   can reach it, too. */
struct Stretch {
    char *p;
    size_t bytes;
    uint8_t *state;
    bool mapped;
};
std::vector<Stretch> memory_stretches();

/* ---- guard.cpp ---- */
/* Makes the pages of device memory accessible while a kernel runs; pairs with heap_close may nest. */
void heap_open();
void heap_look();                               /* the same for accesses that change nothing (repeats.cpp) */
void heap_close();
void heap_open_more(uintptr_t from, size_t bytes);     /* for a buffer allocated after the kernel began */
/* Opens two ranges while an object lives; ranges outside the heap have no effect. */
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
void not_synchronised(uint64_t first_epoch);    /* a kernel has run, with epochs from first_epoch on */
void synchronised();
/* Host code is about to touch device memory: stores the fault, makes the pages accessible, and returns. */
void host_access_fault(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc);
/* The same from a signal handler: `at` is the instruction, `does` "reads" or "writes".  false: not device memory. */
bool host_signal(uintptr_t a, const char *does, void *at);
void heap_forget_fault();

/* ---- confine.cpp ---- */
extern const simt_confinement_t *confined;      /* NULL: code is trusted, as everywhere but in the grader */
/* Faults if the submission may not access that.  frame: the frame pointer of the hook's caller. */
void confined_check(uintptr_t a, size_t size, AccessKind k, uintptr_t frame, uintptr_t pc);
/* The same for an access that no hook has announced; false if a hook had to. */
bool may_be_silent(Thread *t, uintptr_t a, size_t size, AccessKind k, uintptr_t stack, uintptr_t frame, uintptr_t pc);
size_t bytes_of_arguments(const void *args, size_t bytes);
/* A hook has been told of this access. */
void announce(Thread *t, uintptr_t a, size_t size, AccessKind k);
/* The same for the result that a CUDA call stores through a pointer. */
void check_result(const void *p, size_t size, uintptr_t frame, uintptr_t pc);
bool may_enter(const void *function);
bool leave_confined();          /* after a fault of host code; returns false if no confined code runs */

/* ---- source.cpp ---- */
struct Place {
    std::string file;
    int line = 0, column = 0;
    std::string calls;      /* the inlined calls that lead there, innermost first */
};
inline uintptr_t program_base() { return (uintptr_t)&__executable_start; }
inline uint32_t short_pc(uintptr_t pc) { return (uint32_t)(pc - program_base()); }
bool is_ours(const char *file);                 /* is it a header of simt or of the system, not of the program? */
Place place_of(uint32_t pc);                    /* innermost line outside simt's own headers */
std::string line_text(const Place &p);
std::string symbol_of(const void *function);    /* its linker symbol; "" if it has none */
/* The name of the function's static variable that holds the address (memory.cpp), or NULL. */
const char *kept_at(uintptr_t a, uintptr_t *base, size_t *bytes);
size_t static_shared_of(const void *kernel);    /* bytes of the __shared__ variables in it */
/* The variable that holds the address, by the program's symbols: "table"; "" if it has none. */
std::string variable_at(uintptr_t a, uintptr_t *base, size_t *size);

/* Adds the file of an object that has been loaded; it is read when a report needs its lines. */
void source_add(int file, const std::string &name, uintptr_t base);

/* ---- api_modules.cpp ---- */
Region *module_region(uintptr_t a);             /* the module's __device__ variables that hold a; or NULL */
bool is_module_constant(uintptr_t a);           /* is it in a __constant__ variable of a module? */
bool in_module(uintptr_t a);                    /* is it in a module's code, constant tables, ...? */
/* The program point of a module with these lower 32 bits, as short_pc() returns them; 0: no module has one. */
uintptr_t module_pc(uint32_t pc);

void module_stretches(std::vector<Stretch> *all);

/* ---- api_processes.cpp ---- */
void pool_for_others(simt_pool *pool);

/* ---- api_textures.cpp ---- */
void image_stretches(std::vector<Stretch> *all);    /* adds the memory of textures and surfaces */

/* ---- launch.cpp ---- */
std::unique_lock<std::recursive_mutex> host_turn();     /* serializes launches and library calls */
/* In a kernel: work that begins after all earlier work of the kernel; tail: and after all work that this begins. */
void after_kernel(std::function<void()> work, bool tail);

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

/* ---- report.cpp ---- */
/* Stores the first fault and stops the launch.  The caller calls leave_kernel(). */
void report_fault(Thread *t, cudaError_t error, uintptr_t pc, const std::string &what, const std::string &hint);
void report_host_fault(uintptr_t pc, const std::string &what, const std::string &hint);
void report_late(const std::string &report);    /* a fault that is detected later; it does not stop the kernel */
void report_launch(const char *kernel, cudaError_t error, const std::string &what);     /* names the program's line */
/* Reports and leaves the kernel.  The caller's frame is never unwound: hold no string across the call. */
[[noreturn]] void fault(Thread *t, cudaError_t error, uintptr_t pc, std::string what, std::string hint);
cudaError_t sticky_error();
std::string host_place_text(uintptr_t pc);
std::string place_text(Thread *t, uintptr_t pc);    /* a report's lines "in k, block ..." and "at file:line: ..." */

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
