// A kernel does not wait for kernels that it launches.  Cases 1 and 2 are wrong, 21 and 22 are right.
#include <cstdio>
#include <cstdlib>
__global__ void child(int *to, const int *from, int *n, int depth)
{
    to[threadIdx.x] = from[threadIdx.x] + 1;
    atomicAdd(n, 1);
    if (depth && threadIdx.x == 0) {
        child<<<1, 32>>>(to + 32, to, n, depth - 1);
        n[1 + depth] = depth;
        child<<<1, 32>>>(to + 64, to, n, 0);
    }
}
__global__ void sum(int *s, const int *from)
{
    int all = 0;
    for (int i = 0; i < 32; ++i) all += from[i];
    *s = all;
}
__global__ void parent(int *a, int *b, int *n, int *s, int wrong)
{
    a[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        child<<<1, 32>>>(b, a, n, 3);
        atomicAdd(n, 1);
        if (wrong == 1) *s = b[5]; // the child writes it
        if (wrong == 2) a[5] = 7;  // the child reads it
        else a[32] = 7;
        if (!wrong) sum<<<1, 1, 0, cudaStreamTailLaunch>>>(s, b);
    }
}

int main(int, char **argv)
{
    const int number = atoi(argv[1]);
    int *a, *b, *n, *s, h = 0;
    cudaMalloc(&a, 1024);
    cudaMalloc(&b, 1024);
    cudaMalloc(&n, 64);
    cudaMalloc(&s, 4);
    cudaMemset(n, 0, 64);
    parent<<<1, 32>>>(a, b, n, s, number < 20 ? number : 0);
    if (number > 20) cudaMemcpy(&h, s, 4, cudaMemcpyDeviceToHost);
    printf("sum %d %s\n", h, cudaGetErrorString(cudaDeviceSynchronize()));
}
