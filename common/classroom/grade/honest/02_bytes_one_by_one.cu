// grade 2 2 exactly 60: *
// The simplest right solution: one byte per thread.
#include "chapter.h"
__global__ void copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < bytes) to[i] = from[i];
}
extern "C" cudaError_t memcpy_student(void *d_to, const void *d_from, size_t bytes, size_t unit_bytes, cudaStream_t stream)
{
    if (memcpy_overlap(d_to, d_from, bytes)) return cudaErrorInvalidValue;
    if (bytes == 0) return cudaSuccess;
    copy<<<(bytes + 255) / 256, 256, 0, stream>>>((unsigned char *)d_to, (const unsigned char *)d_from, bytes);
    return cudaGetLastError();
}
