/* streams.hpp - the types of streams, events and graphs, for api_streams.cpp, api_capture.cpp and api_graphs.cpp. */
#ifndef SIMT_STREAMS_HPP
#define SIMT_STREAMS_HPP

#include <atomic>
#include <functional>
#include <map>
#include <thread>
#include <vector>
#include "internal.hpp"

struct simt_stream {
    unsigned flags;
    int priority;
    simt_graph *graph;          /* the graph into which it is captured; NULL: none */
    unsigned line;              /* the number of the stream in order.cpp */
    uintptr_t pc;               /* the program point that created it */
    std::vector<cudaGraphNode_t> after;         /* nodes on which the next captured node depends */
    std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
};

struct simt_event {
    unsigned flags;
    bool recorded;
    timespec at;
    simt_graph *graph;          /* the graph into which its stream was captured */
    simt::Clock seen;           /* the work that precedes it */
    uintptr_t pc;               /* the program point that created it */
    std::vector<cudaGraphNode_t> after;         /* if the event was captured: the nodes that precede it */
};

/* A value that kernels set and a conditional node reads.  It is never freed, because its handle is a number that a
   program may keep. */
struct simt_condition {
    std::atomic<unsigned> value;
    unsigned at_first;
    bool set_at_first;
    uintptr_t pc;               /* the program point that created it */
};

struct simt_graph_node {
    cudaGraphNodeType type;
    std::function<cudaError_t()> work;
    std::vector<cudaGraphNode_t> after;         /* the nodes on which it depends */
    cudaKernelNodeParams kernel;                /* the parameters of a kernel node that was added, not captured */
    std::vector<simt_graph *> bodies;           /* the graphs among which a conditional node chooses */
    int choice;                                 /* the cudaGraphConditionalNodeType of a conditional node */
    simt_condition *condition;
    void *memory;                               /* the memory that it allocates or frees */
};

/* References to user objects, which the destructor releases. */
class object_references {
public:
    object_references() = default;
    object_references(const object_references &) = delete;
    object_references &operator=(const object_references &) = delete;
    ~object_references() { for (const auto &o : held) cudaUserObjectRelease(o.first, o.second); }
    void take(cudaUserObject_t object, unsigned count)
    {
        cudaUserObjectRetain(object, count);
        held[object] += count;
    }
    void keep(cudaUserObject_t object, unsigned count) { held[object] += count; }
    void share(const object_references &other) { for (const auto &o : other.held) take(o.first, 1); }
    /* Returns false if the graph holds fewer references. */
    bool give_back(cudaUserObject_t object, unsigned count)
    {
        const auto at = held.find(object);
        if (at == held.end() || at->second < count)
            return false;
        if ((at->second -= count) == 0)
            held.erase(at);
        cudaUserObjectRelease(object, count);
        return true;
    }

private:
    std::map<cudaUserObject_t, unsigned> held;
};

struct simt_graph {
    object_references objects;
    std::vector<cudaGraphNode_t> nodes;
    std::vector<cudaStream_t> captured;         /* the streams captured into it; the first began the capture */
    std::vector<simt_condition *> conditions;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;  /* which calls may disturb its capture */
    std::thread::id by;
    bool disturbed = false;
};

struct simt_graph_exec {
    struct Step {
        cudaGraphNode_t node;
        cudaGraphNodeType type;
        std::function<cudaError_t()> work;
        std::vector<size_t> after;              /* the steps on which it depends */
        size_t branch;                          /* the steps of one branch run in order */
        bool off;                               /* cudaGraphNodeSetEnabled has disabled it */
    };
    object_references objects;
    std::vector<Step> steps;                    /* in a topological order */
    size_t branches;
    std::vector<unsigned> lines;                /* streams of all branches but the first; set by the first run */
    std::vector<simt_condition *> conditions;
    std::vector<void *> memory;                 /* the memory that its nodes allocate */
    bool frees_first;                           /* a launch first frees the last run's memory */
};

namespace simt {

cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNodeType type, std::function<cudaError_t()> work);
cudaError_t add_node(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                     cudaGraphNodeType type, std::function<cudaError_t()> work);
cudaError_t run(simt_graph_exec *exec);
/* api_graph_nodes.cpp: the work of a conditional node, with its bodies as they are now. */
std::function<cudaError_t()> conditional_work(const simt_graph_node *node, cudaError_t *error);
/* The memory of graphs.  graph_memory_ends returns false if p is not memory of a graph. */
void *graph_allocate(size_t bytes, uintptr_t pc);
cudaError_t graph_memory_begins(void *p);
bool graph_memory_ends(void *p, cudaError_t *result);
void graph_memory_forget(void *p);

/* Returns the record of a stream (for cudaStreamPerThread that of the calling thread); NULL if it cannot be
   captured. */
simt_stream *capture_record(cudaStream_t stream);
/* Returns whether such a record still exists.  Streams may be destroyed while they are captured. */
bool is_kept(const simt_stream *record);
/* Returns the graph into which the stream is being captured, NULL for none. */
inline simt_graph *stream_capture(cudaStream_t stream)
{
    const simt_stream *record = capture_record(stream);
    return record ? record->graph : nullptr;
}
void join_capture(cudaStream_t stream, const simt_event *event);
/* Returns `error` for a call with a stream that is captured into this graph, and makes the capture fail. */
cudaError_t disturb(simt_graph *graph, cudaError_t error);
/* Removes the graph from the events that were recorded in its capture, since it may be destroyed. */
void forget_capture(const simt_graph *graph);
/* Returns the program points that created the streams and events that have not been destroyed. */
std::vector<uintptr_t> streams_left();
std::vector<uintptr_t> events_left();

} // namespace simt

#endif
