// __constant__ variables: initialised, copied to, used by address.  With an argument: partly or never written.
#include <cstdio>

struct range { float low, high; };
extern __constant__ int later[2];
__constant__ float weights[8];
__constant__ range limits = {0, 9};
__constant__ int zero = 0, none[2] = {0};
__constant__ int by_address;
__constant__ int later[2];

__global__ void sum(float *to, int n)
{
    float s = zero + none[1] + by_address + later[1];
    for (int i = 0; i < n; ++i) s += weights[i];
    *to = s < limits.high ? s : limits.high;
}

int main(int argc, char **argv)
{
    const float h[8] = {1, 0, 1, 1, 0, 1, 1, 1};
    const int two[2] = {0, 0}, wrong = argc > 1 ? atoi(argv[1]) : 0;
    float *d, s;
    void *p;
    cudaMalloc(&d, sizeof *d);
    if (wrong != 1) cudaMemcpyToSymbol(weights, h, wrong == 2 ? 8 : sizeof h);
    cudaMemcpyToSymbol(later, two, sizeof two);
    cudaGetSymbolAddress(&p, by_address);
    cudaMemset(p, 0, sizeof(by_address));
    cudaMemset(p, 0, sizeof by_address);
    sum<<<1, 1>>>(d, 8);
    cudaMemcpy(&s, d, sizeof s, cudaMemcpyDeviceToHost);
    printf("constants %g %s\n", s, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
