// Reads the edges of a graph, changes its copy node, and disables a node.
#include <cstdio>

__global__ void add(int *p, int x) { p[threadIdx.x] += __hadd(x, x + 1); }

int main()
{
    int *d, h[2] = {1, 2}, other[2] = {10, 20}, back[2];
    cudaMalloc(&d, sizeof h);
    cudaGraph_t graph;
    cudaGraphNode_t nodes[3], from[4], to[4], before[4];
    cudaGraphExec_t exec;
    size_t edges = 4, n = 4;
    unsigned on = 7;
    int three = 3;
    void *args[] = {&d, &three};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add, kernel.gridDim = 1, kernel.blockDim = 2, kernel.kernelParams = args;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&nodes[0], graph, nullptr, 0, d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaGraphAddKernelNode(&nodes[1], graph, &nodes[0], 1, &kernel);
    cudaGraphAddMemcpyNode1D(&nodes[2], graph, &nodes[1], 1, back, d, sizeof h, cudaMemcpyDeviceToHost);
#if CUDART_VERSION >= 13000
    cudaGraphAddDependencies(graph, &nodes[0], &nodes[2], nullptr, 1);
    cudaGraphGetEdges(graph, from, to, nullptr, &edges);
    cudaGraphNodeGetDependencies(nodes[2], before, nullptr, &n);
#endif
    printf("edges %d %d, %d\n", (int)edges, (int)n, from[0] == nodes[0] && to[0] == nodes[1] && before[0] == nodes[1]);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf("run %d %d", back[0], back[1]);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(other, sizeof other, 2, 1);
    p.dstPtr = make_cudaPitchedPtr(d, sizeof other, 2, 1);
    p.extent = make_cudaExtent(sizeof other, 1, 1);
    p.kind = cudaMemcpyHostToDevice;
    cudaGraphExecMemcpyNodeSetParams(exec, nodes[0], &p);
    cudaGraphNodeSetEnabled(exec, nodes[1], 0);
    cudaGraphNodeGetEnabled(exec, nodes[1], &on);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf(", %d %d %u", back[0], back[1], on);
    cudaGraphNodeSetEnabled(exec, nodes[1], 1);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf(", %d %d %s\n", back[0], back[1], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
