// Host code with OpenMP and std::atomic: host threads that launch kernels and share counters, and limits.
#include <atomic>
#include <cstdio>
#include <memory>
#include <omp.h>
struct counted {
    counted() : n(omp_get_num_procs() > 0) {}
    int n;
};
static counted &once()
{
    static counted one;
    return one;
}
__global__ void add(int *p, int v) { p[threadIdx.x] += v; }

int main()
{
    int n = 0, *d[4], h[32];
    double sum = 0;
    std::atomic<long> launches{0};
    auto shared = std::make_shared<int>(5), also = shared;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel num_threads(4)
    {
        const int me = omp_get_thread_num();
        cudaMalloc(&d[me], sizeof h);
        cudaMemset(d[me], 0, sizeof h);
        add<<<1, 32>>>(d[me], me + once().n);
        launches += 2;
#pragma omp atomic
        ++n;
#pragma omp barrier
        cudaDeviceSynchronize();
    }
    cudaMemcpy(h, d[3], sizeof h, cudaMemcpyDeviceToHost);
    size_t stack = 0, heap = 0;
    cudaDeviceSetLimit(cudaLimitStackSize, 32 << 10);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20);
    cudaDeviceGetLimit(&stack, cudaLimitStackSize);
    cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize);
    printf("openmp %d %g %d %ld %ld; %zu %zu\n", n, sum, h[31], launches.load(), also.use_count(), stack, heap);
}
