// libcu++: atomics, references, barriers, cuda::std.  With an argument a flag is set without release.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

__device__ cuda::atomic<int, cuda::thread_scope_device> flag, total;
__device__ int data;

__global__ void hand_over(int *to, cuda::memory_order order)
{
    if (blockIdx.x == 0) {
        data = 42;
        flag.store(1, order);
    } else {
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        *to = data;
    }
    total.fetch_add(2, cuda::memory_order_relaxed);
}
__global__ void largest(const int *x, int *to, float *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> most(*to);
    most.fetch_max(x[threadIdx.x]);
    cuda::atomic_ref<float, cuda::thread_scope_device> all(*sum);
    all.fetch_add(0.5f);
}
__global__ void turns(const int *from, int *to)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int tile[64];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, from, sizeof tile, bar);
    bar.arrive_and_wait();
    const int v = tile[63 - threadIdx.x];
    auto token = bar.arrive();
    bar.wait(std::move(token));
    tile[threadIdx.x] = v + 1;
    bar.arrive_and_wait();
    cuda::std::array<int, 2> pair = {tile[(threadIdx.x + 1) % 64], 1};
    auto both = cuda::std::make_tuple(pair[0], pair[1]);
    static_assert(cuda::std::is_same<decltype(pair[0] + 1), int>::value, "");
    static_assert(cuda::std::identity()(4) == 4, "");
    to[threadIdx.x] = cuda::std::get<0>(both) + cuda::std::get<1>(both);
}

int main(int argc, char **)
{
    int h[64], *d_x, *d_y, back[64], most = -1;
    float *d_sum, sum = -1;
    for (int i = 0; i < 64; ++i) h[i] = i * 37 % 64;
    cudaMalloc(&d_x, sizeof h);
    cudaMalloc(&d_y, sizeof h);
    cudaMalloc(&d_sum, 4);
    cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(d_y, 0, sizeof h);
    cudaMemset(d_sum, 0, 4);
    largest<<<1, 64>>>(d_x, d_y, d_sum);
    cudaMemcpy(&most, d_y, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, d_sum, 4, cudaMemcpyDeviceToHost);
    printf("largest %d %g\n", most, sum);
    turns<<<1, 64>>>(d_x, d_y);
    cudaMemcpy(back, d_y, sizeof back, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += back[i] != h[63 - (i + 1) % 64] + 2;
    printf("turns %d\n", wrong);
    hand_over<<<2, 1>>>(d_y, argc > 1 ? cuda::memory_order_relaxed : cuda::memory_order_release);
    cudaMemcpy(&most, d_y, 4, cudaMemcpyDeviceToHost);
    cuda::std::atomic<int> here{3};
    here += 4;
    int counted = 0;
    cudaMemcpyFromSymbol(&counted, total, 4);
    printf("handed over %d, %d, %d: %s\n", most, here.load(), counted, cudaGetErrorString(cudaGetLastError()));
}
