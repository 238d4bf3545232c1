// An assertion in a kernel: the program is told as on a GPU, and ends as it likes if it has asked.
#include <cassert>
#include <cstdio>
#include <cstdlib>
__global__ void at_most(int n) { assert((int)threadIdx.x < n); }
int main(int, char **argv)
{
    at_most<<<1, 64>>>(atoi(argv[1]));
    if (argv[2]) printf("%d\n", cudaDeviceSynchronize() == cudaErrorAssert);
}
