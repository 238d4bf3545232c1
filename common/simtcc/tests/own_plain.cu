// A plain write, then a fence and an atomic of the same thread, race with atomics of other threads that do not
// synchronise: cases 1 to 3.  Their twins from 21 on have a barrier or wait for a flag.
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void barrier_init(bool right)
{
    __shared__ barrier b;
    if (threadIdx.x == 0) init(&b, blockDim.x);
    if (right) __syncthreads();
    b.arrive_and_wait();
}
__global__ void counter(int *out, bool right)
{
    __shared__ int n;
    if (threadIdx.x == 0) n = 0;
    if (right) __syncthreads();
    __threadfence_block();
    atomicAdd(&n, 1);
    __syncthreads();
    if (threadIdx.x == 0) *out = n;
}
__global__ void told(int *n, int *flag, bool right)
{
    if (threadIdx.x == 0) {
        *n = 0;
        __threadfence();
        atomicAdd(n, 1);
        atomicExch(flag, 1);
    } else if (threadIdx.x == 32) {
        while (right && atomicAdd(flag, 0) == 0) {}
        atomicAdd(n, 1);
    }
}
int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20;
    const bool right = atoi(argv[1]) > 20;
    int *d;
    cudaMalloc(&d, 8);
    cudaMemset(d, 0, 8);
    if (number == 1) barrier_init<<<1, 64>>>(right);
    if (number == 2) counter<<<1, 64>>>(d, right);
    if (number == 3) told<<<1, 64>>>(d, d + 1, right);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
