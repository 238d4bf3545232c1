// The module that driver.cu loads: kernels, a variable of the GPU, a constant, a shared array, a kernel in a namespace.
__device__ int counter = 5;
__constant__ int factor;
extern "C" __global__ void scale(int *a, int n)
{
    __shared__ int tile[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i;
    __syncthreads();
    if (i < n) a[i] = factor * tile[threadIdx.x];
    if (i == 0) counter += 1;
}
extern "C" __global__ void mixed(char c, double *out, short s, double d, int i)
{
    *out = c + s + d + i;
}
extern "C" __global__ void beyond(int *a, int n)
{
    a[n + threadIdx.x] = 1;
}
namespace deep {
__global__ void one(int *a) { a[0] = 1; }
} // namespace deep
