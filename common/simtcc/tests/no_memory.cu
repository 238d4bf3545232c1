// cudaMalloc of 1 TB fails unnoticed, and a kernel, a memset or a copy uses the null pointer.
#include <cstdio>
#include <cstdlib>
__global__ void put(int *p) { p[threadIdx.x] = 1; }

int main(int, char **argv)
{
    const bool large = argv[1][0] == 'l';
    int *p = nullptr, here[4] = {};
    if (large) cudaMalloc(&p, 1ull << 40);
    switch (argv[1][1]) {
    case 'k': put<<<1, 32>>>(p); break;
    case 'm': cudaMemset(p, 0, 16); break;
    case 'c': cudaMemcpy(p, here, 16, cudaMemcpyHostToDevice); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
