// grade 1 1 exactly 100: *
#include "chapter.h"
#include <stdio.h>
// Unused parameters, variables, functions and a label, and comparisons of signed and unsigned numbers.
#ifndef TPB
#define TPB 256
#endif
#if TPB < 32 || __cplusplus < 201103L
#error "a warp at least"
#endif
#ifdef DEBUG
static const char *said = "debugging";
#endif
#define ELEMS 8
static int old_version(int a, int b) { return a; }
__device__ float helper_not_needed(float x) { return x * 2; }
__device__ unsigned counter;
template <class T>
__global__ void sum(const T *in, size_t n, T *sums, int unused_parameter)
{
    __shared__ T s[TPB];
    int t = threadIdx.x, never_read = 3;
    T v = 0;
    for (int k = 0; k < ELEMS; k++) {
        int i = blockIdx.x * TPB * ELEMS + k * TPB + t;
        if (i < n) v += in[i];
    }
    s[t] = v;
    __syncthreads();
    for (int stride = TPB / 2; stride > 0; stride >>= 1) {
        if (t < stride) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}
template <class T>
cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *d_words, cudaStream_t stream)
{
    int per_block = TPB * ELEMS, blocks = (n + per_block - 1) / per_block, old;
    double wanted_this_for_timing = 0;
    if (n == 0) blocks = 1;
    while (blocks > 1) {
        sum<T><<<blocks, TPB, 0, stream>>>(d_in, n, d_sums, 7);
        d_in = d_sums;
        n = blocks;
        d_sums = d_sums + blocks;
        blocks = (n + per_block - 1) / per_block;
    }
    sum<T><<<1, TPB, 0, stream>>>(d_in, n, d_out, 7);
done:
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
