/*
 * api_graphs.cpp - CUDA graphs: work that is recorded first and run later, any number of times.
 *
 * A node is a function; its arguments are copied into it when it is created.
 */
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include "streams.hpp"

#define PC (asked_at ? asked_at : (uintptr_t)__builtin_return_address(0))

namespace simt {

cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNodeType type, std::function<cudaError_t()> work)
{
    graph->nodes.push_back(new simt_graph_node{type, std::move(work), {}, {}, {}, 0, nullptr, nullptr});
    return graph->nodes.back();
}

/* Sorts the nodes topologically, otherwise in the order of their creation.  Returns false if the edges form a cycle. */
static bool arrange(const simt_graph *graph, std::vector<cudaGraphNode_t> *order)
{
    std::set<cudaGraphNode_t> placed;
    while (order->size() < graph->nodes.size()) {
        const size_t before = order->size();
        for (cudaGraphNode_t n : graph->nodes)
            if (!placed.count(n) && std::all_of(n->after.begin(), n->after.end(),
                                                [&](cudaGraphNode_t a) { return placed.count(a) == 1; })) {
                order->push_back(n);
                placed.insert(n);
            }
        if (order->size() == before)
            return false;
    }
    return true;
}

cudaError_t add_node(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                     cudaGraphNodeType type, std::function<cudaError_t()> work)
{
    if (!graph || (n && !after))
        return done(cudaErrorInvalidValue);
    *out = add(graph, type, std::move(work));
    (*out)->after.assign(after, after + n);
    return done(cudaSuccess);
}

/* A step continues a branch if it waits for the branch's last step; else it begins a new branch. */
static void place_branches(simt_graph_exec *exec)
{
    std::map<cudaGraphNode_t, size_t> number;
    std::vector<size_t> last;                   /* the last step of each branch */
    for (size_t i = 0; i < exec->steps.size(); ++i) {
        simt_graph_exec::Step &s = exec->steps[i];
        s.branch = last.size();
        for (cudaGraphNode_t n : s.node->after) {
            const size_t before = number[n], branch = exec->steps[before].branch;
            s.after.push_back(before);
            if (s.branch == last.size() && last[branch] == before)
                s.branch = branch;
        }
        last.resize(std::max(last.size(), s.branch + 1));
        last[s.branch] = i;
        number[s.node] = i;
    }
    exec->branches = last.size();
}

/* Runs the steps of a graph with one branch: each waits for the step before it, as in a stream. */
static cudaError_t run_steps(const simt_graph_exec *exec)
{
    for (const simt_graph_exec::Step &s : exec->steps) {
        const as_in_stream in(stream_in_scope());       /* orders the accesses of host nodes */
        const cudaError_t e = s.off ? cudaSuccess : s.work();
        if (e != cudaSuccess)
            return e;
    }
    return cudaSuccess;
}

/* The steps run one after the other here, too.  But for the detection of races each step is ordered only after the
   steps for which it waits. */
static cudaError_t run_branches(simt_graph_exec *exec)
{
    const Clock start = order_now();
    std::vector<Clock> end(exec->steps.size());
    cudaError_t e = cudaSuccess;
    while (exec->lines.size() + 1 < exec->branches)
        exec->lines.push_back(order_add_branch());
    for (size_t i = 0; i < end.size() && e == cudaSuccess; ++i) {
        const simt_graph_exec::Step &s = exec->steps[i];
        Clock known = start;
        for (size_t before : s.after)
            order_join(known, end[before]);
        as_in_branch in(s.branch ? &exec->lines[s.branch - 1] : nullptr, known);
        e = s.off ? cudaSuccess : s.work();
        end[i] = in.end();
    }
    order_branches_meet(end);
    return e;
}

cudaError_t run(simt_graph_exec *exec)
{
    for (simt_condition *c : exec->conditions)
        if (c->set_at_first)
            c->value = c->at_first;
    if (exec->frees_first)
        for (void *p : exec->memory)
            graph_memory_forget(p);
    return done(exec->branches > 1 && settings.checks & SIMT_CHECK_STREAMS ? run_branches(exec) : run_steps(exec));
}

/* Wraps a node's work, so that its reports name the program point at which the node was created. */
static std::function<cudaError_t()> made_at(uintptr_t pc, std::function<cudaError_t()> work)
{
    return [pc, work] {
        const as_asked_at place(pc);
        return work();
    };
}

