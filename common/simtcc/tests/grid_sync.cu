// grid.sync() needs a cooperative launch: cases 1 and 2 have none, the others have one.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;
__global__ void halves(int *x, int *valid)
{
    const cg::grid_group grid = cg::this_grid();
    if (grid.thread_rank() == 0) *valid = grid.is_valid();
    if (threadIdx.x == 0) x[blockIdx.x] = 1;
    grid.sync();
    if (grid.thread_rank() == 0) x[0] += x[1];
}
__global__ void asks(int *valid) { *valid = cg::this_grid().is_valid(); }
int main(int, char **argv)
{
    int *x, *valid, h[2];
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&valid, sizeof *valid);
    cudaMemset(x, 0, sizeof h);
    void *arguments[] = {&x, &valid};
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cooperative;
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    config.gridDim = dim3(2);
    config.blockDim = dim3(32);
    config.attrs = &cooperative;
    config.numAttrs = 1;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamCreate(&stream);
    switch (atoi(argv[1])) {
    case 1: halves<<<2, 32>>>(x, valid); break;
    case 2: cudaLaunchKernel((void *)halves, 2, 32, arguments, 0, 0); break;
    case 3: cudaLaunchCooperativeKernel((void *)halves, 2, 32, arguments, 0, 0); break;
    case 4: cudaLaunchKernelEx(&config, halves, x, valid); break;
    case 5:
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        cudaLaunchCooperativeKernel((void *)halves, 2, 32, arguments, 0, stream);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&ready, graph, 0);
        cudaGraphLaunch(ready, stream);
        break;
    case 6: asks<<<1, 1>>>(valid); break;
    }
    const cudaError_t error = cudaDeviceSynchronize();
    h[0] = h[1] = 0;
    cudaMemcpy(h, x, sizeof *h, cudaMemcpyDeviceToHost);
    cudaMemcpy(h + 1, valid, sizeof *h, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", h[0], h[1], cudaGetErrorString(error));
}
