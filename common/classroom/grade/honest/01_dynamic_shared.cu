// grade 1 1 exactly 100: *
#include "chapter.h"
extern __shared__ double storage[];
template <typename T> __global__ void sum(const T *in, size_t n, T *sums)
{
    T *const s = reinterpret_cast<T *>(&storage[0]);
    const unsigned t = threadIdx.x, threads = blockDim.x;
    T own = T{};
    for (unsigned k = 0; k < 8; ++k) {
        const size_t i = (size_t)blockIdx.x * 8 * threads + k * threads + t;
        own += i < n ? in[i] : T{};
    }
    s[t] = own;
    __syncthreads();
    for (unsigned half = threads / 2; half != 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *d_sums, unsigned long long *, cudaStream_t stream)
{
    const unsigned threads = 256;
    const size_t bytes = threads * sizeof(T);
    cudaError_t status = cudaFuncSetAttribute(sum<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (status != cudaSuccess) return status;
    do {
        const size_t blocks = n == 0 ? 1 : (n + 8 * threads - 1) / (8 * threads);
        T *const to = blocks == 1 ? d_out : d_sums;
        sum<T><<<dim3((unsigned)blocks), dim3(threads), bytes, stream>>>(d_in, n, to);
        if (to == d_out) break;
        d_in = to;
        d_sums += blocks;
        n = blocks;
    } while (true);
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