static std::function<cudaError_t()> memset_work(const cudaMemsetParams &p, uintptr_t pc)
{
    return made_at(pc, [p] {
        if (p.elementSize == 1)
            return cudaMemset2D(p.dst, p.height > 1 ? p.pitch : p.width, (int)p.value, p.width, p.height);
        std::vector<char> row(p.width * p.elementSize);
        for (size_t i = 0; i < p.width; ++i)
            memcpy(&row[i * p.elementSize], &p.value, p.elementSize);
        for (size_t y = 0; y < p.height; ++y)
            if (cudaError_t e = cudaMemcpy((char *)p.dst + y * p.pitch, row.data(), row.size(), cudaMemcpyHostToDevice))
                return e;
        return cudaSuccess;
    });
}

static std::function<cudaError_t()> host_work(const cudaHostNodeParams &p)
{ return [p] { return p.fn(p.userData), cudaSuccess; }; }

static simt_graph_exec::Step *step_of(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    for (simt_graph_exec::Step &s : exec->steps)
        if (s.node == node)
            return &s;
    return nullptr;
}

static cudaError_t set_step(cudaGraphExec_t exec, cudaGraphNode_t node, std::function<cudaError_t()> work)
{
    simt_graph_exec::Step *s = step_of(exec, node);
    if (s)
        s->work = std::move(work);
    return done(s ? cudaSuccess : cudaErrorInvalidValue);
}

} // namespace simt

using namespace simt;

/* ---- graphs and nodes ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int) { return *graph = new simt_graph(), done(cudaSuccess); }

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph)
        for (cudaGraphNode_t n : graph->nodes)
            delete n;
    delete graph;
    return done(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t graph)
{
    *out = new simt_graph();
    (*out)->objects.share(graph->objects);
    for (cudaGraphNode_t n : graph->nodes)
        (*out)->nodes.push_back(new simt_graph_node(*n));
    for (cudaGraphNode_t n : (*out)->nodes)
        for (cudaGraphNode_t &a : n->after) {
            const auto at = std::find(graph->nodes.begin(), graph->nodes.end(), a);
            a = (*out)->nodes[(size_t)(at - graph->nodes.begin())];
        }
    return done(cudaSuccess);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n)
{ return add_node(node, graph, after, n, cudaGraphNodeTypeEmpty, [] { return cudaSuccess; }); }

static std::function<cudaError_t()> node_work(const cudaKernelNodeParams &p)
{ return kernel_work(p.func, p.gridDim, p.blockDim, p.kernelParams, p.sharedMemBytes); }

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaKernelNodeParams *params)
{
    auto work = node_work(*params);
    if (!work)
        return done(cudaErrorInvalidDeviceFunction);
    cudaError_t e = add_node(node, graph, after, n, cudaGraphNodeTypeKernel, work);
    if (e == cudaSuccess)
        (*node)->kernel = *params;
    return e;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemcpy3DParms *params)
{
    const cudaMemcpy3DParms p = *params;
    return add_node(node, graph, after, n, cudaGraphNodeTypeMemcpy, made_at(PC, [p] { return cudaMemcpy3D(&p); }));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                     void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    return add_node(node, graph, after, n, cudaGraphNodeTypeMemcpy,
                    made_at(PC, [=] { return cudaMemcpy(dst, src, bytes, kind); }));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                   const struct cudaMemsetParams *params)
{ return add_node(node, graph, after, n, cudaGraphNodeTypeMemset, memset_work(*params, PC)); }

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                 const struct cudaHostNodeParams *params)
{ return add_node(node, graph, after, n, cudaGraphNodeTypeHost, host_work(*params)); }

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,
                                       cudaGraph_t child)
{
    cudaGraphExec_t exec;
    if (cudaError_t e = cudaGraphInstantiate(&exec, child, 0))
        return e;
    return add_node(node, graph, after, n, cudaGraphNodeTypeGraph, [exec] { return run(exec); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        to[i]->after.push_back(from[i]);
    return done(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n)
{
    if (nodes)
        std::copy_n(graph->nodes.begin(), std::min(*n, graph->nodes.size()), nodes);
    *n = graph->nodes.size();
    return done(cudaSuccess);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n)
{
    size_t found = 0;
    for (cudaGraphNode_t node : graph->nodes)
        if (node->after.empty()) {
            if (nodes && found < *n)
                nodes[found] = node;
            ++found;
        }
    *n = found;
    return done(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{ return *type = node->type, done(cudaSuccess); }

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{ return *params = node->kernel, done(node->kernel.func ? cudaSuccess : cudaErrorInvalidValue); }

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params)
{
    auto work = node_work(*params);
    if (!work)
        return done(cudaErrorInvalidDeviceFunction);
    node->work = work;
    node->kernel = *params;
    return done(cudaSuccess);
}

/* Returns each edge as two nodes. */
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n)
{
    size_t found = 0;
    for (cudaGraphNode_t node : graph->nodes)
        for (cudaGraphNode_t before : node->after) {
            if (from && to && found < *n) {
                from[found] = before;
                to[found] = node;
            }
            ++found;
        }
    *n = found;
    return done(cudaSuccess);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before, size_t *n)
{
    if (before)
        std::copy_n(node->after.begin(), std::min(*n, node->after.size()), before);
    *n = node->after.size();
    return done(cudaSuccess);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
    const cudaMemcpy3DParms p = *params;
    node->work = made_at(PC, [p] { return cudaMemcpy3D(&p); });
    return done(cudaSuccess);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src, size_t bytes,
                                           enum cudaMemcpyKind kind)
{ return node->work = made_at(PC, [=] { return cudaMemcpy(dst, src, bytes, kind); }), done(cudaSuccess); }

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params)
{ return node->work = memset_work(*params, PC), done(cudaSuccess); }

