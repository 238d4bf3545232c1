/* recorded.c - see recorded.h */
#include "recorded.h"

#include "device.h"

int recorded_begin(void *stream, err_t *err)
{
    return device_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "a graph", err);
}

int recorded_end(cudaGraphExec_t *exec, void *stream, int failed, err_t *err)
{
    cudaGraph_t graph = NULL;
    const cudaError_t end = cudaStreamEndCapture(stream, &graph);
    *exec = NULL;
    if (!failed) failed = device_ok(end, "a graph", err);
    if (!failed) /* an exchange in it is of a stream of high priority */
        failed = device_ok(cudaGraphInstantiate(exec, graph, cudaGraphInstantiateFlagUseNodePriority), "a graph", err);
    if (graph) cudaGraphDestroy(graph);
    return failed ? -1 : 0;
}

int recorded_run(cudaGraphExec_t graph, void *stream, err_t *err)
{
    return device_ok(cudaGraphLaunch(graph, stream), "a graph", err);
}

void recorded_close(cudaGraphExec_t graph)
{
    if (graph) cudaGraphExecDestroy(graph);
}
