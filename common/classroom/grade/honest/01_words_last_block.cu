// grade 1 1 exactly 100: *
// Like the step without waiting, with d_words, which the last block clears again.
#include "chapter.h"
constexpr int BLOCK = 512;
template <typename T> __global__ void sum(const T *in, size_t n, T *sums, T *out, unsigned long long *words)
{
    __shared__ T s[BLOCK];
    __shared__ unsigned long long mine;
    T v{};
    for (size_t i = threadIdx.x + size_t(blockIdx.x) * BLOCK; i < n; i += size_t(BLOCK) * gridDim.x) v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = BLOCK / 2; d; d /= 2) {
        if (int(threadIdx.x) < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = s[0];
        __threadfence();
        mine = atomicAdd(words, 1ull);
        __threadfence();
        if (mine == gridDim.x - 1) {
            T all = 0;
            for (unsigned b = 0; b < gridDim.x; ++b) all += *(volatile T *)(sums + b);
            *out = all;
            words[0] = 0;
        }
    }
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *d_words, cudaStream_t stream)
{
    sum<T><<<n < 20000 ? 2 : 16, BLOCK, 0, stream>>>(d_in, n, d_sums, d_out, d_words);
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
