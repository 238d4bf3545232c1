/* state.hpp - the data that all parts of simt share: shadow memory, threads and blocks, counts, launches, settings. */
#ifndef SIMT_STATE_HPP
#define SIMT_STATE_HPP

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
#include "run/switch.hpp"

extern "C" char __executable_start;     /* the start of the program, defined by the linker */

struct simt_kernel;

/* A pool of memory.  A pool that was made for other processes has a file, by whose inode they know it. */
struct simt_pool {
    uint64_t threshold = 0;
    int file = -1;
    uint64_t inode = 0;
};

namespace simt {

#ifdef __x86_64__
enum { SIMT_LANDINGS = 1 };     /* the compiler marks the functions that indirect calls may enter */
#else
enum { SIMT_LANDINGS = 0 };
#endif

enum { WARP = 32, MAX_THREADS = 1024, MAX_WARPS = MAX_THREADS / WARP };
enum { CLOCK_KHZ = 1980000 };           /* the clock rate of the simulated GPU */
const size_t SHARED_DEFAULT = 48 << 10, SHARED_OPT_IN = 227 << 10;

struct Launch;
struct Block;
struct Worker;
struct Cluster;
struct AsyncCopies;
struct BlockWay;
struct LaunchWay;

/* ---- shadow memory: the state of each 4-byte word ---- */

/* Last write and last read of a word.  A tag holds, from the top: 32 bits epoch, 10 bits
   thread, 16 bits warp clock, 4 bits which bytes, 2 bits flags (races.hpp). */
struct Cell {
    uint64_t write, read;
    uint32_t write_pc, read_pc;     /* offsets into the program */
};

/* A range of addresses with shadow memory: the heap, the __device__ variables, or the shared
   memory of one block.  The bits of a state's high nibble tell which bytes of the word exist,
   those of the low nibble which are initialised. */
struct Region {
    uintptr_t base = 0;
    size_t size = 0;
    uint8_t *state = nullptr;
    Cell *cells = nullptr;
    bool contains(uintptr_t a) const { return a - base < size; }
};

/* ---- threads, warps, blocks ---- */

/* The latest accesses that the hooks of a submission have announced and its code has not made yet (witness.cpp). */
struct Announced {
    enum { KEPT = 16 };
    struct { uintptr_t a; uint32_t size, left; bool written; } entry[KEPT] = {};
    unsigned next = 0;
};

/* One step of a lane's path through the kernel.  An event of size 0 is not an access; `piece` tells its kind. */
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
enum : uintptr_t { VOLATILE = (uintptr_t)1 << 63 };      /* in an Event's address: the access must not be joined */
enum : uintptr_t { NO_TRIES = 0, TRIES = VOLATILE, ONE_FOR_ALL = TRIES >> 1 };   /* in an atomic's: count_tries() */
/* In the address of another access: the bytes of the vector whose element it is, as x is of a float4. */
enum : uintptr_t { IN_NONE = 0, IN_4 = VOLATILE >> 3, IN_8 = VOLATILE >> 2, IN_16 = IN_4 | IN_8 };
/* In the same address: the number, from 1, of the __restrict__ pointer that it uses; 0: another pointer. */
enum : uintptr_t { POINTER = IN_4 >> 4, POINTERS = IN_4 - POINTER };
enum : uintptr_t { MARKS = VOLATILE | ONE_FOR_ALL | IN_16 | POINTERS };
enum AccessKind : uint8_t { READ, WRITE, ATOMIC };
/* NOT_COUNTED: stack, constants, pinned memory.  The values after it touch no memory and are recorded for films only,
   except CLUSTER, which only the checks use: shared memory of a block of a cluster. */
enum Space : uint8_t { GLOBAL, SHARED, NOT_COUNTED, WARP_OP, BARRIER, FAULT, CLUSTER };

/* A stack on which CUDA threads run one after another. */
struct Carrier {
    Suspended context = nullptr;                    /* where an idle carrier continues */
    char *low = nullptr, *high = nullptr;       /* the usable stack; a guard page is below it */
    uintptr_t limit = 0;                        /* above it are frames of the scheduler */
    size_t colour = 0;                          /* bytes left free at the top (carriers.cpp) */
    Announced announced;                        /* by the thread that runs here */
};

struct Warp;

struct Thread {
    /* The fields that every switch and every access needs come first, in two cache lines. */
    Suspended context;                  /* the context in which it continues */
    Carrier *carrier;               /* NULL before its start and after its end */
    Block *block;
    Warp *warp;
    uint64_t tag;                   /* its part of a Cell tag: thread and warp clock */
    uint32_t id, lane;              /* id: its linear index in the block */
    uint32_t fuel;                  /* steps until the step limit is tested again */
    uint3 index;
    bool synced;                    /* copy of its warp's: clock is not all zero */
    uint32_t n_events, room;        /* the lane's trace since its warp last converged */
    uint32_t last_node;             /* node of the control flow at which it converged */
    Event *events;
    uintptr_t wait_pc;              /* the program point at which it waits */
    /* the shuffle or vote in which it waits */
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
    struct Spin { uintptr_t address, value; uint32_t pc, event, fold; } spin[4];     /* the latest of spin_next */
    AsyncCopies *copies;            /* copies for which it has not waited; NULL: none so far */
    uint64_t cluster_phase;         /* phase of its cluster's barrier when it arrived there */
    unsigned carry;                 /* PTX's carry flag (add.cc) */
    uint32_t n_spins() const { return spin_next < 4 ? spin_next : 4; }
};

/* The first line has masks of lanes: each existing lane is running, or in one of the states after `exist`. */
struct Warp {
    uint32_t exist, fresh, ready, at_barrier, at_op, spinning, full, done;
    uint32_t first;                 /* id of lane 0 */
    bool synced;                    /* clock has entries of other lanes' pasts */
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
    uintptr_t on_gpu;          /* its address on a GPU: after the variables before it, aligned */
};

/* A barrier that PTX identifies by number (named_barriers.cpp).  arrived counts since it last opened. */
struct NamedBarrier {
    uint32_t expected, arrived, phase;
    int sum, result;                /* sum of the predicates so far, and the result of the last phase */
    uint64_t opened;                /* when it last opened, by the launch's clock */
};
enum { NAMED_BARRIERS = 16 };

struct Block {
    /* The fields that every access needs come first. */
    uint64_t epoch, barrier_epoch, over;        /* over: copy of its launch's */
    Region shared;                  /* a wide window, the block's memory in its middle */
    bool alone;                     /* copy of its launch's */
    bool quick;                     /* the quick check may decide an access (glance.hpp) */
    bool wrote;                     /* while watched: a thread has written, or has polled for another block's write */
    bool watched;                   /* watched for writes, because its barriers may loop endlessly: no quick checks */
    bool fenced, fenced_since_barrier; /* a thread has fenced since its start; since the last barrier, for all blocks */
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
    uint32_t apart;                 /* 1 + the id of a thread that waits at another barrier; 0: none does */
    bool met_apart;                 /* its threads have continued from several barriers */
    uint16_t named_used;            /* mask of the named barriers that it has used */
    NamedBarrier named[NAMED_BARRIERS];
    uintptr_t shared_base;
    size_t shared_used, shared_touched;
    std::vector<SharedVariable> variables;
    uint64_t work;
    BlockWay *way;                  /* its trace for a replay; NULL: none is recorded */
    Cluster *cluster;               /* NULL: the block is in no cluster */
    uint32_t rank;                  /* its rank in the cluster */
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
    uint8_t kind, space, size;      /* kind: an AccessKind; if space is WARP_OP the operation (simt_calls.h) */
    bool shared;                    /* the buffer is in shared memory */
    std::string buffer;             /* the name of the buffer; empty: none */
    uintptr_t base;
    size_t bytes;                   /* of the buffer */
    uintptr_t at[WARP];             /* for each of `lanes`: its address, or the lane that its shuffle reads */
};
struct FilmLaunch { std::string name; uint3 grid, block; };
/* The other access of a race; pc 0: it is unknown which of several readers made it. */
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
    size_t most = 0;                /* the most events that are recorded */
    bool cut = false;               /* there were more events than `most` */
};

