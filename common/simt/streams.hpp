/* streams.hpp - what a stream, an event and a graph are, for api_streams.cpp and api_graphs.cpp. */
#ifndef SIMT_STREAMS_HPP
#define SIMT_STREAMS_HPP

#include "internal.hpp"

struct simt_stream {
    unsigned flags;
    int priority;
    simt_graph *graph;          /* being captured into it; NULL: it is not captured */
    unsigned line;              /* its number in order.cpp */
    uintptr_t pc;               /* where it was created */
};

struct simt_event {
    unsigned flags;
    bool recorded;
    timespec at;
    simt_graph *graph;          /* recorded in a stream that was being captured into it */
    simt::Clock seen;           /* what was over when it was recorded */
    uintptr_t pc;               /* where it was created */
};

namespace simt {

/* The graph that the stream is being captured into, NULL for none. */
inline simt_graph *stream_capture(cudaStream_t stream)
{ return (uintptr_t)stream > 2 && is_stream(stream) ? stream->graph : nullptr; }
void join_capture(cudaStream_t stream, simt_graph *graph);
/* Where those were created that have not been destroyed. */
std::vector<uintptr_t> streams_left();
std::vector<uintptr_t> events_left();

} // namespace simt

#endif
