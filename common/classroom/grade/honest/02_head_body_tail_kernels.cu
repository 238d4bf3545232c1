// grade 2 2 exactly 100: *
// Three kernels: up to the first aligned address, the vectors, the remaining bytes.  Several launches in one call.
#include "chapter.h"
typedef unsigned char byte_t;
__global__ void few(byte_t *to, const byte_t *from, unsigned n) { if (threadIdx.x < n) to[threadIdx.x] = from[threadIdx.x]; }
__global__ void many(uint4 *to, const uint4 *from, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}
__global__ void bytes_only(byte_t *to, const byte_t *from, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = from[i];
}
static cudaError_t memcpy_student_launch(byte_t *to, const byte_t *from, size_t bytes, cudaStream_t stream)
{
    if ((uintptr_t)to % 16 != (uintptr_t)from % 16) { // never aligned at the same byte
        bytes_only<<<64, 256, 0, stream>>>(to, from, bytes);
        return cudaGetLastError();
    }
    size_t head = (16 - (uintptr_t)to % 16) % 16;
    if (head > bytes) head = bytes;
    if (head > 0) few<<<1, 16, 0, stream>>>(to, from, (unsigned)head);
    to += head, from += head, bytes -= head;
    const size_t units = bytes / 16;
    if (units > 0) many<<<(unsigned)((units + 255) / 256), 256, 0, stream>>>((uint4 *)to, (const uint4 *)from, units);
    const unsigned tail = (unsigned)(bytes % 16);
    if (tail > 0) few<<<1, 16, 0, stream>>>(to + 16 * units, from + 16 * units, tail);
    return cudaGetLastError();
}
MEMCPY_BYTES_STEP(memcpy_student)
