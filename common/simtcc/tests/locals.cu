// Addresses of local variables.  0: used during the function; 1: used after the function has returned; 2: used after
// the kernel has ended; 3: used by another thread.
#include <cstdio>
#include <cstdlib>

__device__ int *kept;

__device__ __noinline__ void keep(int *p, int v)
{
    *p = v;
    kept = p;
}
__device__ __noinline__ int called(int v)
{
    int x[4] = {0, 0, 0, 0};
    keep(&x[v & 3], v + 5);
    return *kept + x[(v + 1) & 3];
}
__global__ void alive(int *out) { out[threadIdx.x] = called((int)threadIdx.x); }
__global__ void returned(int *out)
{
    const int v = called((int)threadIdx.x);
    out[threadIdx.x] = v + *kept;
}
__global__ void later(int *out) { out[threadIdx.x] = *kept; }
__global__ void another(int *out)
{
    int mine = (int)threadIdx.x + 7;
    if (threadIdx.x == 0) kept = &mine;
    __syncthreads();
    out[threadIdx.x] = *kept;
    __syncthreads();
}

int main(int, char **argv)
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    switch (atoi(argv[1])) {
    case 0: alive<<<1, 1>>>(d); break;
    case 1: returned<<<1, 1>>>(d); break;
    case 2: alive<<<1, 1>>>(d); later<<<1, 32>>>(d); break;
    case 3: another<<<1, 64>>>(d); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
