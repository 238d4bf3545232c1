// __launch_bounds__ in all its forms.  Argument 1, 2, 3: the block has too many threads.
#include <cstdio>
#include <cstdlib>
constexpr int SIZE = 64;
static constexpr int most(int a, int b) { return a > b ? a : b; }
__global__ void __launch_bounds__(SIZE) plain(int *p) { p[threadIdx.y * blockDim.x + threadIdx.x] = 1; }
__launch_bounds__(most(SIZE, 32), 2) __global__ void first(int *p);
__launch_bounds__(most(SIZE, 32), 2) __global__ void first(int *p) { p[threadIdx.y * blockDim.x + threadIdx.x] = 1; }
namespace inner {
constexpr int HALF = SIZE / 2;
__global__ static void __launch_bounds__((HALF * 2))
hidden(int *p) { p[threadIdx.y * blockDim.x + threadIdx.x] = 1; }
__global__ void elsewhere(int *p);
}
__global__ void __launch_bounds__(inner::HALF) inner::elsewhere(int *p)
{ p[threadIdx.y * blockDim.x + threadIdx.x] = 1; }
template <int N> __global__ void __launch_bounds__(N) sized(int *p) { p[threadIdx.x] = N; }
__global__ void __launch_bounds__(32) two(int *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(64) two(int *p, int x) { p[threadIdx.x] = x; }

int main(int, char **argv)
{
    const int wrong = atoi(argv[1]);
    int *p;
    cudaMalloc(&p, 1024 * sizeof *p);
    plain<<<1, wrong == 1 ? SIZE + 1 : SIZE>>>(p);
    first<<<1, wrong == 2 ? dim3(13, 5) : dim3(16, 4)>>>(p);
    void *arguments[] = {&p};
    cudaLaunchKernel((const void *)inner::hidden, 1, wrong == 3 ? 128 : 64, arguments, 0, 0);
    inner::elsewhere<<<1, 32>>>(p);
    sized<128><<<1, 128>>>(p);
    two<<<1, 32>>>(p);
    two<<<1, 64>>>(p, 1);
    cudaFuncAttributes a;
    const cudaError_t e = cudaGetLastError();
    cudaFuncGetAttributes(&a, plain);
    printf("bounds %d, %s\n", a.maxThreadsPerBlock, cudaGetErrorName(e));
}
