// A program of several files: its main, to which -D gives a number.
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
