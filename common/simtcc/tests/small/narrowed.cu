// Narrowing conversions in braces, about which nvcc only warns in a kernel.
#include <cstdio>
__global__ void k(int *p)
{
    int y[3] = {0.0, 1.5, 2};
    unsigned char c[2] = {300, 1};
    *p = y[1] + c[0];
}
int main()
{
    int *p, h;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(p);
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
}
