/* ladder.cu - kernels as the course has them: reductions, SpMV, protocols between blocks. */
#include <cuda_runtime.h>
#include "simt/tests/kernels.h"

enum { BLOCK = 256 };
#define FULL 0xffffffffu

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(FULL, v, d);
    return v;
}

__device__ float block_sum(float v)
{
    __shared__ float s[BLOCK / 32];
    int tid = threadIdx.x;
    v = warp_sum(v);
    if (tid % 32 == 0)
        s[tid / 32] = v;
    __syncthreads();
    if (tid < 32) {
        v = tid < BLOCK / 32 ? s[tid] : 0.0f;
        v = warp_sum(v);
    }
    return v;
}

/* 1 modulo, 2 strided, 3 sequential: M. Harris's first three. */
template <int STEP> __global__ void shared_sum_kernel(const float *in, float *out, int n)
{
    __shared__ float s[BLOCK];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (STEP == 1)
        for (int d = 1; d < BLOCK; d *= 2) {
            if (tid % (2 * d) == 0)
                s[tid] += s[tid + d];
            __syncthreads();
        }
    else if (STEP == 2)
        for (int d = 1; d < BLOCK; d *= 2) {
            int k = 2 * d * tid;
            if (k < BLOCK)
                s[k] += s[k + d];
            __syncthreads();
        }
    else
        for (int d = BLOCK / 2; d > 0; d /= 2) {
            if (tid < d)
                s[tid] += s[tid + d];
            __syncthreads();
        }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}

__global__ void shuffle_sum_kernel(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = block_sum(i < n ? in[i] : 0.0f);
    if (threadIdx.x == 0)
        out[blockIdx.x] = v;
}

__global__ void float4_sum_kernel(const float *in, float *out, int n)
{
    float v = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k < n / 4; k += gridDim.x * blockDim.x) {
        float4 a = ((const float4 *)in)[k];
        v += a.x + a.y + a.z + a.w;
    }
    if (i < n % 4)
        v += in[n - n % 4 + i];
    v = block_sum(v);
    if (threadIdx.x == 0)
        out[blockIdx.x] = v;
}

__device__ unsigned blocks_done;

__global__ void single_pass_kernel(const float *in, float *partial, float *out, int n)
{
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    v = block_sum(v);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        v = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0.0f;
        v = block_sum(v);
        if (threadIdx.x == 0) {
            *out = v;
            blocks_done = 0;
        }
    }
}

