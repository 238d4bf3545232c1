// A launch with the spaces of formatters that do not know CUDA.
#include <cstdio>
__global__ void k(int *p) { *p = 42; }
int main()
{
    int *d, x;
    cudaMalloc(&d, 4);
    // clang-format off
    k << < 1, 1 >> > (d);
    // clang-format on
    cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost);
    return x != 42;
}
