// grade 2 2 exactly 100: *
#include "chapter.h"
template <typename U> __global__ void copy(void *to, const void *from, size_t bytes)
{
    const size_t units = bytes / sizeof(U), step = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < units; i += step) static_cast<U *>(to)[i] = static_cast<const U *>(from)[i];
    for (i = units * sizeof(U) + blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += step)
        static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
}
extern "C" cudaError_t memcpy_student(MEMCPY_ARGS)
{
    (void)unit_bytes;
    if (bytes == 0) return cudaSuccess;
    if (memcpy_overlap(d_to, d_from, bytes)) return cudaErrorInvalidValue;
    int sms = 8;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    const dim3 grid(8 * sms), block(256);
    switch (memcpy_width(d_to, d_from, sizeof(int4))) {
    case 16: copy<int4><<<grid, block, 0, stream>>>(d_to, d_from, bytes); break;
    case 8: copy<int2><<<grid, block, 0, stream>>>(d_to, d_from, bytes); break;
    case 4: copy<int><<<grid, block, 0, stream>>>(d_to, d_from, bytes); break;
    case 2: copy<short><<<grid, block, 0, stream>>>(d_to, d_from, bytes); break;
    default: copy<char><<<grid, block, 0, stream>>>(d_to, d_from, bytes); break;
    }
    return cudaGetLastError();
}
