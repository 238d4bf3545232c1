/*
 * order.cpp - detects missing order between kernels and copies in streams, and the host.
 *
 * In the simulator every call is done when it returns.  On a GPU a kernel or an asynchronous copy is only queued.  Only
 * work that waits for it may rely on it: later work of its stream, work of a stream that waits for an event behind it,
 * work of the default stream and of streams that block on it, and the host after a synchronization.
 *
 * So each operation has a vector clock: the number of operations of each stream that are over when it begins.  Each
 * operation, kernel or copy, also leaves its epoch in the shadow of the bytes that it touches.  A later access to these
 * bytes finds the operation of that epoch and compares the clocks.  The order in which they really ran does not matter.
 *
 * Without SIMT_CHECK_STREAMS all work is in the default stream.  One clock stands for all threads of the host.
 */
#include <algorithm>
#include <deque>
#include "check/glance.hpp"
#include "api/streams.hpp"
#include "order.hpp"

namespace simt {

/* The epochs from..end-1 belong to one operation, the number-th of its line.  A kernel takes further epochs while
 * it runs. */
struct Owner {
    uint64_t from, end, number;
    size_t line;
    const char *kernel;             /* NULL: not a kernel; see operation */
    StreamOperation operation;
};

/* The operations of a stream or of a branch of a graph.  Operations that the host knows to be over are dropped from
 * the front. */
struct Line {
    bool blocks = true;             /* the stream and the default stream wait for each other */
    bool free = false;              /* its stream has been destroyed */
    bool branch = false;            /* the line is a branch of a graph, not a stream */
    uint64_t issued = 0;            /* number of operations so far */
    Clock next;                     /* operations for which the next one waits */
    std::vector<uint64_t> pending;  /* for each of the last operations: an epoch before it began */
};

enum { LEGACY, PER_THREAD, FIRST_CREATED };
static std::mutex lock;
static std::vector<Line> lines;
static std::deque<Owner> owners;    /* by epoch; the first is not known by the host to be over */
static Clock host;
static __thread const Clock *instead_of_host;   /* while a host function of a stream runs: the clock of that stream */
__thread cudaStream_t stream_now;               /* operations that begin now belong to this stream */
static __thread size_t branch_now;              /* if not 0, operations belong to this branch of a graph instead */
__thread bool in_graph;                         /* operations are a graph's nodes; the host does not wait */
static std::atomic<uint64_t> host_pending{UINT64_MAX};
std::atomic<bool> several;                      /* a stream has been created */

void order_join(Clock &into, const Clock &from)
{
    into.resize(std::max(into.size(), from.size()));
    for (size_t i = 0; i < from.size(); ++i)
        into[i] = std::max(into[i], from[i]);
}

static uint64_t at(const Clock &c, size_t line) { return line < c.size() ? c[line] : 0; }

static size_t add_line(unsigned flags);

/* The line of cudaStreamPerThread for this host thread; it is released when the thread ends.  The lock is held. */
static size_t own_line()
{
    static bool first = true;
    static thread_local struct own {
        size_t line = 0;
        ~own() { if (line > PER_THREAD) order_drop_stream((unsigned)line); }
    } mine;
    if (!mine.line)
        mine.line = first ? (size_t)PER_THREAD : add_line(0);
    first = false;
    return mine.line;
}

static size_t line_of(cudaStream_t stream)
{
    if (lines.empty())
        lines.resize(FIRST_CREATED);
    if (!(settings.checks & SIMT_CHECK_STREAMS) || (uintptr_t)stream <= (uintptr_t)cudaStreamLegacy)
        return LEGACY;
    return stream == cudaStreamPerThread ? own_line() : stream->line;
}

static size_t line_now()
{
    const size_t line = line_of(stream_now);    /* line_of() has created the lines */
    return branch_now ? branch_now : line;
}

/* ---- what there is ---- */

static size_t add_line(unsigned flags)
{
    several = true;
    lines.resize(std::max<size_t>(lines.size(), FIRST_CREATED));
    size_t i = FIRST_CREATED;
    while (i < lines.size() && !(lines[i].free && lines[i].pending.empty()))
        ++i;
    if (i == lines.size())
        lines.emplace_back();
    lines[i].free = lines[i].branch = false;
    lines[i].blocks = !(flags & cudaStreamNonBlocking);
    return i;
}

unsigned order_add_stream(unsigned flags)
{
    std::lock_guard<std::mutex> hold(lock);
    return (unsigned)add_line(flags);
}

unsigned order_add_branch()
{
    const unsigned line = order_add_stream(cudaStreamNonBlocking);
    std::lock_guard<std::mutex> hold(lock);
    lines[line].branch = true;
    return line;
}

void order_drop_stream(unsigned line)
{
    std::lock_guard<std::mutex> hold(lock);
    lines[line].free = true;
}

/* The oldest operation of the line that the clock does not know to be over began no earlier than this epoch; NULL:
 * the clock knows all of them to be over. */
static const uint64_t *first_unknown(const Line &l, uint64_t known)
{
    const uint64_t dropped = l.issued - l.pending.size(), skip = known > dropped ? known - dropped : 0;
    return skip < l.pending.size() ? &l.pending[(size_t)skip] : nullptr;
}

/* The first epoch in which an operation can have begun that the clock does not know to be over. */
static uint64_t unknown_from(const Clock &c)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < lines.size(); ++i)
        if (const uint64_t *first = first_unknown(lines[i], at(c, i)))
            least = std::min(least, *first);
    return least;
}

