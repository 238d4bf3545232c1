// A kernel reads and writes pinned host memory, which is counted.
#include <cuda_runtime.h>
__global__ void k(int *p) { p[threadIdx.x] += 1; }
int main()
{
    int *p;
    cudaHostAlloc(&p, 256, cudaHostAllocMapped);
    for (int i = 0; i < 64; ++i) p[i] = i;
    k<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    return p[63] != 64;
}
