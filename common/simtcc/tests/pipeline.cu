// cuda::pipeline of a thread and of a block, two stages ahead.  With an argument no thread waits.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>
__global__ void sums(const int *in, int *out, int n, bool waits)
{
    __shared__ int tile[2][64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int sum = 0;
    for (int at = 0, copied = 0; at < n; ++at) {
        for (; copied < n && copied < at + 2; ++copied) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[copied % 2][threadIdx.x], &in[copied * 64 + threadIdx.x], sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (waits) pipe.consumer_wait();
        sum += tile[at % 2][threadIdx.x]; // its own element needs no barrier
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
__global__ void turned(const int *in, int *out, int n)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    __shared__ int tile[64];
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int i = 0; i < n; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, tile, in + 64 * i, cuda::aligned_size_t<4>(sizeof tile), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        out[64 * i + threadIdx.x] = tile[63 - threadIdx.x];
        pipe.consumer_release();
    }
}
// Warp 0 copies, two stages ahead; the others add.  missing: no thread commits a full stage.
__global__ void roles(const int *in, int *out, int n, bool missing)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int tile[2][32];
    auto block = cooperative_groups::this_thread_block();
    const bool copies = threadIdx.x < 32;
    const auto role = copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        if (copies) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[i % 2][threadIdx.x], &in[i * 32 + threadIdx.x], sizeof(int), pipe);
            if (!missing) pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += tile[i % 2][(threadIdx.x + i) % 32];
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}
int main(int argc, char **argv)
{
    const int n = 10;
    int *in, *out, h[64 * n], wrong = 0;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    for (int i = 0; i < 64 * n; ++i) h[i] = i;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(in, out, n, argc == 1 || argv[1][0] != 'e');
    cudaMemcpy(h, out, 64 * sizeof *h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; ++t) wrong += h[t] != n * t + 64 * n * (n - 1) / 2;
    turned<<<1, 64>>>(in, out, n);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64 * n; ++i) wrong += h[i] != i / 64 * 64 + 63 - i % 64;
    for (int i = 0; i < 64 * n; ++i) h[i] = i / 32;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    roles<<<1, 96>>>(in, out, 2 * n, argc > 1 && argv[1][0] == 'm');
    cudaMemcpy(h, out, 96 * sizeof *h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 96; ++t) wrong += h[t] != (t < 32 ? 0 : n * (2 * n - 1));
    printf("pipeline %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
