// A failed assertion in a kernel: the program gets a GPU's error, and chooses its exit status if it asks for it.
#include <cassert>
#include <cstdio>
#include <cstdlib>
__global__ void at_most(int n) { assert((int)threadIdx.x < n); }
int main(int, char **argv)
{
    at_most<<<1, 64>>>(atoi(argv[1]));
    if (argv[2]) printf("%d\n", cudaDeviceSynchronize() == cudaErrorAssert);
}
