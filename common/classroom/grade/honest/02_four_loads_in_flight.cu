// grade 2 2 exactly 100: *
#include "chapter.h"
enum { BLOCK = 128, FLY = 4 };
template <typename U> __global__ void copy(U *__restrict__ to, const U *__restrict__ from, size_t units, size_t bytes)
{
    U v[FLY];
    const size_t first = (size_t)blockIdx.x * BLOCK * FLY + threadIdx.x;
#pragma unroll
    for (int j = 0; j < FLY; ++j)
        if (first + j * BLOCK < units) v[j] = from[first + j * BLOCK];
#pragma unroll
    for (int j = 0; j < FLY; ++j)
        if (first + j * BLOCK < units) to[first + j * BLOCK] = v[j];
    const size_t rest = units * sizeof(U) + threadIdx.x;
    if (blockIdx.x == 0 && rest < bytes) ((char *)to)[rest] = ((const char *)from)[rest];
}
template <typename U> static cudaError_t memcpy_student_launch(U *to, const U *from, size_t bytes, cudaStream_t stream)
{
    const size_t units = bytes / sizeof(U), per = BLOCK * FLY;
    copy<U><<<(unsigned)((units + per - 1) / per + (units == 0)), BLOCK, 0, stream>>>(to, from, units, bytes);
    return cudaGetLastError();
}
MEMCPY_STEP(memcpy_student, 16)