/* The operation of an epoch, and whether it is over for the owner of a clock. */
struct Verdict {
    Owner owner;
    bool over;
};

/* An operation that has been dropped from `owners` is over. */
static Verdict judge(const Clock &c, uint64_t epoch)
{
    const auto behind = std::upper_bound(owners.begin(), owners.end(), epoch,
                                         [](uint64_t e, const Owner &o) { return e < o.from; });
    if (behind == owners.begin() || epoch >= std::prev(behind)->end)
        return {{epoch, epoch + 1, 0, 0, nullptr, COPIES}, true};
    const Owner &o = *std::prev(behind);
    return {o, o.number <= at(c, o.line)};
}

/* Describes the operation: "kernel k in stream 1 writes".  Allocating and freeing have verbs of their own. */
static std::string words(const Owner &o, const char *verb)
{
    const std::string stream = o.line == LEGACY ? "the default stream"
        : o.line == PER_THREAD ? "the default stream of the thread"
        : lines[o.line].branch ? "another branch of the graph" : format("stream %zu", o.line - FIRST_CREATED + 1);
    if (o.kernel)
        return format("kernel %s in %s %s", o.kernel, stream.c_str(), verb);
    if (o.operation == ALLOCATES)
        return format("cudaMallocAsync in %s allocates", stream.c_str());
    if (o.operation == FREES)
        return format("cudaFreeAsync in %s frees", stream.c_str());
    return format("a copy in %s %s", stream.c_str(), verb);
}

/* ---- the host ---- */

static void host_learns(const Clock &c)
{
    order_join(host, c);
    for (size_t i = 0; i < lines.size(); ++i) {
        Line &l = lines[i];
        const uint64_t dropped = l.issued - l.pending.size(), over = at(host, i);
        if (over > dropped)
            l.pending.erase(l.pending.begin(), l.pending.begin() + (ptrdiff_t)(over - dropped));
    }
    while (!owners.empty() && owners.front().number <= at(host, owners.front().line))
        owners.pop_front();
    host_pending = unknown_from(host);
}

/* The clock of all operations issued so far in the stream; for the legacy stream also those of streams that wait
 * for it.  The lock is held. */
static Clock all_before(cudaStream_t stream)
{
    Clock c = lines[line_of(stream)].next;
    if (line_of(stream) == LEGACY)
        for (const Line &l : lines)
            if (l.blocks)
                order_join(c, l.next);
    return c;
}

void order_host_waits()
{
    std::lock_guard<std::mutex> hold(lock);
    for (size_t i = 0; i < lines.size(); ++i)
        host_learns(lines[i].next);
}

void order_host_waits(cudaStream_t stream)
{
    std::lock_guard<std::mutex> hold(lock);
    host_learns(all_before(stream));
}

void order_host_waits(const Clock &event)
{
    std::lock_guard<std::mutex> hold(lock);
    host_learns(event);
}

