// An index beyond an array, or from one buffer into another.  Cases from 1 on are wrong, from 21 on right.
#include <cstdio>
#include <cstdlib>
__device__ int table[8], beside[8];
__device__ float grid[4][6];
struct pair { int id, values[5]; };
__device__ pair pairs[3];

__global__ void local(int *to, int n)
{
    int a[4], b[4];
    for (int i = 0; i < n; ++i) a[i] = i;
    for (int i = 0; i < 4; ++i) b[i] = a[i] + 1;
    to[threadIdx.x] = b[n - 2];
}
__global__ void of_gpu(int *to, int n) { to[threadIdx.x] = table[n] + beside[0]; }
__global__ void rows(int *to, int n)
{
    grid[1][n] = 2.0f;
    to[threadIdx.x] = 1;
}
__global__ void member(int *to, int n) { to[threadIdx.x] = pairs[1].values[n]; }
__global__ void negative(int *to, int n)
{
    int a[4] = {1, 2, 3, 4};
    to[threadIdx.x] = a[3 - n];
}
__global__ void shared(int *to, int n)
{
    __shared__ int tile[4][5];
    tile[threadIdx.x % 4][n] = 1;
    __syncthreads();
    to[threadIdx.x] = tile[0][n];
}
__global__ void far(float *to, const float *from, int n, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i * stride];
}
__global__ void by_pointer(int *to, int *p, int n) { to[threadIdx.x] = p[n]; }

int main(int, char **argv)
{
    const int number = atoi(argv[1]) % 20, right = atoi(argv[1]) > 20, n = 100000;
    int *to, *address;
    float *x, *y, *z;
    cudaMalloc(&to, 64 * sizeof(int));
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMalloc(&z, 4 * n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemset(y, 0, n * sizeof(float));
    cudaMemset(z, 0, 4 * n * sizeof(float));
    cudaGetSymbolAddress((void **)&address, table);
    switch (number) {
    case 1: local<<<1, 32>>>(to, 5 - right); break;
    case 2: of_gpu<<<1, 32>>>(to, 8 - right); break;
    case 3: rows<<<1, 1>>>(to, 6 - right); break;
    case 4: member<<<1, 32>>>(to, 5 - right); break;
    case 5: negative<<<1, 32>>>(to, 4 - right); break;
    case 6: shared<<<1, 4>>>(to, right ? 3 : 5); break;
    case 7: far<<<(n + 255) / 256, 256>>>(y, x, n, 2 - right); break; // x[2 n - 2] must not lie in y or z
    case 8: by_pointer<<<1, 32>>>(to, address, 8 - right); break;
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
