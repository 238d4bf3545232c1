// Measures the cost of a thread in ns of processor time, the minimum of five launches; prints rows of a results file.
// SIMT_WORKERS=8 speed "8 workers": ns of wall time, with this name of the case.
#include <cstdio>
#include <ctime>
#include <cuda_runtime.h>

enum { THREADS = 1 << 20, BLOCK = 256, SIDE = 256, TILE = 16 };

__global__ void empty() {}

__global__ void vector_sum(const float *a, const float *b, float *c)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < THREADS) c[i] = a[i] + b[i];
}

__global__ void reduction(const float *a, float *sums)
{
    __shared__ float part[BLOCK];
    const int t = threadIdx.x;
    part[t] = a[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void shuffles(const float *a, float *sums)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    float v = a[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (i % 32 == 0) sums[i / 32] = v;
}

__global__ void plain_product(const float *A, const float *B, float *C)
{
    const int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < SIDE; ++k) sum += A[row * SIDE + k] * B[k * SIDE + col];
    C[row * SIDE + col] = sum;
}

__global__ void tiled_product(const float *A, const float *B, float *C)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    for (int first = 0; first < SIDE; first += TILE) {
        a[y][x] = A[row * SIDE + first + x];
        b[y][x] = B[(first + y) * SIDE + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += a[y][k] * b[k][x];
        __syncthreads();
    }
    C[row * SIDE + col] = sum;
}

static clockid_t clock_used = CLOCK_PROCESS_CPUTIME_ID;
static const char *case_name = "thread";

static double now()
{
    timespec t;
    clock_gettime(clock_used, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

template <class F> static void time_of(const char *name, double threads, F launch)
{
    double least = 1e300;
    for (int i = 0; i < 6; ++i) { // the first launch allocates the memory
        const double begin = now();
        launch();
        cudaDeviceSynchronize();
        if (i > 0 && now() - begin < least) least = now() - begin;
    }
    printf("%s\t%s\tfp32\t%.1f\n", name, case_name, least / threads);
}

extern "C" void simt_set_every_launch(int on);

int main(int argc, char **argv)
{
    if (argc > 1) clock_used = CLOCK_MONOTONIC, case_name = argv[1];
    float *a, *b, *c;
    simt_set_every_launch(1);
    for (float **p : {&a, &b, &c}) {
        cudaMalloc(p, THREADS * sizeof(float));
        cudaMemset(*p, 0, THREADS * sizeof(float));
    }
    const dim3 grid(SIDE / TILE, SIDE / TILE), block(TILE, TILE);
    printf("step\tcase\tdtype\tns\n");
    time_of("empty", THREADS, [] { empty<<<THREADS / BLOCK, BLOCK>>>(); });
    time_of("vector_sum", THREADS, [=] { vector_sum<<<THREADS / BLOCK, BLOCK>>>(a, b, c); });
    time_of("reduction", THREADS, [=] { reduction<<<THREADS / BLOCK, BLOCK>>>(a, c); });
    time_of("shuffles", THREADS, [=] { shuffles<<<THREADS / BLOCK, BLOCK>>>(a, c); });
    time_of("plain_product", SIDE * SIDE, [=] { plain_product<<<grid, block>>>(a, b, c); });
    time_of("tiled_product", SIDE * SIDE, [=] { tiled_product<<<grid, block>>>(a, b, c); });
    return cudaGetLastError() != cudaSuccess;
}
