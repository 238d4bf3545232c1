// A cooperative launch of a fixed grid.  1: the program asks for the GPU's limit first.  2: no GPU holds the grid.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
__global__ void sums(int *x, int *sum)
{
    const auto grid = cooperative_groups::this_grid();
    if (threadIdx.x == 0) x[blockIdx.x] = 1;
    grid.sync();
    if (grid.thread_rank() == 0)
        for (int i = 0; i < (int)gridDim.x; ++i) *sum += x[i];
}

int main(int argc, char **argv)
{
    const int way = argc > 1 ? atoi(argv[1]) : 0, blocks = way == 2 ? 2000 : 150;
    int *x, *sum, held, h = 0;
    cudaMalloc(&x, blocks * sizeof *x);
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    if (way == 1) cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, sums, 256, 0);
    void *arguments[] = {&x, &sum};
    const cudaError_t error = cudaLaunchCooperativeKernel((void *)sums, blocks, 256, arguments, 0, 0);
    cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
    printf("sum %d %s\n", h, cudaGetErrorName(error));
}
