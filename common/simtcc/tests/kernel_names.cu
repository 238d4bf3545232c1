/* kernel_names.cu - kernels whose names are in headers, too, launched in each way */
#include <cstdio>

__global__ void kernel(int *sum, int v) { *sum += v; }
__global__ void func(int *sum, int v) { *sum += v; }
__global__ void function(int *sum, int v) { *sum += v; }
__global__ void call(int *sum, int v) { *sum += v; }
__global__ void config(int *sum, int v) { *sum += v; }

static int *sum;

static void launch(void (*which)(int *, int), void *address, int v)
{
    void *args[] = {&sum, &v};
    cudaLaunchConfig_t of_one = {};
    of_one.gridDim = of_one.blockDim = dim3(1);
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, which);
    which<<<1, 1>>>(sum, v);
    cudaLaunchKernel(address, dim3(1), dim3(1), args, 0, nullptr);
    cudaLaunchKernelEx(&of_one, which, sum, v);
}

int main()
{
    int all = 0;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    launch(kernel, (void *)kernel, 1);
    launch(func, (void *)func, 10);
    launch(function, (void *)function, 100);
    launch(call, (void *)call, 1000);
    launch(config, (void *)config, 10000);
    cudaMemcpy(&all, sum, sizeof all, cudaMemcpyDeviceToHost);
    printf("names %d %s\n", all, cudaGetErrorString(cudaGetLastError()));
}
