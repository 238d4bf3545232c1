// All threads add to a sum without an atomic: it is reported once, and a hundred thousand races do not slow it down.
#include <cstdio>
#include <cstdlib>
__device__ double sum;
__global__ void add(const float *x, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i]; }
int main()
{
    enum { N = 100000 };
    float *x;
    cudaMalloc(&x, N * sizeof *x);
    cudaMemset(x, 0, N * sizeof *x);
    add<<<1, 128>>>(x, N);
    printf("many: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