/* Sums partial results until one is left. */
template <class Kernel> static cudaError_t until_one(Kernel kernel, const float *in, float *out, int n)
{
    float *a, *b;
    int blocks = (n + BLOCK - 1) / BLOCK;
    cudaMalloc(&a, (blocks + 1) * sizeof(float));
    cudaMalloc(&b, (blocks + 1) * sizeof(float));
    const float *from = in;
    for (;;) {
        kernel<<<blocks, BLOCK>>>(from, a, n);
        if (blocks == 1)
            break;
        from = a;
        float *swap = a;
        a = b;
        b = swap;
        n = blocks;
        blocks = (n + BLOCK - 1) / BLOCK;
    }
    cudaMemcpy(out, a, sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(a);
    cudaFree(b);
    return cudaGetLastError();
}

extern "C" cudaError_t reduce_step(int step, const float *in, float *out, int n)
{
    if (n == 0)
        return cudaMemset(out, 0, sizeof(float));
    switch (step) {
    case 1: return until_one(shared_sum_kernel<1>, in, out, n);
    case 2: return until_one(shared_sum_kernel<2>, in, out, n);
    case 3: return until_one(shared_sum_kernel<3>, in, out, n);
    case 4: return until_one(shuffle_sum_kernel, in, out, n);
    case 5: return until_one(float4_sum_kernel, in, out, n);
    }
    const int blocks = 48;
    float *partial;
    cudaMalloc(&partial, blocks * sizeof(float));
    single_pass_kernel<<<blocks, BLOCK>>>(in, partial, out, n);
    cudaFree(partial);
    return cudaGetLastError();
}

/* ---- SpMV ---- */

__global__ void csr_scalar_kernel(const int *offsets, const int *columns, const float *values, const float *x, float *y,
                                  int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    int end = offsets[row + 1];
    #pragma unroll 1
    for (int k = offsets[row]; k < end; ++k)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

template <int LANES>
__device__ float row_sum(const int *offsets, const int *columns, const float *values, const float *x, int row, int rows)
{
    int lane = threadIdx.x % LANES;
    float sum = 0;
    if (row < rows) {
        int end = offsets[row + 1];
        #pragma unroll 1
        for (int k = offsets[row] + lane; k < end; k += LANES)
            sum += values[k] * x[columns[k]];
    }
    for (int d = LANES / 2; d > 0; d /= 2)
        sum += __shfl_down_sync(FULL, sum, d, LANES);
    return sum;
}

template <int LANES>
__global__ void csr_vector_kernel(const int *offsets, const int *columns, const float *values, const float *x, float *y,
                                  int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    float sum = row_sum<LANES>(offsets, columns, values, x, row, rows);
    if (row < rows && threadIdx.x % LANES == 0)
        y[row] = sum;
}

/* Rows handed out by a counter, a warp's worth (8 lanes per row) at a time. */
__global__ void csr_persistent_kernel(const int *offsets, const int *columns, const float *values, const float *x,
                                      float *y, int rows, int *counter)
{
    int lane = threadIdx.x % 32;
    for (;;) {
        int row = 0;
        if (lane == 0)
            row = atomicAdd(counter, 4);
        row = __shfl_sync(FULL, row, 0) + lane / 8;
        if (row - lane / 8 >= rows)
            return;
        float sum = row_sum<8>(offsets, columns, values, x, row, rows);
        if (row < rows && lane % 8 == 0)
            y[row] = sum;
    }
}

extern "C" cudaError_t csr_scalar(const int *offsets, const int *columns, const float *values, const float *x, float *y,
                                  int rows)
{
    csr_scalar_kernel<<<(rows + BLOCK - 1) / BLOCK, BLOCK>>>(offsets, columns, values, x, y, rows);
    return cudaGetLastError();
}

extern "C" cudaError_t csr_vector(int lanes, const int *offsets, const int *columns, const float *values,
                                  const float *x, float *y, int rows)
{
    int blocks = (rows * lanes + BLOCK - 1) / BLOCK;
    switch (lanes) {
    case 2: csr_vector_kernel<2><<<blocks, BLOCK>>>(offsets, columns, values, x, y, rows); break;
    case 4: csr_vector_kernel<4><<<blocks, BLOCK>>>(offsets, columns, values, x, y, rows); break;
    case 8: csr_vector_kernel<8><<<blocks, BLOCK>>>(offsets, columns, values, x, y, rows); break;
    case 16: csr_vector_kernel<16><<<blocks, BLOCK>>>(offsets, columns, values, x, y, rows); break;
    default: csr_vector_kernel<32><<<blocks, BLOCK>>>(offsets, columns, values, x, y, rows); break;
    }
    return cudaGetLastError();
}

extern "C" cudaError_t csr_persistent(const int *offsets, const int *columns, const float *values, const float *x,
                                      float *y, int rows, int *counter)
{
    cudaMemset(counter, 0, sizeof *counter);
    csr_persistent_kernel<<<8, BLOCK>>>(offsets, columns, values, x, y, rows, counter);
    return cudaGetLastError();
}

/* ---- blocks that wait for blocks ---- */

enum { EMPTY, AGGREGATE, PREFIX };

/* Inclusive scan in one pass; each block looks back at what the blocks before it have published.
   Blocks are numbered by a counter if there is one, else by blockIdx. */
__global__ void look_back_kernel(const int *in, int *out, int n, int *flags, int *sums, int *counter)
{
    __shared__ int s[BLOCK], tile, before;
    int tid = threadIdx.x;
    if (tid == 0)
        tile = counter ? atomicAdd(counter, 1) : blockIdx.x;
    __syncthreads();
    int i = tile * BLOCK + tid;
    s[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int v = tid >= d ? s[tid - d] : 0;
        __syncthreads();
        s[tid] += v;
        __syncthreads();
    }
    volatile int *flag = flags;
    if (tid == 0) {
        int own = s[BLOCK - 1], sum = 0;
        sums[2 * tile] = own;
        __threadfence();
        flag[tile] = AGGREGATE;
        for (int t = tile - 1; t >= 0; --t) {
            int f;
            while ((f = flag[t]) == EMPTY)
                ;
            __threadfence();
            sum += sums[2 * t + (f == PREFIX)];
            if (f == PREFIX)
                break;
        }
        sums[2 * tile + 1] = sum + own;
        __threadfence();
        flag[tile] = PREFIX;
        before = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = s[tid] + before;
}

extern "C" cudaError_t scan_look_back(const int *in, int *out, int n, int *flags, int *sums, int *counter)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    cudaMemset(flags, 0, blocks * sizeof *flags);
    if (counter)
        cudaMemset(counter, 0, sizeof *counter);
    look_back_kernel<<<blocks, BLOCK>>>(in, out, n, flags, sums, counter);
    return cudaGetLastError();
}

/* All blocks must be under way at once: each round every block needs its neighbour's last value. */
__global__ void grid_barrier_kernel(int *data, int *counter, int rounds)
{
    int b = blockIdx.x, n = gridDim.x;
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x == 0) {
            int neighbour = data[r % 2 * n + (b + 1) % n];
            data[(r + 1) % 2 * n + b] = neighbour + 1;
            __threadfence();
            atomicAdd(counter, 1);
            while (*(volatile int *)counter < (r + 1) * n)
                ;
        }
        __syncthreads();
    }
}

extern "C" cudaError_t grid_barrier(int *data, int *counter, int blocks, int rounds)
{
    cudaMemset(data, 0, 2 * blocks * sizeof *data);
    cudaMemset(counter, 0, sizeof *counter);
    grid_barrier_kernel<<<blocks, 64>>>(data, counter, rounds);
    return cudaGetLastError();
}
