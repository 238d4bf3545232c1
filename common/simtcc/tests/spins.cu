// Threads that wait for another thread in each way that a program can.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__device__ int flag, data, lock, ticket, serving, sum;

__device__ int load(const int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

/* The first thread of block 0 waits for the last of the last block. */
template <class F> __device__ void hand_over(F seen)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        while (!seen()) {}
        __threadfence();
        atomicExch(&sum, data);
    } else if (blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1) {
        data = 42;
        __threadfence();
        atomicExch(&flag, 1);
    }
}
__global__ void by_atomic() { hand_over([] { return atomicAdd(&flag, 0) == 1; }); }
__global__ void by_cas() { hand_over([] { return atomicCAS(&flag, 1, 1) == 1; }); }
__global__ void by_ptx() { hand_over([] { return load(&flag) == 1; }); }
__global__ void by_ldcv() { hand_over([] { return __ldcv(&flag) == 1; }); }
__global__ void by_sleep() { hand_over([] { __nanosleep(10); return atomicOr(&flag, 0) == 1; }); }
__global__ void by_object()
{ hand_over([] { return cuda::atomic_ref<int, cuda::thread_scope_device>(flag).load() == 1; }); }
#ifdef VOLATILE
__global__ void by_volatile() { hand_over([] { return *(volatile int *)&flag == 1; }); }
#endif

__global__ void locked() // a lock, taken by one thread of a warp after the other
{
    bool done = false;
    while (!done)
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            const int before = atomicAdd(&sum, 0);
            atomicExch(&sum, before + 1);
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
}
__global__ void tickets()
{
    const int mine = atomicAdd(&ticket, 1);
    while (atomicAdd(&serving, 0) != mine) {}
    atomicAdd(&sum, 1);
    atomicAdd(&serving, 1);
}
__global__ void grid_steps()
{
    for (int i = 0; i < 20; ++i) {
        if (threadIdx.x == 0) atomicAdd(&sum, 1);
        cg::this_grid().sync();
        if (sum != (i + 1) * (int)gridDim.x) atomicAdd(&data, 1);
        cg::this_grid().sync();
    }
}

static void look(const char *name)
{
    int s, zero = 0;
    cudaMemcpyFromSymbol(&s, sum, sizeof s);
    printf("%s %d\n", name, s);
    cudaMemcpyToSymbol(flag, &zero, 4);
    cudaMemcpyToSymbol(data, &zero, 4);
    cudaMemcpyToSymbol(lock, &zero, 4);
    cudaMemcpyToSymbol(ticket, &zero, 4);
    cudaMemcpyToSymbol(serving, &zero, 4);
    cudaMemcpyToSymbol(sum, &zero, 4);
}

int main()
{
    by_atomic<<<8, 64>>>(); look("atomic");
    by_cas<<<8, 64>>>(); look("cas");
    by_ptx<<<8, 64>>>(); look("ptx");
    by_ldcv<<<8, 64>>>(); look("ldcv");
    by_sleep<<<8, 64>>>(); look("sleep");
    by_object<<<8, 64>>>(); look("object");
#ifdef VOLATILE
    by_volatile<<<8, 64>>>(); look("volatile");
#endif
    locked<<<8, 64>>>(); look("lock");
    tickets<<<8, 64>>>(); look("tickets");
    cudaLaunchCooperativeKernel(grid_steps, dim3(8), dim3(64), nullptr);
    look("grid");
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