/* ---- a graph that can be run ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    std::vector<cudaGraphNode_t> order;
    cudaError_t error = cudaSuccess;
    if (!graph || !arrange(graph, &order))
        return done(cudaErrorInvalidValue);
    *exec = new simt_graph_exec();
    (*exec)->objects.share(graph->objects);
    (*exec)->frees_first = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    (*exec)->conditions = graph->conditions;
    for (cudaGraphNode_t n : order) {
        (*exec)->steps.push_back({n, n->type, n->bodies.empty() ? n->work : conditional_work(n, &error), {}, 0, false});
        if (n->type == cudaGraphNodeTypeMemAlloc)
            (*exec)->memory.push_back(n->memory);
    }
    place_branches(*exec);
    return done(error);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{ return cudaGraphInstantiate(exec, graph, flags); }

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    if (exec)
        for (unsigned line : exec->lines)
            order_drop_stream(line);
    delete exec;
    return done(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return done(cudaSuccess); }

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (!exec || !is_stream(stream))
        return done(cudaErrorInvalidResourceHandle);
    if (capture(stream, cudaGraphNodeTypeGraph, [exec] { return run(exec); }))
        return done(cudaSuccess);
    const stream_scope in(stream, true);
    if (const cudaError_t e = disturbs_captures(LEGACY_WORK))
        return e;
    return run(exec);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
{
    auto work = node_work(*params);
    return work ? set_step(exec, node, work) : done(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params)
{
    const cudaMemcpy3DParms p = *params;
    return set_step(exec, node, made_at(PC, [p] { return cudaMemcpy3D(&p); }));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst, const void *src,
                                               size_t bytes, enum cudaMemcpyKind kind)
{ return set_step(exec, node, made_at(PC, [=] { return cudaMemcpy(dst, src, bytes, kind); })); }

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params)
{ return set_step(exec, node, memset_work(*params, PC)); }

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params)
{ return set_step(exec, node, host_work(*params)); }

/* A disabled node does nothing; the nodes that depend on it run. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int on)
{
    simt_graph_exec::Step *s = step_of(exec, node);
    if (!s || (s->type != cudaGraphNodeTypeKernel && s->type != cudaGraphNodeTypeMemcpy &&
               s->type != cudaGraphNodeTypeMemset))
        return done(cudaErrorInvalidValue);
    s->off = !on;
    return done(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *on)
{
    const simt_graph_exec::Step *s = step_of(exec, node);
    if (s)
        *on = !s->off;
    return done(s ? cudaSuccess : cudaErrorInvalidValue);
}

/* Replaces the work of all steps by that of a graph of the same shape. */
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    std::vector<cudaGraphNode_t> order;
    *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (!arrange(graph, &order) || order.size() != exec->steps.size())
        info->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < order.size() && info->result == cudaGraphExecUpdateSuccess; ++i)
        if (order[i]->type != exec->steps[i].type) {
            info->result = cudaGraphExecUpdateErrorNodeTypeChanged;
            info->errorNode = order[i];
        }
    if (info->result != cudaGraphExecUpdateSuccess)
        return done(cudaErrorGraphExecUpdateFailure);
    for (size_t i = 0; i < order.size(); ++i)
        exec->steps[i].work = order[i]->work;   /* handles remain those of the old graph */
    return done(cudaSuccess);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char *, unsigned int) { return done(cudaSuccess); }
