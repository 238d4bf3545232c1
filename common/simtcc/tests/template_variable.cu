// A variable template is treated as the host's, and the report says so, but not for memory from malloc (argument 1).
#include <cstdio>
#include <cstdlib>
template <class T> __constant__ T factor[4];
__global__ void scale(float *p, const float *by) { p[threadIdx.x] *= (by ? by : factor<float>)[threadIdx.x % 4]; }

int main(int argc, char **)
{
    float *p;
    cudaMalloc(&p, 128);
    cudaMemset(p, 0, 128);
    scale<<<1, 32>>>(p, argc > 1 ? (const float *)malloc(16) : nullptr);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
