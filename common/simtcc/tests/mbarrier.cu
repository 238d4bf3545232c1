// Asynchronous copies, and barriers with separate arrive and wait: functions of cuda_pipeline.h and cuda_awbarrier.h,
// and the same in PTX with bulk copies.  With an argument no thread waits for the bulk copy.
#include <cstdint>
#include <cstdio>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>
enum { N = 64, TILES = 5 };

__global__ void staged(const int *in, int *out)         // copies one tile ahead, with functions
{
    __shared__ int tile[2][N];
    int sum = 0;
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(int));
    __pipeline_commit();
    for (int t = 0; t < TILES; ++t) {
        if (t + 1 < TILES)
            __pipeline_memcpy_async(&tile[(t + 1) % 2][threadIdx.x], &in[(t + 1) * N + threadIdx.x], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[t % 2][N - 1 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void halves(int *out)        // warp 0 writes, warp 1 reads: each waits for the other
{
    __shared__ __mbarrier_t full, empty;
    __shared__ int tile[32];
    if (threadIdx.x == 0) {
        __mbarrier_init(&full, 32);
        __mbarrier_init(&empty, 32);
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    int sum = 0;
    for (int t = 0; t < TILES; ++t) {
        if (threadIdx.x < 32) {
            while (t > 0 && !__mbarrier_test_wait_parity(&empty, (t - 1) & 1)) { }
            tile[lane] = t * 32 + lane;
            __mbarrier_arrive(&full);
        } else {
            while (!__mbarrier_try_wait_parity(&full, t & 1, 100)) { }
            sum += tile[31 - lane];
            const __mbarrier_token_t mine = __mbarrier_arrive(&empty);
            if (t == TILES - 1)
                while (!__mbarrier_test_wait(&empty, mine)) { }
        }
    }
    out[threadIdx.x] = sum;
}

__device__ void wait(uint32_t barrier, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred over;\n"
                 "AGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
                 "@over bra.uni DONE;\n"
                 "bra.uni AGAIN;\n"
                 "DONE:\n"
                 "}" :: "r"(barrier), "r"(parity));
}
__global__ void bulk(const int *in, int *out, bool waits)       // one thread copies, all wait for the bytes
{
    __shared__ alignas(16) int tile[N];
    __shared__ alignas(8) uint64_t barrier;
    const uint32_t b = (uint32_t)__cvta_generic_to_shared(&barrier), t = (uint32_t)__cvta_generic_to_shared(tile);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(b), "r"(1));
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    for (int k = 0; k < TILES; ++k) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(b), "r"(N * 4) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         :: "r"(t), "l"(in + k * N), "r"(N * 4), "r"(b) : "memory");
        }
        if (waits) wait(b, k & 1);
        const int own = tile[N - 1 - threadIdx.x];
        __syncthreads();
        tile[threadIdx.x] = -own;
        asm volatile("fence.proxy.async.shared::cta;");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                         :: "l"(out + k * N), "r"(t), "r"(N * 4) : "memory");
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group.read 0;");
        }
        __syncthreads();
    }
}

__global__ void sum(int *out)           // lanes 0 to 7
{
    int all = 0;
    if (threadIdx.x < 8) asm volatile("redux.sync.add.s32 %0, %1, 0xff;" : "=r"(all) : "r"(threadIdx.x + 1));
    if (threadIdx.x == 7) *out = all;
}

int main(int argc, char **)
{
    int h[TILES * N], *in, *out, wrong[3] = {};
    for (int i = 0; i < TILES * N; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    staged<<<1, N>>>(in, out);
    cudaMemcpy(h, out, N * sizeof *h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i) wrong[0] += h[i] != TILES * (N - 1 - i) + N * TILES * (TILES - 1) / 2;
    halves<<<1, N>>>(out);
    cudaMemcpy(h, out, N * sizeof *h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) wrong[1] += h[i] != 0 || h[32 + i] != TILES * (31 - i) + 32 * TILES * (TILES - 1) / 2;
    bulk<<<1, N>>>(in, out, argc == 1);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < TILES * N; ++i) wrong[2] += h[i] != -(i / N * N + N - 1 - i % N);
    sum<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof *h, cudaMemcpyDeviceToHost);
    printf("mbarrier %d %d %d %d %s\n", wrong[0], wrong[1], wrong[2], h[0], cudaGetErrorString(cudaGetLastError()));
}
