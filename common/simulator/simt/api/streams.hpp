/* streams.hpp - what a stream, an event and a graph are, for api_streams.cpp and api_graphs.cpp. */
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
    simt_graph *graph;          /* being captured into it; NULL: it is not captured */
    unsigned line;              /* its number in order.cpp */
    uintptr_t pc;               /* where it was created */
    std::vector<cudaGraphNode_t> after;         /* what is captured next comes behind these nodes */
    std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;
};

struct simt_event {
    unsigned flags;
    bool recorded;
    timespec at;
    simt_graph *graph;          /* recorded in a stream that was being captured into it */
    simt::Clock seen;           /* what was over when it was recorded */
    uintptr_t pc;               /* where it was created */
    std::vector<cudaGraphNode_t> after;         /* of a captured one: the nodes that it stands behind */
};

/* A value that kernels set and a node of a graph asks for; kept for good, as handles are numbers. */
struct simt_condition {
    std::atomic<unsigned> value;
    unsigned at_first;
    bool set_at_first;
    uintptr_t pc;               /* where it was made */
};

struct simt_graph_node {
    cudaGraphNodeType type;
    std::function<cudaError_t()> work;
    std::vector<cudaGraphNode_t> after;         /* what has to be done before */
    cudaKernelNodeParams kernel;                /* of a kernel that was added, not captured */
    std::vector<simt_graph *> bodies;           /* of a condition's node: what it chooses among */
    int choice;                                 /* its cudaGraphConditionalNodeType */
    simt_condition *condition;
    void *memory;                               /* what it allocates or frees */
};

/* References to user objects, which are given back with this. */
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
    /* false: it has fewer. */
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
    std::vector<cudaStream_t> captured;         /* streams that are being captured into it, the first one began */
    std::vector<simt_condition *> conditions;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;  /* while it is captured: whose calls may disturb that */
    std::thread::id by;
    bool disturbed = false;
};

struct simt_graph_exec {
    struct Step {
        cudaGraphNode_t node;
        cudaGraphNodeType type;
        std::function<cudaError_t()> work;
        std::vector<size_t> after;              /* steps that have to be over */
        size_t branch;                          /* each of its steps waits for the one before it */
        bool off;                               /* cudaGraphNodeSetEnabled */
    };
    object_references objects;
    std::vector<Step> steps;                    /* in an order that its edges allow */
    size_t branches;
    std::vector<unsigned> lines;                /* of the branches but the first, once it has run */
    std::vector<simt_condition *> conditions;
    std::vector<void *> memory;                 /* what its nodes allocate */
    bool frees_first;                           /* what is left of the last run */
};

namespace simt {

cudaError_t add_node(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                     cudaGraphNodeType type, std::function<cudaError_t()> work);
cudaError_t run(simt_graph_exec *exec);
/* api_graph_nodes.cpp: what such a node does; its bodies are what they are now. */
std::function<cudaError_t()> conditional_work(const simt_graph_node *node, cudaError_t *error);
/* The memory of graphs: false if it is none of theirs. */
void *graph_allocate(size_t bytes, uintptr_t pc);
cudaError_t graph_memory_begins(void *p);
bool graph_memory_ends(void *p, cudaError_t *result);
void graph_memory_forget(void *p);

/* What is kept of a stream that can be captured: its own, the calling thread's of cudaStreamPerThread; NULL: none. */
simt_stream *capture_record(cudaStream_t stream);
/* Is such a record still there?  Streams may be destroyed while they are captured. */
bool is_kept(const simt_stream *record);
/* The graph that the stream is being captured into, NULL for none. */
inline simt_graph *stream_capture(cudaStream_t stream)
{
    const simt_stream *record = capture_record(stream);
    return record ? record->graph : nullptr;
}
void join_capture(cudaStream_t stream, const simt_event *event);
/* `error` for a call of a stream that is captured into that graph; the capture ends with an error, too. */
cudaError_t disturb(simt_graph *graph, cudaError_t error);
/* Events that were recorded in it no longer name it: it has ended, and may be destroyed. */
void forget_capture(const simt_graph *graph);
/* Where those were created that have not been destroyed. */
std::vector<uintptr_t> streams_left();
std::vector<uintptr_t> events_left();

} // namespace simt

#endif
