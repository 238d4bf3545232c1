// Kernels that are launched by an address: in a variable, an argument or a node, or returned by a function.
#include <cstdio>
__global__ void put(int *to, int n) { *to = n; }
template <class T> __global__ void twice(T *to, T n) { *to = 2 * n; }
template <int K> __global__ void times(int *to, int n) { *to = K * n; }
static int *d;
static int value()
{
    int h;
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h;
}
template <class F> static int launched(F kernel, int n)
{
    void *arguments[] = {&d, &n};
    return cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), arguments, 0, 0) ? -1 : value();
}
static int of_a_node(void (*kernel)(int *, int), int n)
{
    void *arguments[] = {&d, &n};
    cudaKernelNodeParams node = {};
    node.func = (void *)kernel;
    node.gridDim = node.blockDim = dim3(1);
    node.kernelParams = arguments;
    cudaGraph_t graph;
    cudaGraphNode_t its;
    cudaGraphExec_t run;
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&its, graph, nullptr, 0, &node);
    cudaGraphInstantiate(&run, graph, 0);
    return cudaGraphLaunch(run, 0) ? -1 : value();
}
int main()
{
    int n = 5, got[7];
    cudaMalloc(&d, sizeof n);
    void *arguments[] = {&d, &n};
    auto *kernel = &twice<int>;
    cudaLaunchKernel((void *)kernel, 1, 1, arguments, 0, 0);
    got[0] = value();
    const auto pick = [](bool first) { return first ? put : twice<int>; };
    cudaLaunchKernel(reinterpret_cast<const void *>(pick(true)), 1, 1, arguments, 0, 0);
    got[1] = value();
    got[2] = launched(twice<int>, 7);
    got[3] = of_a_node(twice<int>, 8);
    cudaLaunchKernel(n == 5 ? (void *)times<3> : (void *)times<4>, 1, 1, arguments, 0, 0);
    got[6] = value();
    put<<<1, 0>>>(d, 0); // this error must not be the next launch's
    got[4] = launched(put, 9);
    got[5] = cudaGetLastError();
    printf("addresses %d %d %d %d %d %d, %s\n", got[0], got[1], got[2], got[3], got[4], got[6],
           cudaGetErrorString((cudaError_t)got[5]));
}
