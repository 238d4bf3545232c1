// A kernel, and with an argument one behind a sort of Thrust's, which is no part of its prediction.
#include <thrust/sort.h>
__global__ void put(int *p) { p[threadIdx.x] = 1; }
int main(int n, char **)
{
    int *p;
    cudaMalloc(&p, 64);
    put<<<1, 16>>>(p);
    if (n > 1) {
        thrust::sort(thrust::device, p, p + 16);
        put<<<1, 16>>>(p);
    }
    return cudaDeviceSynchronize();
}
