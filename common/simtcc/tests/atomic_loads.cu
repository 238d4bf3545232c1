// An atomic load does not race with a plain or atomic read.  With an argument: it races with a plain write.
#include <cstdio>
#include <cuda/atomic>
__device__ int value = 7, sums[2];
__global__ void two_ways(const int *p, int *last, bool wrong)
{
    const int plain = p[blockIdx.x];
    const int loaded = __nv_atomic_load_n(&p[1 - blockIdx.x], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    cuda::atomic_ref<int, cuda::thread_scope_device> at(value), count(*last);
    sums[blockIdx.x] = plain + loaded + at.load(cuda::memory_order_relaxed) + value;
    count.fetch_add(1, cuda::memory_order_relaxed);
    if (count.load() < 1) sums[0] = 1000;
    if (wrong && blockIdx.x == 0) value = 8;
}
int main(int argc, char **)
{
    int *d, h[3] = {3, 4, 0};
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    two_ways<<<2, 1>>>(d, d + 2, argc > 1);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int s[2];
    cudaMemcpyFromSymbol(s, sums, sizeof s);
    printf("loads %d %d %d: %s\n", s[0], s[1], h[2], cudaGetErrorString(cudaGetLastError()));
}
