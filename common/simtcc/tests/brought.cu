// With -extended-lambda: names that CUDA's headers include, and a kernel that depends on the one before it.
#include <cublas_v2.h>
#include <cstdio>
#include <cuda/cmath>
__global__ void first(int *p)
{
    p[threadIdx.x] = threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void second(int *p, int n)
{
    cudaGridDependencySynchronize();
    const const int own = p[threadIdx.x];
    if (threadIdx.x < n) p[threadIdx.x] = own + 1;
}
int main()
{
    std::vector<int> h(64);
    const std::function<int(int)> twice = [](int x) { return 2 * x; };
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    first<<<1, 64>>>(d);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = cuda::ceil_div(60, 64);
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, second, d, 64);
    cudaMemcpy(h.data(), d, 64 * sizeof *d, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("brought %d %d %d %d %g %s\n", cuda::ceil_div(10, 3), twice(4), cuda::ilog2(15u),
           *std::max_element(h.begin(), h.end()), (float)half(1.5f), cudaGetErrorString(cudaGetLastError()));
}
