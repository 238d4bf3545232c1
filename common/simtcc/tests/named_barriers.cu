/* named_barriers.cu: half of a block produces, the other half consumes, synchronised by numbered barriers.
 * 1: the consumer does not wait; 2: it frees a buffer before it reads; 3: a count that is no multiple of 32;
 * 4: two different counts; 5: no thread arrives. */
#include <cstdio>
#include <cstdlib>

enum { HALF = 64, ROUNDS = 20 };

__device__ void sync(unsigned id) { asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(2 * HALF) : "memory"); }
__device__ void arrive(unsigned id) { asm volatile("barrier.cta.arrive.aligned %0, 128;" ::"r"(id) : "memory"); }

/* Barriers 1 and 2: a buffer is full; 3 and 4: it is empty. */
__global__ void pipeline(int *sum, int wrong)
{
    __shared__ int buffer[2][HALF];
    const int i = threadIdx.x % HALF;
    if (threadIdx.x < HALF) {
        for (int r = 0; r < ROUNDS; ++r) {
            if (wrong == 5) return;
            if (r >= 2) sync(3 + r % 2);
            buffer[r % 2][i] = r + i;
            arrive(1 + r % 2);
        }
    } else {
        int s = 0;
        for (int r = 0; r < ROUNDS; ++r) {
            if (wrong != 1) sync(1 + r % 2);
            if (r + 2 < ROUNDS && wrong == 2) arrive(3 + r % 2);
            s += buffer[r % 2][HALF - 1 - i];
            if (r + 2 < ROUNDS && wrong != 2) arrive(3 + r % 2);
        }
        sum[blockIdx.x * HALF + i] = s;
    }
}

/* The functions, and votes; 40 threads count as two warps. */
__global__ void meet(int *out, int count, int other)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __barrier_sync(0);
    const int left = s[(threadIdx.x + 39) % 40];
    __barrier_sync_count(2, 64);
    s[threadIdx.x] = left;
    __barrier_sync(1);
    int n, odd = threadIdx.x & 1;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; barrier.red.popc.u32 %0, 3, p; }" : "=r"(n) : "r"(odd));
    out[threadIdx.x] = s[(threadIdx.x + 1) % 40] + n;
    if (count) __barrier_sync_count(5, threadIdx.x < 32 ? count : other);
}

int main(int argc, char **argv)
{
    const int wrong = argc > 1 ? atoi(argv[1]) : 0;
    int *d, h[HALF], bad = 0;
    cudaMalloc(&d, 3 * sizeof h);
    pipeline<<<3, 2 * HALF>>>(d, wrong);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < HALF; ++i) bad += h[i] != ROUNDS * (ROUNDS - 1) / 2 + ROUNDS * (HALF - 1 - i);
    meet<<<1, 40>>>(d, wrong == 3 ? 48 : wrong == 4 ? 64 : 0, wrong == 3 ? 48 : 32);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 40; ++i) bad += h[i] != i + 20;
    printf("named %d %s\n", bad, cudaGetErrorString(cudaGetLastError()));
}
