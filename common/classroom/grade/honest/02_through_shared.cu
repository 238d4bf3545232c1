// grade 2 2 exactly 100: *
// Copies through shared memory, like the page's second step, which is needless but right.
#include "chapter.h"
template <typename U> __global__ void copy(U *to, const U *from, size_t units, size_t bytes)
{
    __shared__ U tile[128];
    const size_t i = (size_t)blockIdx.x * 128 + threadIdx.x;
    if (i < units) tile[threadIdx.x] = from[i];
    __syncthreads();
    if (i < units) to[i] = tile[threadIdx.x];
    const size_t rest = units * sizeof(U) + i;
    if (rest < bytes) reinterpret_cast<unsigned char *>(to)[rest] = reinterpret_cast<const unsigned char *>(from)[rest];
}
template <typename U> static cudaError_t memcpy_student_launch(U *to, const U *from, size_t bytes, cudaStream_t stream)
{
    copy<U><<<(unsigned)(bytes / sizeof(U) / 128 + 1), 128, 0, stream>>>(to, from, bytes / sizeof(U), bytes);
    return cudaGetLastError();
}
MEMCPY_STEP(memcpy_student, 16)
