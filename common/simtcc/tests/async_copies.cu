// Kernels that do not wait for copies to shared memory.  Argument: which kernel forgets to wait, 1 to 6; 0: none.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
enum { N = 64, TILES = 4 };

__global__ void functions(const int *in, int *out, bool forgets)
{
    __shared__ int tile[N];
    for (int t = 0; t < TILES; ++t) {
        __pipeline_memcpy_async(&tile[threadIdx.x], &in[t * N + threadIdx.x], sizeof(int));
        __pipeline_commit();
        if (!forgets) __pipeline_wait_prior(0);
        __syncthreads();
        out[t * N + threadIdx.x] = tile[N - 1 - threadIdx.x];
        __syncthreads();
    }
}
__global__ void ptx(const int *in, int *out, bool forgets) // copies one tile ahead; `forgets` waits for one too few
{
    __shared__ int tile[2][N];
    for (int t = 0; t <= TILES; ++t) {
        if (t < TILES) {
            const uint32_t to = (uint32_t)__cvta_generic_to_shared(&tile[t % 2][threadIdx.x]);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t * N + threadIdx.x));
        }
        asm volatile("cp.async.commit_group;");
        if (t == 0) continue;
        if (forgets) asm volatile("cp.async.wait_group 2;");
        else asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        out[(t - 1) * N + threadIdx.x] = tile[(t - 1) % 2][N - 1 - threadIdx.x];
        __syncthreads();
    }
}
__global__ void group(const int *in, int *out, bool forgets)
{
    __shared__ int tile[N];
    const auto block = cg::this_thread_block();
    for (int t = 0; t < TILES; ++t) {
        cg::memcpy_async(block, tile, in + t * N, sizeof tile);
        if (forgets) block.sync();
        else cg::wait(block);
        out[t * N + threadIdx.x] = tile[N - 1 - threadIdx.x];
        block.sync();
    }
}
__global__ void barriers(const int *in, int *out, bool forgets)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> there;
    __shared__ int tile[N];
    const auto block = cg::this_thread_block();
    if (threadIdx.x == 0) init(&there, N);
    block.sync();
    for (int t = 0; t < TILES; ++t) {
        cuda::memcpy_async(block, tile, in + t * N, sizeof tile, there);
        if (forgets) block.sync();
        else there.arrive_and_wait();
        out[t * N + threadIdx.x] = tile[N - 1 - threadIdx.x];
        block.sync();
    }
}
__global__ void pipelined(const int *in, int *out, bool forgets) // `forgets` does not wait for the second tile
{
    __shared__ int tile[N];
    auto pipe = cuda::make_pipeline();
    for (int t = 0; t < TILES; ++t) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[threadIdx.x], &in[t * N + threadIdx.x], sizeof(int), pipe);
        pipe.producer_commit();
        if (!forgets || t == 0) pipe.consumer_wait();
        out[t * N + N - 1 - threadIdx.x] = tile[threadIdx.x];
        pipe.consumer_release();
    }
}
__global__ void written(const int *in, int *out, bool forgets) // `forgets` writes shared memory while it is copied to
{
    __shared__ int tile[N];
    for (int t = 0; t < TILES; ++t) {
        __pipeline_memcpy_async(&tile[threadIdx.x], &in[t * N + threadIdx.x], sizeof(int));
        __pipeline_commit();
        if (!forgets) __pipeline_wait_prior(0);
        tile[threadIdx.x] = -tile[threadIdx.x];
        __syncthreads();
        out[t * N + threadIdx.x] = -tile[N - 1 - threadIdx.x];
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    const int forgotten = argc > 1 ? atoi(argv[1]) : 0;
    int h[TILES * N], *in, *out, number = 0, wrong = 0;
    for (int i = 0; i < TILES * N; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    for (auto kernel : {functions, ptx, group, barriers, pipelined, written}) {
        kernel<<<1, N>>>(in, out, ++number == forgotten);
        cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
        for (int i = 0; i < TILES * N && number != forgotten; ++i) wrong += h[i] != i / N * N + N - 1 - i % N;
    }
    printf("copies %d %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
