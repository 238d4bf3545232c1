// __shared__ at file scope: array, table, number, struct, what is dynamic as other types; namespaces; two blocks;
// a parameter of the same name.
#include <cstdio>
namespace mine {
struct pair { int a, b; };
__shared__ int inside[2];
__device__ int put(int x) { return inside[x] = x; }
}
namespace {
__shared__ float words[64];
}
__shared__ int table[4][8], number;
static __shared__ mine::pair both;

__device__ void add(int n) { atomicAdd(&number, n); }
__device__ int plus(int number, int more) { return number + more; }

__global__ void fill(int *wrong, bool clears)
{
    if (threadIdx.x == 0) {
        if (clears) number = 0;
        both.a = 1, both.b = 2;
    }
    words[threadIdx.x] = blockIdx.x + threadIdx.x;
    table[threadIdx.x / 8 % 4][threadIdx.x % 8] = 7;
    __syncthreads();
    add(1);
    __syncthreads();
    int n = number != 64 || both.a + both.b != 3 || sizeof words != 256 || sizeof table != 128;
    n += words[63 - threadIdx.x] != blockIdx.x + 63 - threadIdx.x || *words != blockIdx.x || plus(1, 2) != 3;
    int inside = mine::put(1); // another one
    n += inside != 1;
    n += table[threadIdx.x % 4][0] != 7;
    atomicAdd(wrong, n);
}

extern __shared__ int pool[];
__global__ void pooled(int *wrong)
{
    float *a = (float *)pool;
    double *b = reinterpret_cast<double *>(pool);
    a[threadIdx.x] = 0;
    __syncthreads();
    b[threadIdx.x] = 1;
    __syncthreads();
    int n = 0;
    for (char *c = (char *)&pool, *end = c + 8 * blockDim.x; c < end; c += 8) n += *(double *)c == 1;
    atomicAdd(wrong, n != (int)blockDim.x || a != (void *)&pool[0]);
}

// Dynamic shared memory that two headers declare.
extern __shared__ int dynamic[];
extern __shared__ int dynamic[];
__global__ void two_headers(int *wrong)
{
    dynamic[threadIdx.x] = 3;
    if (dynamic[threadIdx.x] != 3) atomicAdd(wrong, 1);
}

int main(int argc, char **)
{
    int *d, wrong = -1;
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    fill<<<2, 64>>>(d, argc == 1);
    pooled<<<1, 32, 256>>>(d);
    if (argc == 1) two_headers<<<1, 8, 8 * sizeof(int)>>>(d);
    cudaMemcpy(&wrong, d, sizeof wrong, cudaMemcpyDeviceToHost);
    printf("shared %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