bool order_host_knows(const Clock &event)
{
    std::lock_guard<std::mutex> hold(lock);
    const Clock &known = instead_of_host ? *instead_of_host : host;
    for (size_t i = 0; i < event.size(); ++i)
        if (at(known, i) < event[i])
            return false;
    return true;
}

/* A host function runs in the stream.  It can tell other host threads, by any means, what is over for it; so the
 * host learns the stream's clock. */
void order_host_is_told(cudaStream_t stream)
{
    order_host_waits(stream);
}

/* ---- streams ---- */

Clock order_of(cudaStream_t stream)
{
    std::lock_guard<std::mutex> hold(lock);
    return all_before(stream);
}

void order_stream_waits(cudaStream_t stream, const Clock &event)
{
    std::lock_guard<std::mutex> hold(lock);
    order_join(lines[line_of(stream)].next, event);
}

as_in_stream::as_in_stream(cudaStream_t stream) : clock(branch_now ? order_now() : order_of(stream)),
                                                  before(instead_of_host)
{ instead_of_host = &clock; }
as_in_stream::~as_in_stream() { instead_of_host = before; }

stream_scope::stream_scope(cudaStream_t stream, bool graph) : before(stream_now), before_graph(in_graph)
{
    stream_now = stream;
    in_graph |= graph;
}

stream_scope::~stream_scope()
{
    stream_now = before;
    in_graph = before_graph;
}

cudaStream_t stream_in_scope() { return stream_now; }

/* The clock of the operations on which the next operation of the line may rely.  The lock is held. */
static Clock known_to_next(size_t line)
{
    Clock c = lines[line].next;
    order_join(c, instead_of_host ? *instead_of_host : host);
    if (line == LEGACY) {
        for (const Line &l : lines)
            if (l.blocks)
                order_join(c, l.next);
    } else if (lines[line].blocks) {
        order_join(c, lines[LEGACY].next);
    }
    return c;
}

Clock order_now()
{
    std::lock_guard<std::mutex> hold(lock);
    return known_to_next(line_now());
}

as_in_branch::as_in_branch(const unsigned *own, const Clock &start) : before_line(branch_now), known(start),
                                                                      before(instead_of_host)
{
    std::lock_guard<std::mutex> hold(lock);
    line = own ? *own : line_now();
    order_join(lines[line].next, known);
    branch_now = line;
    instead_of_host = &known;
}

as_in_branch::~as_in_branch()
{
    branch_now = before_line;
    instead_of_host = before;
}

Clock as_in_branch::end() const
{
    std::lock_guard<std::mutex> hold(lock);
    return lines[line].next;
}

void order_branches_meet(const std::vector<Clock> &all)
{
    std::lock_guard<std::mutex> hold(lock);
    for (const Clock &c : all)
        order_join(lines[line_now()].next, c);
}

Order order_begin(uint64_t first_epoch, const char *kernel, StreamOperation operation)
{
    std::lock_guard<std::mutex> hold(lock);
    const size_t number = line_now();
    Clock c = known_to_next(number);
    Line &l = lines[number];
    const Order order = {c, unknown_from(c), first_epoch, ++l.issued, number, kernel, operation};
    c.resize(std::max(c.size(), number + 1));
    c[number] = l.issued;
    l.pending.push_back(first_epoch);
    l.next = c;
    host_pending = unknown_from(host);
    return order;
}

void order_owns(const Order &order, uint64_t from, uint64_t end)
{
    std::lock_guard<std::mutex> hold(lock);
    auto behind = owners.end();     /* not always the end: another host thread may already have added later epochs */
    while (behind != owners.begin() && std::prev(behind)->from > from)
        --behind;
    if (behind != owners.begin() && std::prev(behind)->end == from && std::prev(behind)->line == order.line &&
        std::prev(behind)->number == order.number)
        std::prev(behind)->end = end;
    else
        owners.insert(behind, {from, end, order.number, order.line, order.kernel, order.operation});
}

Epochs order_epochs(const Order &order)
{
    std::lock_guard<std::mutex> hold(lock);
    Epochs all;
    for (const Owner &o : owners)
        if (o.line == order.line && o.number == order.number)
            all.emplace_back(o.from, o.end);
    return all;
}

