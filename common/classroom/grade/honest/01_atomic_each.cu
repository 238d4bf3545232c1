// grade 1 1 exactly 70: "lanes in global atomics"
#include "chapter.h"
template <typename T> __global__ void k(const T *in, size_t n, T *out)
{
    const size_t i = blockIdx.x * 256ull + threadIdx.x;
    if (i < n) atomicAdd(out, (in[i]));
}
template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *, unsigned long long *, cudaStream_t stream)
{
    cudaMemsetAsync(d_out, 0, sizeof(T), stream);
    if (n) k<T><<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(d_in, n, d_out);
    return cudaGetLastError();
}
REDUCE_STEP(reduce_student)
