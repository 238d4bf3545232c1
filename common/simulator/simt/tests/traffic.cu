/* traffic.cu - kernels whose memory traffic can be worked out by hand. */
#include <cuda_runtime.h>
#include "simt/tests/kernels.h"

enum { BLOCK = 256 };
static int grid(int n) { return (n + BLOCK - 1) / BLOCK; }

__global__ void strided_kernel(const float *in, float *out, int n, int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * stride + offset];
}

__global__ void call_kernel(void (*f)(void)) { f(); }

template <class T> __global__ void copy_kernel(const T *in, T *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

struct three { float x, y, z; };

__global__ void broadcast_kernel(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[blockIdx.x];
}

__global__ void gather_kernel(const float *in, const int *index, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __ldg(&in[__ldg(&index[i])]);
}

__global__ void branches_kernel(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v;
    if (i % 2)
        v = a[i] + 1;
    else
        v = b[i] * 2;
    out[i] = v;
}

__global__ void uneven_loops_kernel(const int *length, const float *in, float *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (; i < n; i += stride) {
        float sum = 0;
        #pragma unroll 1
        for (int k = 0; k < length[i]; ++k)
            sum += in[k];
        out[i] = sum;
    }
}

/* Nothing is stored between two rows: only the loops tell them apart. */
__global__ void uneven_rows_kernel(const int *offsets, const float *in, float *out, int rows)
{
    float sum = 0;
    #pragma unroll 1
    for (int row = threadIdx.x; row < rows; row += 32) {
        int end = offsets[row + 1];
        #pragma unroll 1
        for (int k = offsets[row]; k < end; ++k)
            sum += in[k];
    }
    out[threadIdx.x] = sum;
}

__global__ void loop_with_if_kernel(const int *length, const float *in, float *out, int n)
{
    int i = threadIdx.x;
    float sum = 0;
    #pragma unroll 1
    for (int k = 0; k < length[i]; ++k) {
        sum += in[k];
        if ((k + i) % 2)
            sum += in[n + k];
    }
    out[i] = sum;
}

__global__ void shared_strided_kernel(float *out, int n, int stride)
{
    extern __shared__ float s[];
    int tid = threadIdx.x;
    for (int i = tid; i < BLOCK * stride; i += BLOCK)
        s[i] = i;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + tid;
    if (i < n)
        out[i] = s[tid * stride];
}

template <class T> __global__ void shared_wide_kernel(float *out, int n)
{
    __shared__ T s[BLOCK];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    T v = {};
    v.x = tid;
    s[tid] = v;
    __syncthreads();
    T w = s[BLOCK - 1 - tid];
    if (i < n)
        out[i] = w.x + w.y;
}

__global__ void atomic_kernel(int *out, int n, int distinct)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[i % distinct], 1);
}

/* In round r the first 2^r threads work: a lane's first turn is not its neighbour's. */
__global__ void growing_kernel(float *out, int n)
{
    __shared__ float s[BLOCK];
    int tid = threadIdx.x;
    s[tid] = 0;
    __syncthreads();
    for (int d = 1; d <= BLOCK; d *= 2) {
        if (tid < d)
            s[tid] += 1;
        __syncthreads();
    }
    int i = blockIdx.x * blockDim.x + tid;
    if (i < n)
        out[i] = s[tid];
}

/* Long loops of different length, in a warp and in a block, with a branch inside: traces that do not fit. */
__global__ void long_loops_kernel(const float *in, float *out, int most)
{
    __shared__ float s[64];
    int tid = threadIdx.x, n = tid % 3 == 0 ? most : tid % 3 * 10;
    float sum = 0;
    #pragma unroll 1
    for (int k = 0; k < n; ++k) {
        sum += in[k % 64];
        if (k % 2 == tid % 2)
            sum += in[64 + k % 64];
    }
    s[tid] = sum;
    __syncthreads();
    out[tid] = s[63 - tid];
}

extern "C" {
void long_loops(const float *in, float *out, int most) { long_loops_kernel<<<1, 64>>>(in, out, most); }
void copy_strided(const float *in, float *out, int n, int stride, int offset)
{ strided_kernel<<<grid(n), BLOCK>>>(in, out, n, stride, offset); }
void copy_float4(const float4 *in, float4 *out, int n) { copy_kernel<float4><<<grid(n), BLOCK>>>(in, out, n); }
void copy_double(const double *in, double *out, int n) { copy_kernel<double><<<grid(n), BLOCK>>>(in, out, n); }
void copy_bytes(const unsigned char *in, unsigned char *out, int n)
{
    copy_kernel<unsigned char><<<grid(n), BLOCK>>>(in, out, n);
}
void copy_struct(const void *in, void *out, int n)
{ copy_kernel<three><<<grid(n), BLOCK>>>((const three *)in, (three *)out, n); }
void broadcast(const float *in, float *out, int n) { broadcast_kernel<<<grid(n), BLOCK>>>(in, out, n); }
void gather(const float *in, const int *index, float *out, int n)
{
    gather_kernel<<<grid(n), BLOCK>>>(in, index, out, n);
}
void branches(const float *a, const float *b, float *out, int n) { branches_kernel<<<grid(n), BLOCK>>>(a, b, out, n); }
void uneven_loops(const int *length, const float *in, float *out, int n, int stride)
{ uneven_loops_kernel<<<stride / 32, 32>>>(length, in, out, n, stride); }
void uneven_rows(const int *offsets, const float *in, float *out, int rows)
{ uneven_rows_kernel<<<1, 32>>>(offsets, in, out, rows); }
void loop_with_if(const int *length, const float *in, float *out, int n)
{ loop_with_if_kernel<<<1, 32>>>(length, in, out, n); }
void shared_strided(float *out, int n, int stride)
{ shared_strided_kernel<<<grid(n), BLOCK, BLOCK * stride * sizeof(float)>>>(out, n, stride); }
void shared_wide(float *out, int n, int bytes)
{
    if (bytes == 8)
        shared_wide_kernel<float2><<<grid(n), BLOCK>>>(out, n);
    else
        shared_wide_kernel<float4><<<grid(n), BLOCK>>>(out, n);
}
void atomic_add(int *out, int n, int distinct) { atomic_kernel<<<grid(n), BLOCK>>>(out, n, distinct); }
void call_in_kernel(void (*f)(void)) { call_kernel<<<1, 1>>>(f); }
void growing(float *out, int n) { growing_kernel<<<grid(n), BLOCK>>>(out, n); }
}
