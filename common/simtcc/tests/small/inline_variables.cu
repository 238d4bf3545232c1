// Inline variables of the GPU, which nvcc refuses without -rdc=true.
#include <cstdio>
inline __device__ int a = 5;
__device__ int b = 6;
inline __constant__ int c = 7;
__global__ void k() { printf("%d %d %d\n", a, b, c); }
int main()
{
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
}
