/* features.cu - every function a kernel may call, each leaving a number that the C test knows. */
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "simt/tests/kernels.h"

namespace cg = cooperative_groups;
#define FULL 0xffffffffu

/* out[32 * k + lane] is what lane got from the k-th call. */
__global__ void warp_kernel(int *out)
{
    int lane = threadIdx.x, k = 0;
#define PUT(v) out[32 * k++ + lane] = (int)(v)
    PUT(__shfl_sync(FULL, lane * 10, 5));
    PUT(__shfl_sync(FULL, lane, lane + 1, 8));
    PUT(__shfl_up_sync(FULL, lane, 3));
    PUT(__shfl_down_sync(FULL, lane, 3, 16));
    PUT(__shfl_xor_sync(FULL, lane, 7));
    PUT(__shfl_xor_sync(FULL, lane, 8, 8));
    PUT(__shfl_down_sync(FULL, lane + 0.5, 1) * 2);
    PUT(__shfl_up_sync(FULL, (long long)lane << 32, 1) >> 32);
    PUT(__shfl_xor_sync(FULL, lane * 0.25f, 1) * 4);
    PUT(__ballot_sync(FULL, lane % 3 == 0));
    PUT(__any_sync(FULL, lane == 9) * 2 + __any_sync(FULL, lane == 99));
    PUT(__all_sync(FULL, lane < 32) * 2 + __all_sync(FULL, lane < 31));
    PUT(__match_any_sync(FULL, lane / 4));
    int same;
    PUT(__match_all_sync(FULL, lane / 32, &same));
    PUT(__match_all_sync(FULL, lane / 16, &same) + same);
    PUT(__reduce_add_sync(FULL, lane));
    PUT(__reduce_min_sync(FULL, lane - 7));
    PUT(__reduce_max_sync(FULL, (unsigned)lane * 3));
    PUT(__reduce_and_sync(FULL, (unsigned)lane | 64));
    PUT(__reduce_or_sync(FULL, 1u << lane % 8));
    PUT(__reduce_xor_sync(FULL, (unsigned)lane));
    int half = 0;
    if (lane < 16)
        half = __reduce_add_sync(0xffffu, 1) + __popc(__activemask());
    else
        half = -__popc(__ballot_sync(0xffff0000u, 1));
    PUT(half);
    PUT(__syncthreads_count(lane % 2));
    PUT(__syncthreads_or(lane == 3) * 2 + __syncthreads_and(lane == 3));
#undef PUT
}

__global__ void tile_kernel(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(block);
    auto pair = cg::tiled_partition<2>(tile);
    int i = block.thread_rank(), k = 0, n = block.size();
#define PUT(v) out[n * k++ + i] = (int)(v)
    PUT(tile.thread_rank() + 100 * tile.meta_group_rank());
    PUT(tile.shfl(i, 2));
    PUT(tile.shfl_down(i, 4));
    PUT(tile.shfl_xor(i, 1));
    PUT(tile.ballot(i % 8 < 3));
    PUT(tile.any(i == 17) + 2 * tile.all(i < 24));
    PUT(cg::reduce(tile, i, cg::plus<int>()));
    PUT(cg::reduce(warp, i * 7 % 32, cg::greater<int>()));
    PUT(cg::reduce(pair, i, cg::less<int>()));
    warp.sync();
    cg::sync(block);
#undef PUT
}

__device__ int table_sum;
__constant__ int weights[4] = {1, 2, 3, 4};

/* One value from each; threads of several blocks. */
__global__ void atomic_kernel(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], tid);
    atomicSub(&i[1], 1);
    atomicMin(&i[2], -tid);
    atomicMax(&i[3], tid);
    atomicOr(&i[4], 1 << tid % 8);
    atomicAnd(&i[5], ~(1 << tid % 8));
    atomicXor(&i[6], 1);
    atomicAdd(&table_sum, weights[tid % 4]);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicMax(&u[2], 0x80000000u + tid);
    for (unsigned old = u[3], seen;; old = seen) {      /* an increment by hand */
        seen = atomicCAS(&u[3], old, old + 1);
        if (seen == old)
            break;
    }
    atomicAdd(&l[0], 1ull << 33);
    atomicMax(&l[1], (unsigned long long)tid << 40);
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
    if (tid == 0)
        atomicExch(&f[1], 7.0f);
}

