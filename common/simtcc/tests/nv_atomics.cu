// nvcc's own atomics: each operation, and a value passed from block to block.  With an argument: without memory order.
#include <cstdio>
__global__ void each(int *n, unsigned long long *wide, float *f)
{
    __nv_atomic_fetch_add(&n[0], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_sub(&n[1], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_max(&n[2], (int)threadIdx.x, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_or(wide, 1ull << (threadIdx.x & 63), __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_add(f, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    int expected = __nv_atomic_load_n(&n[3], __NV_ATOMIC_RELAXED);
    while (!__nv_atomic_compare_exchange_n(&n[3], &expected, expected + 3, false, __NV_ATOMIC_ACQ_REL,
                                           __NV_ATOMIC_RELAXED)) {
    }
}
__global__ void hand(int *data, int *flag, int *out, bool ordered)
{
    const int to = ordered ? __NV_ATOMIC_RELEASE : __NV_ATOMIC_RELAXED;
    const int from = ordered ? __NV_ATOMIC_ACQUIRE : __NV_ATOMIC_RELAXED;
    if (blockIdx.x == 0) {
        *data = 42;
        __nv_atomic_store_n(flag, 1, to, __NV_THREAD_SCOPE_DEVICE);
    } else {
        while (__nv_atomic_load_n(flag, from, __NV_THREAD_SCOPE_DEVICE) == 0) {}
        *out = *data;
    }
}
int main(int argc, char **)
{
    int *n, h[8];
    float f;
    unsigned long long w;
    cudaMalloc(&n, 32);
    cudaMemset(n, 0, 32);
    each<<<2, 64>>>(n, (unsigned long long *)(n + 4), (float *)(n + 6));
    cudaMemcpy(h, n, 32, cudaMemcpyDeviceToHost);
    cudaMemcpy(&w, n + 4, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(&f, n + 6, 4, cudaMemcpyDeviceToHost);
    printf("each %d %d %d %d %d %g\n", h[0], h[1], h[2], h[3], w == ~0ull, f);
    cudaMemset(n, 0, 32);
    hand<<<2, 1>>>(n, n + 1, n + 2, argc == 1);
    cudaMemcpy(h, n, 32, cudaMemcpyDeviceToHost);
    printf("handed over %d: %s\n", h[2], cudaGetErrorString(cudaGetLastError()));
}
