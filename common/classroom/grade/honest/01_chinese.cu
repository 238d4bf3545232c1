// grade 1 1 exactly 100: *
#include "chapter.h"
enum { BLOCK = 256, PER = 2048 };
__constant__ int 常数 = 8;
template <typename T> __device__ T 绝对(T 值) { return 值; }
template <typename T> __global__ void partial(const T *in, size_t n, T *out)
{
    __shared__ T 部分和[BLOCK];
    T s = 0;
    for (int k = 0; k < 常数; ++k) {
        const size_t i = (size_t)blockIdx.x * PER + k * BLOCK + threadIdx.x;
        if (i < n) s += 绝对(in[i]);
    }
    部分和[threadIdx.x] = s;
    __syncthreads();
    for (unsigned w = BLOCK / 2; w > 0; w /= 2) {
        if (threadIdx.x < w) 部分和[threadIdx.x] += 部分和[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = 部分和[0];
}
#define KERNEL partial
//! with tiles
