// grade 2 2 exactly 100: *
#include "chapter.h"
enum { BLOCK = 256 };
template <typename U>
__global__ void __launch_bounds__(BLOCK) copy_units(U *__restrict__ to, const U *__restrict__ from, size_t bytes)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, units = bytes / sizeof(U), done = units * sizeof(U);
    if (i < units) to[i] = from[i];
    if (done + i < bytes) ((unsigned char *)to)[done + i] = ((const unsigned char *)from)[done + i];
}
template <typename U> static cudaError_t memcpy_student_launch(U *d_to, const U *d_from, size_t bytes, cudaStream_t stream)
{
    const size_t units = bytes / sizeof(U);
    copy_units<U><<<(unsigned)(units / BLOCK + 1), BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}
MEMCPY_STEP(memcpy_student, 16)
