// grade 1 1 exactly 100: *
// Selects the kernel from a table and launches it by its pointer.
#include "chapter.h"
template <typename T, unsigned BLOCK>
__global__ void sum(const T *in, size_t n, T *sums)
{
    __shared__ T s[BLOCK];
    T v = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
        const size_t i = (size_t)blockIdx.x * 8 * BLOCK + k * BLOCK + threadIdx.x;
        if (i < n) v += in[i];
    }
    s[threadIdx.x] = v;
    __syncthreads();
    for (unsigned d = BLOCK / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}
template <typename T> struct choice { unsigned block; void (*kernel)(const T *, size_t, T *); };
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    static const choice<T> choices[] = {{64, sum<T, 64>}, {128, sum<T, 128>}, {256, sum<T, 256>}};
    for (;;) {
        const choice<T> &c = choices[n < 600 ? 0 : n < 3000 ? 1 : 2];
        const size_t tile = 8 * (size_t)c.block, blocks = n > tile ? (n + tile - 1) / tile : 1;
        auto kernel = c.kernel;
        kernel<<<(unsigned)blocks, c.block, 0, stream>>>(d_in, n, blocks > 1 ? d_sums : d_out);
        if (blocks == 1) return cudaGetLastError();
        d_in = d_sums, n = blocks, d_sums += blocks;
    }
}
REDUCE_STEP(reduce_student)