extern __shared__ int outside[];

__global__ void shared_kernel(int *out)
{
    extern __shared__ __align__(16) unsigned char raw[];
    __shared__ int one, two[2][3];
    __shared__ volatile float three[2];
    int tid = threadIdx.x;
    int *words = reinterpret_cast<int *>(raw);
    words[tid] = tid;
    if (tid == 0) {
        one = 1;
        for (int i = 0; i < 6; ++i)
            two[i / 3][i % 3] = i;
        three[1] = 3.0f;
    }
    __syncthreads();
    out[tid] = outside[63 - tid] + one + two[1][2] + (int)three[1] + (int)(sizeof two / sizeof two[0][0]);
}

__global__ void vector_kernel(float *out, const float4 *in, double2 *d, char4 *c)
{
    float4 v = __ldg(in), w = __ldcs(in + 1);
    v.x += w.w;
    __stcs(reinterpret_cast<float4 *>(out), v);
    __stcg(d, make_double2(v.y, v.z));
    *c = make_char4(1, 2, 3, 4);
}

__global__ void half_kernel(float *out, const __half *h, const __nv_bfloat16 *b, __half *h_out)
{
    out[0] = __half2float(h[0]) + __bfloat162float(b[0]);
    h_out[0] = __float2half(out[0]);
    out[1] = __half2float(h_out[0]);
}

__global__ void integer_kernel(int *out)
{
    out[0] = __popc(0xf0f0u);
    out[1] = __clz(1);
    out[2] = __ffs(8);
    out[3] = (int)(__brev(1u) >> 31);
    out[4] = __popcll(~0ull);
    out[5] = __clzll(1) + __ffsll(1ll << 40);
    out[6] = min(3, 4) + max(3u, 4u) + (int)min(1.5f, 2.5f) + (int)max(1.0, 2.0);
    out[7] = (int)(rsqrtf(0.25f) + fmaf(2.0f, 3.0f, 1.0f));
    out[8] = __float_as_int(1.0f);
    out[9] = (int)__funnelshift_r(0x12345678u, 0x9abcdef0u, 16);
    out[10] = (int)__byte_perm(0x33221100u, 0x77665544u, 0x7450);
}

__global__ void index_kernel(int *out)
{
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = block * 1000 + thread;
}

extern "C" {
void run_warp(int *out) { warp_kernel<<<1, 32>>>(out); }
void run_tiles(int *out) { tile_kernel<<<1, 64>>>(out); }
int run_atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int zero = 0, sum;
    cudaMemcpyToSymbol(table_sum, &zero, sizeof zero);
    atomic_kernel<<<8, 64>>>(i, u, l, f, d);
    cudaMemcpyFromSymbol(&sum, table_sum, sizeof sum);
    return sum;
}
void run_shared_once(int *out) { shared_kernel<<<1, 64, 64 * sizeof(int)>>>(out); }
void run_vectors(float *out, const float4 *in, double2 *d, char4 *c) { vector_kernel<<<1, 1>>>(out, in, d, c); }
void run_halves(float *out, const void *h, const void *b, void *h_out)
{ half_kernel<<<1, 1>>>(out, (const __half *)h, (const __nv_bfloat16 *)b, (__half *)h_out); }
void run_integers(int *out) { integer_kernel<<<1, 1>>>(out); }
void run_indices(int *out) { index_kernel<<<dim3(2, 3, 2), dim3(4, 2, 3)>>>(out); }
cudaError_t run_large_shared(int *out, int bytes, int opt_in)
{
    if (opt_in)
        cudaFuncSetAttribute(shared_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    shared_kernel<<<1, 64, bytes>>>(out);
    return cudaGetLastError();
}
}