/* The control flow graph of the program, as observed from the lanes' traces (flow.cpp).  Node 0 is outside of it. */
struct FlowGraph {
    struct Node {
        uint32_t pc, next[2];           /* the first two successors, 0 for none */
        std::vector<uint32_t> more;     /* the others */
        uint32_t place, loop_end;       /* its position in the order, and the end of its loop */
    };
    std::vector<Node> nodes{Node{}};
    std::vector<uint32_t> table;        /* hash: program point -> node */
    bool changed = false;

    /* Returns the node of `pc`, reached from node `from`; adds a new node or edge. */
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
    SiteCounts *cache[256] = {};                            /* indexed by program point */
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
/* The operations that are ordered before an operation: those with epochs before `unknown_from`. */
struct Order {
    Clock clock;
    uint64_t unknown_from, first_epoch;         /* first_epoch: the first one of the operation itself */
    uint64_t number;                            /* index of the operation in its stream */
    size_t line;
    const char *kernel;                         /* NULL: it is not a kernel but `operation` */
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
    std::unordered_map<uint64_t, Cluster *> clusters;   /* the running clusters, by number */
    size_t dynamic_bytes, shared_limit;
    void (*call)(const void *);
    const void *args;
    size_t args_bytes;
    const char *pointers;                       /* the names of its parameters that are pointers (names.cpp), or NULL */
    size_t pointers_bytes;                      /* bytes of the arguments that may be searched for these pointers */
    bool counting, turns;
    bool cooperative;                           /* it may use barriers of the whole grid */
    bool alone;                                 /* one OS thread runs all blocks */
    unsigned checks, sample;                    /* sample: one block in so many is counted */
    int trace, film;
    uint64_t unknown_from = UINT64_MAX;         /* operations from this epoch on may run at the same time */
    Order order;                                /* the operations that are ordered before it */
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
    std::atomic<uint64_t> progress{0};          /* incremented by every step that is not polling */
    std::atomic<uint64_t> clock{0};             /* numbers releases and acquires */
    std::atomic<bool> aborted{false};
    std::atomic<bool> lasting{false};           /* it has an effect other than on memory (repeats.cpp) */
    std::set<uintptr_t> allocated;              /* memory that its threads allocated and did not free */
    std::atomic<bool> hides{false};             /* `hidden` is not empty */
    std::unordered_map<uintptr_t, HiddenWrite> hidden;      /* plain writes; an atomic replaced the mark */
    std::set<std::pair<uint64_t, uintptr_t>> read_unset;        /* words that a block read before any write to them */
    std::mutex release_lock;
    std::unordered_map<uint64_t, std::vector<Release>> releases;    /* of each block */
};

struct Settings {
    bool counting = true;
    uint64_t seed = 0, step_limit = 200000000;
    int workers = 0, sm_count = 8, trace = 0, film = 0;
    bool sm_count_is_asked_for = false;  /* the user has set sm_count */
    bool cpu_time = false, checks_indexes = false;
    bool turns = false, lenient = false, every_launch = true, looks_anyway = false;
    unsigned sample = 1;
    size_t replay_bytes = 0;
    bool unread = false;            /* simt_watch_unread */
    unsigned checks = SIMT_CHECK_EVERYTHING;
    FILE *report = stderr;
};

} // namespace simt

#endif
