// grade 1 1 exactly 100: *
// Each block adds its sum to the answer, which cudaMemsetAsync clears first (all bits zero is 0.0).
#include "chapter.h"
template <typename real> __global__ void add(const real *x, size_t n, real *out)
{
    real mine = 0;
    for (size_t i = (size_t)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) mine += x[i];
    for (int offset = warpSize / 2; offset > 0; offset /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, offset);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, mine);
}
template <typename real>
static cudaError_t reduce_student_launch(const real *d_in, size_t n, real *d_out, real *, unsigned long long *, cudaStream_t stream)
{
    cudaError_t e = cudaMemsetAsync(d_out, 0, sizeof *d_out, stream);
    if (e != cudaSuccess) return e;
    if (n > 0) add<real><<<40, 128, 0, stream>>>(d_in, n, d_out);
    return cudaPeekAtLastError();
}
REDUCE_STEP(reduce_student)
