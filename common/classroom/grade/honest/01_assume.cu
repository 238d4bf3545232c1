// grade 1 1 exactly 100: *
#include "chapter.h"
#include <cuda_fp16.h>
enum { BLOCK = 256, PER = 2048 };
template <typename T> __global__ void partial(const T *in, size_t n, T *out)
{
    __builtin_assume(blockDim.x == BLOCK);
    __shared__ T p[BLOCK];
    T s = __half2float(__float2half(0.0f));
    for (unsigned k = 0; k < 8; ++k) {
        const size_t i = (size_t)blockIdx.x * PER + k * BLOCK + threadIdx.x;
        if (i < n) s += (in[i]);
    }
    p[threadIdx.x] = s;
    __syncthreads();
    for (unsigned w = BLOCK / 2; w > 0; w /= 2) {
        if (threadIdx.x < w) p[threadIdx.x] += p[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = p[0];
}
#define KERNEL partial
//! with tiles