void order_repeats(const Order &order, const Epochs &epochs)
{
    std::lock_guard<std::mutex> hold(lock);
    if (epochs.empty() || epochs.front().first > order.first_epoch)     /* epochs of before they restarted at 0 */
        return;
    for (const auto &e : epochs) {
        const Owner o = {e.first, e.second, order.number, order.line, order.kernel, order.operation};
        const auto at = std::lower_bound(owners.begin(), owners.end(), e.first,
                                         [](const Owner &a, uint64_t from) { return a.from < from; });
        if (at != owners.end() && at->from == e.first)
            *at = o;
        else
            owners.insert(at, o);
    }
    Line &l = lines[order.line];
    if (l.issued == order.number && !l.pending.empty())
        l.pending.back() = std::min(l.pending.back(), epochs.front().first);
    host_pending = unknown_from(host);
}

void order_forget()
{
    std::lock_guard<std::mutex> hold(lock);
    owners.clear();
    for (Line &l : lines)
        l.pending.clear();
    host_pending = UINT64_MAX;
}

/* ---- marks; those of copies: order_copies.cpp ---- */

bool order_before(const Order &order, uint64_t epoch, const char *verb, std::string *who)
{
    static __thread uint64_t asked_by, from, to;    /* the range of epochs that the last call found to be over */
    if (asked_by == order.first_epoch && epoch >= from && epoch < to)
        return true;
    std::lock_guard<std::mutex> hold(lock);
    const Verdict v = judge(order.clock, epoch);
    if (v.over) {
        asked_by = order.first_epoch;
        from = v.owner.from;
        to = v.owner.end;
    } else {
        *who = words(v.owner, verb);
    }
    return v.over;
}

bool order_is(const Order &order, uint64_t epoch)
{
    std::lock_guard<std::mutex> hold(lock);
    const Owner o = judge({}, epoch).owner;
    return o.line == order.line && o.number == order.number;
}

bool order_tells_staged(const Order &order, uint64_t epoch)
{
    std::lock_guard<std::mutex> hold(lock);
    const Verdict v = judge(order.clock, epoch);
    if (v.over || v.owner.operation != STAGES)
        return false;
    for (Owner &o : owners)
        if (o.from == v.owner.from)
            o.number = 0;
    return true;
}

/* The host has read, by a volatile access or an atomic, what a kernel may have written: this is how it waits for
 * the kernel. */
void order_host_polls(uintptr_t a)
{
    const Region *r = region_of(a);
    if (host_pending.load(std::memory_order_relaxed) == UINT64_MAX || !r)
        return;
    std::lock_guard<std::mutex> hold(lock);
    const Verdict v = judge(host, r->cells[(a - r->base) / 4].write >> 32);
    if (v.over)
        return;
    Clock seen(v.owner.line + 1);
    seen[v.owner.line] = v.owner.number;
    host_learns(seen);
}

void order_host_access(uintptr_t a, unsigned size, AccessKind k, uintptr_t pc)
{
    const uint64_t since = host_pending.load(std::memory_order_relaxed);
    const Region *r = region_of(a);
    if (since == UINT64_MAX || !r)
        return;
    const Cell &c = r->cells[(a - r->base) / 4];
    for (const uint64_t tag : {c.write, k == READ ? 0 : c.read}) {
        const bool wrote = tag == c.write;
        std::string who;
        if (epoch_of(tag) < since || !(bytes_of(tag) & bytes_in_word(a, size)))
            continue;
        {
            std::lock_guard<std::mutex> hold(lock);
            const Verdict v = judge(instead_of_host ? *instead_of_host : host, epoch_of(tag));
            if (v.over)
                continue;
            who = words(v.owner, wrote ? "writes" : "reads");
        }
        const uint32_t other_pc = wrote ? c.write_pc : c.read_pc;
        return say_host(ERROR, pc,
                         format("host %s %s before it has waited: %s it%s", k == READ ? "reads" : "writes",
                                place_in_memory(a, size).c_str(), who.c_str(),
                                other_pc ? (", at " + at_line(other_pc)).c_str() : ""),
                         "it may not have happened yet: call cudaStreamSynchronize, cudaEventSynchronize or "
                         "cudaDeviceSynchronize first");
    }
}

} // namespace simt
