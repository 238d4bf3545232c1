// Calls of runtime functions with as few arguments as possible.
#include <cstdio>

__constant__ int c;
__device__ int v;
__global__ void add(int *p, int x) { atomicAdd(p, x); }
static size_t none(int) { return 0; }

int main()
{
    int *p, *pinned, *managed, x = 3, grid, block;
    cudaStream_t s;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaFuncAttributes attributes;
    cudaMalloc(&p, sizeof(int));
    cudaMemset(p, 0, sizeof(int));
    cudaMallocHost(&pinned, sizeof(int));
    cudaMallocManaged(&managed, sizeof(int));
    cudaStreamCreate(&s);
    cudaStreamAttachMemAsync(s, managed);
    cudaEventCreate(&e);
    void *args[] = {&p, &x};
    cudaLaunchKernel(add, 1, 1, args);
    cudaLaunchKernel((void *)add, 1, 1, args);
    cudaLaunchKernel((const void *)add, 1, 1, args);
    cudaLaunchCooperativeKernel(add, 1, 1, args);
    cudaLaunchCooperativeKernel((void *)add, 1, 1, args);
    cudaFuncGetAttributes(&attributes, add);
    cudaMemcpyToSymbol(c, &x, sizeof x);
    cudaMemcpyToSymbolAsync(v, &x, sizeof x);
    cudaMemcpyFromSymbol(&x, v, sizeof x);
    cudaMemcpyFromSymbolAsync(&x, c, sizeof x);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, add);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add, none);
    cudaEventRecord(e);
    cudaEventRecordWithFlags(e);
    cudaStreamWaitEvent(s, e);
    cudaGraphCreate(&graph, 0);
    cudaGraphInstantiate(&exec, graph);
    cudaGraphInstantiateWithFlags(&exec, graph);
    cudaMemcpyAsync(pinned, p, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemsetAsync(managed, 0, sizeof(int));
    cudaArray_t array;
    const cudaChannelFormatDesc of_int = cudaCreateChannelDesc<int>();
    int there[2] = {4, 5}, back[2] = {};
    cudaMallocArray(&array, &of_int, 2);
    cudaMemcpy2DToArrayAsync(array, 0, 0, there, sizeof there, sizeof there, 1, cudaMemcpyHostToDevice);
    cudaMemcpy2DFromArrayAsync(back, sizeof back, array, 0, 0, sizeof back, 1, cudaMemcpyDeviceToHost);
    cudaStreamSynchronize(0);
    printf("fewest %d %d %d %s\n", *pinned, x, back[1], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
