// cuda::ptx, and a block's barrier (mbarrier) that counts the bytes of copies.  1: no thread waits for the copy; 2: the
// copies have fewer bytes than the barrier expects.
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;
enum { N = 256 };

__global__ void copied(const int *from, int *to, int wrong)     // with the barrier of libcu++
{
    __shared__ alignas(128) int tile[N];
    __shared__ barrier bar;
    static_assert(sizeof bar == 8, "");
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, from + blockIdx.x * N, cuda::aligned_size_t<16>(sizeof tile / 2), bar);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + N / 2, from + blockIdx.x * N + N / 2,
                           sizeof tile / 2, cuda::device::barrier_native_handle(bar));
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile + (wrong == 2 ? 16 : 0));
    } else {
        token = bar.arrive();
    }
    if (wrong != 1) bar.wait(std::move(token));
    for (int i = threadIdx.x; i < N; i += blockDim.x) to[blockIdx.x * N + i] = tile[N - 1 - i] + 1;
}

__global__ void by_hand(const int *from, int *to)       // with PTX only
{
    __shared__ alignas(128) int tile[N];
    __shared__ uint64_t bar;
    if (ptx::get_sreg_tid_x() == 0) {
        ptx::mbarrier_init(&bar, ptx::get_sreg_ntid_x());
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (int round = 0; round < 3; ++round) {
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, tile, from, sizeof tile, &bar);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof tile);
        } else {
            ptx::mbarrier_arrive(&bar);
        }
        while (!ptx::mbarrier_try_wait_parity(&bar, round & 1)) { }
        tile[threadIdx.x] += round;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to + round * N, tile, sizeof tile);
            ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, to + 3 * N, tile, sizeof tile);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}

struct count_up {
    int *phases;
    __device__ void operator()() { ++*phases; }
};
__global__ void completed(int *phases)                  // the last to arrive calls a function
{
    __shared__ alignas(16) char place[sizeof(cuda::barrier<cuda::thread_scope_block, count_up>)];
    auto &bar = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block, count_up> *>(place);
    if (threadIdx.x == 0) init(&bar, blockDim.x, count_up{phases});
    __syncthreads();
    bar.arrive_and_wait();
    bar.arrive_and_wait();
}

int main(int argc, char **argv)
{
    const int wrong = argc > 1 ? atoi(argv[1]) : 0;
    static int h[4 * N], back[4 * N];
    int *d_x, *d_y, bad = 0, phases = -1;
    for (int i = 0; i < 4 * N; ++i) h[i] = i * 7;
    cudaMalloc(&d_x, sizeof h);
    cudaMalloc(&d_y, sizeof h);
    cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
    copied<<<4, 64>>>(d_x, d_y, wrong);
    cudaMemcpy(back, d_y, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4 * N; ++i) bad += back[i] != h[i / N * N + N - 1 - i % N] + 1;
    cudaMemset(d_y, 0, sizeof h);
    by_hand<<<1, 64>>>(d_x, d_y);
    cudaMemcpy(back, d_y, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4 * N; ++i) {
        const int k = i % N, r = i / N;
        bad += back[i] != (r < 3 ? h[k] + (k < 64 ? r : 0) : 3 * h[k] + (k < 64 ? 3 : 0));
    }
    cudaMemset(d_y, 0, 4);
    completed<<<1, 96>>>(d_y);
    cudaMemcpy(&phases, d_y, 4, cudaMemcpyDeviceToHost);
    printf("ptx %d %d %s\n", bad, phases, cudaGetErrorString(cudaGetLastError()));
}
