// A sum to which all threads add without an atomic: said once, and a hundred thousand races later it has ended.
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
