/*
 * api_graph_nodes.cpp - nodes that allocate and free, conditional nodes, and nodes of any kind.
 *
 * Memory of a graph gets its address when its node is created.  Kernels may use it from the node that allocates it to
 * the node or call that frees it.
 */
#include <algorithm>
#include <map>
#include <set>
#include "streams.hpp"

namespace simt {

struct GraphMemory { size_t bytes; bool live; uintptr_t pc; };
static std::mutex lock;
static std::map<void *, GraphMemory> memory;
static uint64_t used, used_most, reserved;
static std::set<simt_condition *> conditions;

void *graph_allocate(size_t bytes, uintptr_t pc)
{
    memory_init();
    void *p = bytes ? heap_allocate(bytes, DEVICE_MEMORY, pc) : nullptr;
    if (!p)
        return nullptr;
    set_exists(p, bytes, false);
    std::lock_guard<std::mutex> hold(lock);
    memory[p] = {bytes, false, pc};
    reserved += bytes;
    return p;
}

cudaError_t graph_memory_begins(void *p)
{
    std::unique_lock<std::mutex> hold(lock);
    GraphMemory &m = memory[p];
    if (m.live) {
        const uintptr_t pc = m.pc;
        hold.unlock();
        complain(pc, "a graph allocates memory again that its last launch allocated and that was not freed",
                 "free it in the graph, between two launches, or instantiate with "
                 "cudaGraphInstantiateFlagAutoFreeOnLaunch");
        return cudaErrorInvalidValue;
    }
    set_exists(p, m.bytes, true);
    m.live = true;
    used_most = std::max(used_most, used += m.bytes);
    return cudaSuccess;
}

bool graph_memory_ends(void *p, cudaError_t *result)
{
    std::unique_lock<std::mutex> hold(lock);
    auto i = memory.find(p);
    if (i == memory.end())
        return false;
    *result = i->second.live ? cudaSuccess : cudaErrorInvalidValue;
    if (i->second.live) {
        set_exists(p, i->second.bytes, false);
        used -= i->second.bytes;
    }
    i->second.live = false;
    const uintptr_t pc = i->second.pc;
    hold.unlock();
    if (*result)
        complain(pc, "memory of a graph is freed, but it is not allocated",
                 "has the graph run?  was it freed before?");
    return true;
}

void graph_memory_forget(void *p)
{
    std::unique_lock<std::mutex> hold(lock);
    const bool live = memory[p].live;
    hold.unlock();
    cudaError_t unused;
    if (live)
        graph_memory_ends(p, &unused);
}

/* ---- conditions ---- */

enum { MOST_ROUNDS = 1 << 16 };

static cudaError_t rounds(simt_graph_exec *body, const simt_condition *c)
{
    for (int i = 0; c->value; ++i) {
        if (cudaError_t e = run(body))
            return e;
        if (i < MOST_ROUNDS)
            continue;
        complain(c->pc, format("a graph's while node has run its body %d times", i),
                 "does a kernel of the body set the condition to 0?");
        return cudaErrorLaunchTimeout;
    }
    return cudaSuccess;
}

std::function<cudaError_t()> conditional_work(const simt_graph_node *node, cudaError_t *error)
{
    std::vector<cudaGraphExec_t> bodies;
    for (simt_graph *g : node->bodies) {
        cudaGraphExec_t exec = nullptr;
        if (cudaError_t e = cudaGraphInstantiate(&exec, g, 0))
            *error = e;
        bodies.push_back(exec);
    }
    simt_condition *c = node->condition;
    const int choice = node->choice;
    return [=]() -> cudaError_t {
        const unsigned value = c->value;
        const size_t which = choice == cudaGraphCondTypeSwitch ? value : !value;
        if (choice == cudaGraphCondTypeWhile)
            return rounds(bodies[0], c);
        return which < bodies.size() ? run(bodies[which]) : cudaSuccess;
    };
}

static cudaError_t add_conditional(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                   cudaConditionalNodeParams *p)
{
    auto *condition = (simt_condition *)(uintptr_t)p->handle;
    const unsigned most = p->type == cudaGraphCondTypeWhile ? 1 : p->type == cudaGraphCondTypeIf ? 2 : ~0u;
    if (!conditions.count(condition) || p->size == 0 || p->size > most)
        return done(cudaErrorInvalidValue);
    if (cudaError_t e = add_node(out, graph, after, n, cudaGraphNodeTypeConditional, [] { return cudaSuccess; }))
        return e;
    for (unsigned i = 0; i < p->size; ++i)
        (*out)->bodies.push_back(new simt_graph());
    (*out)->condition = condition;
    (*out)->choice = p->type;
    p->phGraph_out = (*out)->bodies.data();
    return done(cudaSuccess);
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int at_first, unsigned int flags)
{
    if (!graph)
        return done(cudaErrorInvalidValue);
    auto *c = new simt_condition{{at_first}, at_first, (flags & cudaGraphCondAssignDefault) != 0, PC};
    std::lock_guard<std::mutex> hold(lock);
    conditions.insert(c);
    graph->conditions.push_back(c);
    *handle = (uintptr_t)c;
    return done(cudaSuccess);
}

void simt_set_conditional(cudaGraphConditionalHandle handle, unsigned int value)
{
    auto *c = (simt_condition *)(uintptr_t)handle;
    leaves_something();
    if (conditions.count(c))
        c->value = value;
    else if (current)
        fault(current, cudaErrorInvalidValue, PC, "cudaGraphSetConditional needs a conditional handle",
              "pass the kernel the handle that cudaGraphConditionalHandleCreate returned, unchanged");
}

/* ---- memory ---- */

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                     struct cudaMemAllocNodeParams *params)
{
    void *p = params->dptr = graph_allocate(params->bytesize, PC);
    if (!p)
        return done(params->bytesize ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    const cudaError_t e = add_node(node, graph, after, n, cudaGraphNodeTypeMemAlloc,
                                   [p] { return graph_memory_begins(p); });
    if (e == cudaSuccess)
        (*node)->memory = p;
    return e;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                    void *ptr)
{
    if (!memory.count(ptr))
        return done(cudaErrorInvalidValue);
    return add_node(node, graph, after, n, cudaGraphNodeTypeMemFree, [ptr] {
        cudaError_t result = cudaSuccess;
        return graph_memory_ends(ptr, &result), result;
    });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params)
{
    if (!node || !node->memory)
        return done(cudaErrorInvalidValue);
    *params = {};
    params->dptr = node->memory;
    params->bytesize = memory[node->memory].bytes;
    return done(cudaSuccess);
}

/* Memory that a graph has allocated stays reserved until the program ends. */
cudaError_t cudaDeviceGetGraphMemAttribute(int, enum cudaGraphMemAttributeType attribute, void *value)
{
    const uint64_t values[] = {used, used_most, reserved, reserved};
    if ((unsigned)attribute >= sizeof values / sizeof *values)
        return done(cudaErrorInvalidValue);
    *static_cast<uint64_t *>(value) = values[attribute];
    return done(cudaSuccess);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int, enum cudaGraphMemAttributeType attribute, void *)
{
    if (attribute == cudaGraphMemAttrUsedMemHigh)
        used_most = used;
    return done(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int) { return done(cudaSuccess); }

/* ---- any node ---- */

cudaError_t simt_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                          struct cudaGraphNodeParams *p)
{
    const as_asked_at place(PC);
    switch (p->type) {
    case cudaGraphNodeTypeKernel: {
        const cudaKernelNodeParamsV2 &k = p->kernel;
        const cudaKernelNodeParams params = {k.func, k.gridDim, k.blockDim, k.sharedMemBytes, k.kernelParams, k.extra};
        return cudaGraphAddKernelNode(node, graph, after, n, &params);
    }
    case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(node, graph, after, n, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(node, graph, after, n, &p->memset);
    case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(node, graph, after, n, &p->host);
    case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(node, graph, after, n, p->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, after, n);
    case cudaGraphNodeTypeMemAlloc: return cudaGraphAddMemAllocNode(node, graph, after, n, &p->alloc);
    case cudaGraphNodeTypeMemFree: return cudaGraphAddMemFreeNode(node, graph, after, n, p->free.dptr);
    case cudaGraphNodeTypeConditional: return add_conditional(node, graph, after, n, &p->conditional);
    default: return done(cudaErrorNotSupported);
    }
}

/* ---- user objects ---- */

struct simt_user_object {
    void *data;
    cudaHostFn_t destroy;
    std::atomic<unsigned> references;
};

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *data, cudaHostFn_t destroy, unsigned int references,
                                 unsigned int flags)
{
    RESULT(object);
    if (!destroy || !references || flags != cudaUserObjectNoDestructorSync)
        return done(cudaErrorInvalidValue);
    *object = new simt_user_object{data, destroy, {references}};
    return done(cudaSuccess);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count)
{
    if (!object || !count)
        return done(cudaErrorInvalidValue);
    object->references += count;
    return done(cudaSuccess);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count)
{
    if (!object || !count || object->references < count)
        return done(cudaErrorInvalidValue);
    if ((object->references -= count) == 0) {
        object->destroy(object->data);
        delete object;
    }
    return done(cudaSuccess);
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags)
{
    if (!graph || !object || !count)
        return done(cudaErrorInvalidValue);
    if (flags & cudaGraphUserObjectMove)
        graph->objects.keep(object, count);
    else
        graph->objects.take(object, count);
    return done(cudaSuccess);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count)
{ return done(graph && object && graph->objects.give_back(object, count) ? cudaSuccess : cudaErrorInvalidValue); }
