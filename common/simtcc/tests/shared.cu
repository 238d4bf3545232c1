// __shared__ at file scope: arrays, a table, a number, a struct, dynamic memory as other types; namespaces; two blocks;
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

// Static variables of device functions, shared by all threads and launches.
__device__ int next() { static int n = 10; return atomicAdd(&n, 1); }
template <class T> __device__ T more() { static __device__ T n = 1; return atomicAdd(&n, T(1)); }
__global__ void keeps(int *to)
{
    static int met = 0, counts[] = {1, 2, 3};
    to[threadIdx.x] = next();
    atomicAdd(&met, 1);
    atomicAdd(&counts[1], more<int>());
    __syncthreads();
    to[4] = 100 * met + counts[1];
}

template <int N> __global__ void sized(char *to)
{
    __shared__ char a[N];
    __shared__ double b;
    extern __shared__ char more[];
    a[0] = 1, b = 2, more[0] = 3;
    *to = a[0] + (char)b + more[0];
}

// The kernel's static shared memory counts in addition to the dynamic one of the launch.
static bool sizes()
{
    cudaFuncAttributes a;
    int most;
    char *to;
    cudaMalloc(&to, 1);
    cudaFuncGetAttributes(&a, sized<20001>);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    const int left = most - (int)a.sharedSizeBytes;
    cudaFuncSetAttribute(sized<20001>, cudaFuncAttributeMaxDynamicSharedMemorySize, left);
    sized<20001><<<1, 1, left>>>(to);
    return a.sharedSizeBytes == 20016 && cudaDeviceSynchronize() == cudaSuccess;
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
    int kept[5] = {}, *k, sum = 0;
    cudaMalloc(&k, sizeof kept);
    for (int i = 0; argc == 1 && i < 2; ++i) {
        keeps<<<1, 4>>>(k);
        cudaMemcpy(kept, k, sizeof kept, cudaMemcpyDeviceToHost);
        for (int n = 0; n < 4; ++n) sum += kept[n];
    }
    if (argc == 1) wrong += sum != 108 || kept[4] != 838 || !sizes(); // 10 to 17; 8 threads, and 2 + 1 + ... + 8
    printf("shared %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
