/*
 * api_capture.cpp - a stream that is captured gathers work for a graph.
 *
 * A captured stream produces one node after the other.  Each depends on the node before it, and on the nodes of the
 * events for which the stream has waited.
 */
#include <algorithm>
#include <set>
#include "streams.hpp"

#define PC (asked_at ? asked_at : (uintptr_t)__builtin_return_address(0))

namespace simt {

bool capture(cudaStream_t stream, cudaGraphNodeType type, std::function<cudaError_t()> work)
{
    simt_graph *graph = stream_capture(stream);
    if (!graph)
        return false;
    cudaGraphNode_t node = add(graph, type, std::move(work));
    simt_stream *record = capture_record(stream);
    node->after.swap(record->after);
    record->after = {node};
    return true;
}

void join_capture(cudaStream_t stream, const simt_event *event)
{
    simt_graph *graph = event->graph;
    if (graph->captured.empty() || (stream->graph && stream->graph != graph))
        return;                                 /* the capture is over, or of another graph */
    if (!stream->graph)
        graph->captured.push_back(stream);
    stream->graph = graph;
    for (cudaGraphNode_t n : event->after)
        if (std::find(stream->after.begin(), stream->after.end(), n) == stream->after.end())
            stream->after.push_back(n);
}

/* ---- calls that a stream capture does not allow ---- */

static std::mutex captures_lock;
static std::set<simt_graph *> captures;
static std::atomic<size_t> capturing;           /* the number of captures */

static void begin_capture(simt_graph *graph, cudaStreamCaptureMode mode)
{
    std::lock_guard<std::mutex> hold(captures_lock);
    graph->mode = mode;
    graph->by = std::this_thread::get_id();
    graph->disturbed = false;
    captures.insert(graph);
    capturing = captures.size();
}

/* Ends the capture.  Returns true if no call has disturbed it. */
static bool end_capture(simt_graph *graph)
{
    std::lock_guard<std::mutex> hold(captures_lock);
    captures.erase(graph);
    capturing = captures.size();
    return !graph->disturbed;
}

cudaError_t disturb(simt_graph *graph, cudaError_t error)
{
    std::lock_guard<std::mutex> hold(captures_lock);
    graph->disturbed = true;
    return done(error);
}

cudaError_t disturbs_captures(Disturbance how)
{
    if (capturing == 0 || current ||
        (how == LEGACY_WORK && (uintptr_t)stream_in_scope() > (uintptr_t)cudaStreamLegacy))
        return cudaSuccess;
    std::lock_guard<std::mutex> hold(captures_lock);
    bool any = false;
    for (simt_graph *g : captures) {
        const bool mine = g->mode == cudaStreamCaptureModeThreadLocal && g->by == std::this_thread::get_id();
        const bool this_one = how == LEGACY_WORK ? !(g->captured[0]->flags & cudaStreamNonBlocking)
                              : how == UNSAFE    ? mine || g->mode == cudaStreamCaptureModeGlobal
                                                 : true;
        g->disturbed |= this_one;
        any |= this_one;
    }
    return !any ? cudaSuccess
                : done(how == LEGACY_WORK ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported);
}

/* Returns whether the first stream waits for all captured work of the other streams. */
static bool is_joined(const simt_graph *graph)
{
    std::set<cudaGraphNode_t> known;
    std::vector<cudaGraphNode_t> waiting = graph->captured[0]->after;
    while (!waiting.empty()) {
        cudaGraphNode_t n = waiting.back();
        waiting.pop_back();
        if (known.insert(n).second)
            waiting.insert(waiting.end(), n->after.begin(), n->after.end());
    }
    for (cudaStream_t s : graph->captured)
        for (cudaGraphNode_t n : is_kept(s) ? s->after : std::vector<cudaGraphNode_t>())
            if (!known.count(n))
                return false;
    return true;
}

} // namespace simt

using namespace simt;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    simt_stream *record = capture_record(stream);
    if (!record)
        return done(is_stream(stream) ? cudaErrorStreamCaptureUnsupported : cudaErrorInvalidResourceHandle);
    if (record->graph)
        return done(cudaErrorIllegalState);
    record->graph = new simt_graph();
    record->graph->captured.push_back(record);
    record->after.clear();
    begin_capture(record->graph, mode);
    return done(cudaSuccess);
}

/* Captures into an existing graph: the captured nodes depend on all nodes that the graph already has. */
cudaError_t simt_capture_into(cudaStream_t stream, cudaGraph_t graph)
{
    simt_stream *record = capture_record(stream);
    if (!record || !graph)
        return done(cudaErrorInvalidValue);
    if (record->graph || !graph->captured.empty())
        return done(cudaErrorIllegalState);
    record->graph = graph;
    record->after = graph->nodes;
    graph->captured.push_back(record);
    begin_capture(graph, cudaStreamCaptureModeRelaxed);
    return done(cudaSuccess);
}

/* Makes the next captured node depend on these nodes, too, or (`alone`) only on these. */
cudaError_t simt_capture_after(cudaStream_t stream, const cudaGraphNode_t *nodes, size_t n, int alone)
{
    if (!stream_capture(stream) || (n && !nodes))
        return done(stream_capture(stream) ? cudaErrorInvalidValue : cudaErrorIllegalState);
    std::vector<cudaGraphNode_t> &after = capture_record(stream)->after;
    if (alone)
        after.clear();
    after.insert(after.end(), nodes, nodes + n);
    return done(cudaSuccess);
}

cudaError_t simt_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                              cudaGraph_t *graph, const cudaGraphNode_t **last, size_t *n)
{
    simt_graph *g = stream_capture(stream);
    *status = g ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (!g)
        return done(cudaSuccess);
    if (id) *id = (uintptr_t)g;
    if (graph) *graph = g;
    const std::vector<cudaGraphNode_t> &after = capture_record(stream)->after;
    if (last) *last = after.data();
    if (n) *n = after.size();
    return done(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    simt_graph *g = stream_capture(stream);
    cudaGraph_t unused;
    if (!graph)
        graph = &unused;        /* a capture into an existing graph, which the caller has already */
    *graph = nullptr;
    if (!g || g->captured[0] != capture_record(stream))
        return done(g ? cudaErrorStreamCaptureUnmatched : cudaErrorIllegalState);
    const bool joined = is_joined(g), went_well = end_capture(g);
    for (cudaStream_t s : g->captured)
        if (is_kept(s)) {
            s->graph = nullptr;
            s->after.clear();
        }
    g->captured.clear();
    forget_capture(g);
    if (!went_well)
        return done(cudaErrorStreamCaptureInvalidated);
    if (!joined) {
        complain(PC, "a stream joined the capture by an event, and the first stream does not wait for it at the end",
                 "call cudaEventRecord in that stream, then cudaStreamWaitEvent in the first, before the capture ends");
        return done(cudaErrorStreamCaptureUnjoined);
    }
    *graph = g;
    return done(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    const simt_graph *g = stream_capture(stream);
    *status = !g             ? cudaStreamCaptureStatusNone
              : g->disturbed ? cudaStreamCaptureStatusInvalidated
                             : cudaStreamCaptureStatusActive;
    return done(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *) { return done(cudaSuccess); }
