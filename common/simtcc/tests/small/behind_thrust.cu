// A kernel; with an argument it runs after a Thrust sort, which the prediction leaves out.
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
