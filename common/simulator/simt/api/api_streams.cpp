/*
 * api_streams.cpp - streams and events.
 *
 * Work is done when its call returns, so a stream is only a name and an event only a time.  A stream that is captured
 * gathers work for a graph instead (api_capture.cpp).
 */
#include <cstdio>
#include <cstring>
#include <ctime>
#include <set>
#include "streams.hpp"

namespace simt {

static std::mutex lock;
static std::set<cudaStream_t> streams;
static std::set<cudaEvent_t> events;

/* The handles 0, 1 and 2 are the default streams. */
bool is_stream(cudaStream_t stream)
{
    if ((uintptr_t)stream <= 2)
        return true;
    std::lock_guard<std::mutex> hold(lock);
    return streams.count(stream) == 1;
}

/* The record of cudaStreamPerThread, the only default stream that can be captured.  Each thread has one. */
struct own_stream : simt_stream {
    own_stream() : simt_stream{}
    {
        std::lock_guard<std::mutex> hold(lock);
        all().insert(this);
    }
    ~own_stream()
    {
        std::lock_guard<std::mutex> hold(lock);
        all().erase(this);
    }
    static std::set<const simt_stream *> &all()
    {
        static auto &streams = *new std::set<const simt_stream *>; /* never freed: threads may end after main() */
        return streams;
    }
};

simt_stream *capture_record(cudaStream_t stream)
{
    static thread_local own_stream own;
    if (stream == cudaStreamPerThread)
        return &own;
    return (uintptr_t)stream > 2 && is_stream(stream) ? stream : nullptr;
}

bool is_kept(const simt_stream *record)
{
    if (is_stream((cudaStream_t)record))
        return true;
    std::lock_guard<std::mutex> hold(lock);
    return own_stream::all().count(record) == 1;
}

template <class T> static std::vector<uintptr_t> places_of(const std::set<T> &all)
{
    std::lock_guard<std::mutex> hold(lock);
    std::vector<uintptr_t> places;
    for (const T x : all)
        places.push_back(x->pc);
    return places;
}

void forget_capture(const simt_graph *graph)
{
    std::lock_guard<std::mutex> hold(lock);
    for (cudaEvent_t e : events)
        if (e->graph == graph)
            e->graph = nullptr;
}

std::vector<uintptr_t> streams_left() { return places_of(streams); }
std::vector<uintptr_t> events_left() { return places_of(events); }

static cudaError_t create(cudaStream_t *stream, unsigned int flags, int priority, uintptr_t pc)
{
    if (flags > cudaStreamNonBlocking)
        return done(cudaErrorInvalidValue);
    *stream = new simt_stream{flags, priority < -5 ? -5 : priority > 0 ? 0 : priority, nullptr, order_add_stream(flags),
                              pc, {}, {}};
    std::lock_guard<std::mutex> hold(lock);
    streams.insert(*stream);
    return done(cudaSuccess);
}

static cudaError_t create(cudaEvent_t *event, unsigned int flags, uintptr_t pc)
{
    *event = new simt_event();
    (*event)->flags = flags;
    (*event)->pc = pc;
    std::lock_guard<std::mutex> hold(lock);
    events.insert(*event);
    return done(cudaSuccess);
}

static cudaError_t if_stream(cudaStream_t stream)
{ return done(is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle); }

cudaError_t begin_in(cudaStream_t stream, cudaGraphNodeType type, const std::function<cudaError_t()> &work)
{
    if (current) {
        after_kernel(work, stream == cudaStreamTailLaunch);
        return cudaSuccess;
    }
    if (capture(stream, type, work))
        return done(cudaSuccess);
    const stream_scope in(stream);
    return work();
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

/* ---- streams ---- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{ return create(stream, flags, priority, PC); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{ return create(stream, flags, 0, PC); }
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return create(stream, 0, 0, PC); }

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    std::lock_guard<std::mutex> hold(lock);
    if (streams.erase(stream) == 0)
        return done(cudaErrorInvalidResourceHandle);
    order_drop_stream(stream->line);
    delete stream;
    return done(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (simt_graph *g = stream_capture(stream))
        return disturb(g, cudaErrorStreamCaptureUnsupported);
    const bool legacy = (uintptr_t)stream <= (uintptr_t)cudaStreamLegacy;
    if (const cudaError_t e = legacy ? disturbs_captures(LEGACY_WORK) : cudaSuccess)
        return e;
    if (const cudaError_t e = disturbs_captures(UNSAFE))
        return e;
    if (is_stream(stream))
        order_host_waits(stream);
    return if_stream(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    *flags = (uintptr_t)stream > 2 && is_stream(stream) ? stream->flags : 0;
    return if_stream(stream);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    *priority = (uintptr_t)stream > 2 && is_stream(stream) ? stream->priority : 0;
    return if_stream(stream);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    *id = (uintptr_t)stream;
    return if_stream(stream);
}

/* Default streams store no attributes. */
static bool has_attributes(cudaStream_t stream) { return (uintptr_t)stream > 2 && is_stream(stream); }

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, const cudaLaunchAttributeValue *v)
{
    RESULT(v);
    if (has_attributes(stream)) {
        stream->attributes[attr] = *v;
        if (attr == cudaLaunchAttributePriority)
            stream->priority = v->priority;
    }
    return if_stream(stream);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *v)
{
    RESULT(v);
    memset(v, 0, sizeof *v);
    if (attr == cudaLaunchAttributeSynchronizationPolicy)
        v->syncPolicy = cudaSyncPolicyAuto;
    if (has_attributes(stream)) {
        const auto at = stream->attributes.find(attr);
        if (at != stream->attributes.end())
            *v = at->second;
        else if (attr == cudaLaunchAttributePriority)
            v->priority = stream->priority;
    }
    return if_stream(stream);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    if (!has_attributes(to) || !has_attributes(from))
        return done(cudaErrorInvalidResourceHandle);
    to->attributes = from->attributes;
    return done(cudaSuccess);
}

/* A stream that waits for an event of a captured stream joins the capture. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int)
{
    if (!event || !is_stream(stream))
        return done(cudaErrorInvalidResourceHandle);
    if (event->graph && capture_record(stream))
        join_capture(capture_record(stream), event);
    order_stream_waits(stream, event->seen);
    return done(cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    const auto work = [=] { return function(data), cudaSuccess; };
    if (!is_stream(stream))
        return done(cudaErrorInvalidResourceHandle);
    if (!capture(stream, cudaGraphNodeTypeHost, work)) {
        order_host_is_told(stream);
        const as_in_stream in(stream);
        work();
    }
    return done(cudaSuccess);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int)
{
    if (!is_stream(stream))
        return done(cudaErrorInvalidResourceHandle);
    order_host_is_told(stream);
    const as_in_stream in(stream);
    callback(stream, sticky_error(), data);
    return done(cudaSuccess);
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) { return create(event, flags, PC); }
cudaError_t cudaEventCreate(cudaEvent_t *event) { return create(event, cudaEventDefault, PC); }

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    {
        std::lock_guard<std::mutex> hold(lock);
        if (events.erase(event) == 0)
            return done(cudaErrorInvalidResourceHandle);
    }
    delete event;
    return done(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!event || !is_stream(stream))
        return done(cudaErrorInvalidResourceHandle);
    if ((uintptr_t)stream <= (uintptr_t)cudaStreamLegacy)
        if (const cudaError_t e = disturbs_captures(LEGACY_WORK))
            return e;
    event->graph = stream_capture(stream);
    if (event->graph)
        event->after = capture_record(stream)->after;
    clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->recorded = true;
    event->seen = order_of(stream);
    return done(cudaSuccess);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int)
{ return cudaEventRecord(event, stream); }

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (event && event->graph)
        return disturb(event->graph, cudaErrorCapturedEvent);
    if (const cudaError_t e = disturbs_captures(UNSAFE))
        return e;
    if (event)
        order_host_waits(event->seen);
    return done(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

/* Measures the time on the CPU.  The first call prints on stderr that this is not a GPU's time. */
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    *ms = 0;
    if (!settings.cpu_time)
        return cudaErrorNotSupported;   /* not stored as the last error, because the program's call was correct */
    if (!start || !stop || !start->recorded || !stop->recorded || (start->flags | stop->flags) & cudaEventDisableTiming)
        return done(cudaErrorInvalidResourceHandle);
    if (!unchecked() && !order_host_knows(stop->seen))
        pass_host(WARNING, PC, "cudaEventElapsedTime of an event for which the host has not waited",
                  "a GPU answers cudaErrorNotReady while kernels before it run: call cudaEventSynchronize first");
    static bool said;
    if (!said)
        fprintf(stderr, "simt: cudaEventElapsedTime gives the time of this CPU, not that of a GPU\n");
    said = true;
    *ms = (float)((double)(stop->at.tv_sec - start->at.tv_sec) * 1e3 +
                  (double)(stop->at.tv_nsec - start->at.tv_nsec) * 1e-6);
    return done(cudaSuccess);
}
