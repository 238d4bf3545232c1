// grade 1 1 exactly 100: *
// Compensated sums in a local array per thread: more exact than required.
#include "chapter.h"
enum { BLOCK = 256, EACH = 8 };
template <typename T> struct kahan {
    T sum, lost;
    __device__ void add(T x)
    {
        const T y = x - lost, t = sum + y;
        lost = (t - sum) - y;
        if (lost != lost) lost = 0; // an infinite sum needs no compensation
        sum = t;
    }
};
template <typename T> __global__ void sum(const T *in, size_t n, T *sums)
{
    __shared__ T tree[BLOCK];
    T mine[EACH] = {};
    const size_t base = (size_t)blockIdx.x * BLOCK * EACH;
    for (int k = 0; k < EACH; ++k) {
        const size_t i = base + (size_t)k * BLOCK + threadIdx.x;
        if (i < n) mine[k] = in[i];
    }
    kahan<T> acc = {0, 0};
    for (T x : mine) acc.add(x);
    tree[threadIdx.x] = acc.sum;
    __syncthreads();
    for (int d = BLOCK / 2; d >= 1; d /= 2) {
        if ((int)threadIdx.x < d) tree[threadIdx.x] += tree[threadIdx.x + d];
        __syncthreads();
    }
    if (!threadIdx.x) sums[blockIdx.x] = *tree;
}
#define KERNEL sum
//! with tiles
