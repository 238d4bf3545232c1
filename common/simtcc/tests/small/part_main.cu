// A program of several files: its main, with a number from -D.
#include <cstdio>
#include "part.cuh"
int main()
{
    int *d, x;
    cudaMalloc(&d, 4);
    run(d);
    cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", x, DOUBLED);
}
