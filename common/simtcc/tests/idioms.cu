// Flags, masks and barriers between threads.  Cases from 1 on are wrong, their twins from 21 on are right.
#include <cstdio>
#include <cstdlib>
__device__ int data[64], result;
__device__ volatile int ready;
__device__ int counter;

__global__ void flagged(bool fence)     // block 0 writes, block 1 waits for it
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        if (fence) __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) ready = 1;
    } else {
        if (threadIdx.x == 0)
            while (!ready) { }
        __syncthreads();
        if (threadIdx.x == 0) result = data[3] + data[33];
    }
}
__global__ void last_block(int *sums, bool fence)       // the last block adds up
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = blockIdx.x;
        if (fence) __threadfence();
        last = atomicAdd(&counter, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (int i = 0; i < gridDim.x; ++i) all += sums[i];
        result = all;
    }
}
__global__ void neighbours(int *to, bool wait)          // a missing barrier
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (wait) __syncthreads();
    to[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void in_a_warp(int *to, bool wait)
{
    to[threadIdx.x] = threadIdx.x;
    if (wait) __syncwarp();
    result += 0 * to[31 - threadIdx.x];
}
__global__ void plain_flag(int *flag, bool atomic)      // a flag that is not volatile
{
    if (blockIdx.x == 0) {
        if (atomic) atomicExch(flag, 1);
        else *flag = 1;
    } else if (atomic ? atomicAdd(flag, 0) == 2 : *flag == 2) result = 1;
}
__global__ void sums(int *to, bool known)
{
    int v = 1;
    if (threadIdx.x < 8) {
        const unsigned mask = known ? 0xff : __activemask();
        v += __shfl_down_sync(mask, v, 4, 8);
    }
    to[threadIdx.x] = v;
}
__global__ void meets(int *flag, bool ends)             // all poll a value that is never or rarely written
{
    for (int i = 0; ends ? i < 300000 : *flag == 0; ++i) {
        __syncthreads();
        if (ends && threadIdx.x == 0 && i % 20000 == 0) flag[1] = i;
    }
}
__global__ void cleared(int *n, bool told)              // one block clears the counter while the others count
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            *n = 0;
            __threadfence();
            ready = 1;
        } else if (told) {
            while (!ready) { }
            __threadfence();
        }
    }
    __syncthreads();
    atomicAdd(n, 1);
}
// Two warps pass a word back and forth by flags in shared memory; `reader` is the warp that waits first.
__global__ void shared_flags(int *to, int reader, bool fence)
{
    __shared__ int word;
    __shared__ volatile int there, back;
    if (threadIdx.x == 0) there = back = 0;
    __syncthreads();
    if (threadIdx.x == 32 * (1 - reader)) {
        word = 3;
        if (fence) __threadfence_block();
        there = 1;
        while (!back) { }
        __threadfence_block();
        to[0] = word;
    } else if (threadIdx.x == 32 * reader) {
        while (!there) { }
        __threadfence_block();
        word += 4;
        __threadfence_block();
        back = 1;
    }
}

int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20;
    const bool right = atoi(argv[1]) > 20;
    int *d;
    cudaMalloc(&d, 64 * sizeof(int));
    cudaMemset(d, 0, 64 * sizeof(int));
    switch (number) {
    case 1: flagged<<<2, 64>>>(right); break;
    case 2: last_block<<<8, 32>>>(d, right); break;
    case 3: neighbours<<<1, 64>>>(d, right); break;
    case 4: plain_flag<<<2, 1>>>(d, right); break;
    case 5: sums<<<1, 32>>>(d, right); break;
    case 6: meets<<<1, 256>>>(d, right); break;
    case 8: shared_flags<<<1, 64>>>(d, 0, right); shared_flags<<<1, 64>>>(d, 1, right); break;
    case 7: cleared<<<4, 64>>>(d, right); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
