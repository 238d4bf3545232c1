// grade 2 2 exactly 60: *
// Four bytes per thread where possible: four times the requests of the goal, for loads and stores.
#include "chapter.h"
template <typename U> __global__ void c(U *t, const U *f, size_t b)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x, u = b / sizeof(U);
    if (i < u) t[i] = f[i];
    if (u * sizeof(U) + i < b) ((char *)t)[u * sizeof(U) + i] = ((const char *)f)[u * sizeof(U) + i];
}
template <typename U> static cudaError_t memcpy_student_launch(U *t, const U *f, size_t b, cudaStream_t s)
{
    c<U><<<(unsigned)(b / sizeof(U) / 256 + 1), 256, 0, s>>>(t, f, b);
    return cudaGetLastError();
}
MEMCPY_STEP(memcpy_student, 4)
