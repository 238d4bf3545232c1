// Functions of the runtime that a kernel may call: memory, copies, streams, tail launches.
#include <cstdio>

__global__ void note(int *log, int what) { log[1 + log[0]++] = what; }
__global__ void inner(int *log, int depth)
{
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 100 * depth + 9);
    if (depth < 2) inner<<<1, 1>>>(log, depth + 1);
    note<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 100 * depth + 1);
}
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
__global__ void copies(int *a, int *b)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    twice<<<1, 16, 0, s>>>(a);                                  /* the copy reads its result */
    cudaMemcpyAsync(b, a, 16 * sizeof(int), cudaMemcpyDeviceToDevice, s);
    cudaMemsetAsync(a, 0, 8 * sizeof(int), s);
    cudaStreamDestroy(s);
}
__global__ void memory(int *sum, int wrong)
{
    int *own = nullptr;
    if (cudaMalloc(&own, 4 * sizeof(int)) != cudaSuccess) return;
    for (int i = 0; i < 4; ++i) own[i] = threadIdx.x;
    atomicAdd(sum, own[3]);
    if (wrong == 1) own[4] = 0;
    cudaFree(own);
    if (wrong == 2) atomicAdd(sum, own[0]);
    if (wrong == 3) cudaFree(own);
    if (wrong == 4) cudaFree(sum);
}

int main(int argc, char **argv)
{
    const int wrong = argc > 1 ? atoi(argv[1]) : 0;
    int *a, *b, h[32] = {}, sum;
    cudaMalloc(&a, 32 * sizeof(int));
    cudaMalloc(&b, 16 * sizeof(int));
    cudaMemset(a, 0, 32 * sizeof(int));
    inner<<<1, 1>>>(a, 0);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("order");
    for (int i = 1; i <= h[0]; ++i) printf(" %d", h[i]);
    for (int i = 0; i < 16; ++i) h[i] = i;
    cudaMemcpy(a, h, 16 * sizeof(int), cudaMemcpyHostToDevice);
    copies<<<1, 1>>>(a, b);
    cudaMemcpy(h, b, 16 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(h + 16, a, 16 * sizeof(int), cudaMemcpyDeviceToHost);
    printf(", copies %d %d %d %d\n", h[1], h[15], h[16], h[31]);
    cudaMemset(a, 0, sizeof(int));
    memory<<<4, 64>>>(a, wrong);
    cudaMemcpy(&sum, a, sizeof sum, cudaMemcpyDeviceToHost);
    printf("memory %d %s\n", sum, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
