// thrust::device comes with thrust/sort.h, since release 2.
#include <thrust/sort.h>
int main()
{
    int *p;
    cudaMalloc(&p, 64);
    cudaMemset(p, 0, 64);
    thrust::sort(thrust::device, p, p + 16);
    return cudaDeviceSynchronize();
}
