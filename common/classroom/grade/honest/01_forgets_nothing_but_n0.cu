// grade 1 1 exactly 85: "n=0"
// Right except for n = 0.
#include "chapter.h"
template <typename T> __global__ void sum(const T *in, size_t n, T *sums)
{
    __shared__ T s[8];
    T v = 0;
    for (size_t i = (size_t)blockIdx.x * 2048 + threadIdx.x; i < n && i < (blockIdx.x + 1ull) * 2048; i += 256) v += in[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) v += s[w];
        sums[blockIdx.x] = v;
    }
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    if (n == 0) return cudaSuccess;
    for (; n > 2048; n = (n + 2047) / 2048) {
        const unsigned blocks = (unsigned)((n + 2047) / 2048);
        sum<T><<<blocks, 256, 0, stream>>>(d_in, n, d_sums);
        d_in = d_sums, d_sums += blocks;
    }
    sum<T><<<1, 256, 0, stream>>>(d_in, n, d_out);
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
