// grade 1 1 exactly 100: *
#include "chapter.h"
// 绝对值之和。每个线程块处理两千零四十八个数字：先在寄存器里累加，再在共享内存中做树形归约。
/* 注意：最后一个线程块可能不满；
   空输入（n 为零）时也要写出零。 */
enum { BLOCK = 256, PER = 2048 };
template <typename T> __global__ void 归约(const T *输入, size_t n, T *输出)
{
    __shared__ T p[BLOCK]; // 部分和
    T s = 0;
    for (unsigned 次 = 0; 次 < PER / BLOCK; ++次) {
        const size_t i = (size_t)blockIdx.x * PER + 次 * BLOCK + threadIdx.x;
        if (i < n) s += (输入[i]); // 绝对值
    }
    p[threadIdx.x] = s;
    __syncthreads();
    for (unsigned w = BLOCK / 2; w > 0; w /= 2) {
        if (threadIdx.x < w) p[threadIdx.x] += p[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) 输出[blockIdx.x] = p[0];
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *sums, unsigned long long *words, cudaStream_t stream)
{
    (void)sums, (void)words;
    for (;;) {
        const size_t b = n > PER ? (n + PER - 1) / PER : 1;
        T *o = b > 1 ? sums : d_out;
        归约<T><<<(unsigned)b, BLOCK, 0, stream>>>(d_in, n, o);
        if (b == 1) break;
        d_in = sums, n = b, sums += b;
    }
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
