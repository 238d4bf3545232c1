// grade 1 1 exactly 90: *
// A string with a launch, which must not be translated to a call.
#include "chapter.h"
template <typename T> __global__ void sum(const T *in, size_t n, T *sums)
{
    __shared__ T s[256];
    s[threadIdx.x] = 0;
    for (unsigned k = 0; k < 8; ++k) {
        const size_t i = blockIdx.x * size_t(2048) + k * 256 + threadIdx.x;
        if (i < n) s[threadIdx.x] += in[i];
    }
    for (unsigned d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    for (;;) {
        const unsigned blocks = n > 2048 ? (unsigned)((n + 2047) / 2048) : 1u;
        sum<T><<<blocks, 256, 0, stream>>>(d_in, n, blocks > 1 ? d_sums : d_out);
        if (cudaPeekAtLastError() != cudaSuccess) printf("sum<<<%u, 256>>>(in, %zu) failed\n", blocks, n);
        if (blocks == 1) return cudaGetLastError();
        d_in = d_sums, n = blocks, d_sums += blocks;
    }
}
REDUCE_STEP(reduce_student)
