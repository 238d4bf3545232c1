// grade 1 1 exactly 100: *
// One launch: the last block to finish sums the partial sums.  A __device__ counter finds the last block.
#include "chapter.h"
enum { BLOCK = 256, MOST = 64 };
__device__ unsigned counter;
__device__ unsigned int how_often = 0;
template <typename T> __device__ T sum_block(T v)
{
    __shared__ T part[BLOCK / 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < BLOCK / 32 ? part[threadIdx.x] : T(0);
    if (threadIdx.x < 32)
        for (int d = BLOCK / 64; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}
template <typename T> __global__ void sum_all(const T *in, size_t n, T *sums, T *out)
{
    __shared__ bool last;
    T v = 0;
    for (size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x; i < n; i += (size_t)gridDim.x * BLOCK) v += in[i];
    v = sum_block(v);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = v;
        __threadfence();
        last = atomicAdd(&counter, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    v = threadIdx.x < gridDim.x ? *(volatile T *)&sums[threadIdx.x] : T(0);
    v = sum_block(v);
    if (threadIdx.x == 0) *out = v, counter = 0, how_often += 1;
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    const size_t wanted = (n + 8 * BLOCK - 1) / (8 * BLOCK);
    const unsigned blocks = wanted < 1 ? 1 : wanted > MOST ? (unsigned)MOST : (unsigned)wanted;
    sum_all<T><<<blocks, BLOCK, 0, stream>>>(d_in, n, d_sums, d_out);
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
