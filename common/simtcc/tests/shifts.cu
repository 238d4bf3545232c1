// Shifts by the width or more: undefined in C++, 0 on a GPU; using the result gives a warning.  Also conversions of
// floats to integers that cannot hold them.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void mask_of(unsigned *p, int lanes) { p[threadIdx.x] = 0xffffffffu >> (32 - lanes); }
__global__ void below(long long *p, long long n) { *p = (1ll << n) - 1; }
__global__ void field(int *p, int from) { *p = -(1000 >> from); }
__global__ void whole(long long *p, float x, double y)
{
    p[0] = (unsigned char)x + (int)x;
    p[1] = (unsigned)y + (long long)y;
}

int main(int argc, char **argv)
{
    const int wrong = argc > 1 ? atoi(argv[1]) : 0;
    void *d;
    cudaMalloc(&d, 4 * 32);
    cudaMemset(d, 0, 4 * 32);
    mask_of<<<1, 32>>>((unsigned *)d, wrong == 1 ? 0 : 32);
    below<<<1, 1>>>((long long *)d, wrong == 2 ? 64 : 63);
    field<<<1, 1>>>((int *)d, wrong == 3 ? -1 : 31);
    const float x = wrong == 4 ? 3e9f : wrong == 5 ? NAN : 300;
    whole<<<1, 1>>>((long long *)d, x, wrong == 6 ? -3e9 : wrong == 7 ? 1e20 : 4e9);
    const int by = argc + 32; // in host code
    printf("shifts %s, %d\n", cudaGetErrorString(cudaDeviceSynchronize()), (1 << by) != 0);
    return 0;
}
