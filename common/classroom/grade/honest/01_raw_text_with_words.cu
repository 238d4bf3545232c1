// grade 1 1 exactly 90: *
// Forbidden words in strings and comments, where they have no effect: asm, memcpy, constructor, section.
#include "chapter.h"
static const char *const NOTES[] = {"asm volatile is in section 4", "memcpy(a, b, n)", R"(__attribute__((constructor)))", "__SIMT__"};
template <typename T> __global__ void sum_rows(const T *in, size_t n, T *sums)
{
    __shared__ T s[256];
    const unsigned t = threadIdx.x;
    s[t] = 0;
    for (unsigned k = 0; k < 8; ++k) {
        const size_t i = blockIdx.x * size_t(2048) + k * 256 + t;
        if (i < n) s[t] += in[i];
    }
    __syncthreads();
    for (unsigned d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    if (n == 1) printf("note: %s\n", NOTES[0]);
    for (;;) {
        const size_t blocks = n > 2048 ? (n + 2047) / 2048 : 1;
        sum_rows<T><<<(unsigned)blocks, 256, 0, stream>>>(d_in, n, blocks > 1 ? d_sums : d_out);
        if (blocks == 1) return cudaGetLastError();
        d_in = d_sums, n = blocks, d_sums += blocks;
    }
}
REDUCE_STEP(reduce_student)
