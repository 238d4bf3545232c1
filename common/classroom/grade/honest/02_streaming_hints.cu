// grade 2 2 exactly 100: *
#include "chapter.h"
#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { printf("%s:%d: error %d\n", __FILE__, __LINE__, e_); return e_; } } while (0)
template <typename U> __device__ __forceinline__ U get(const U *p) { return __ldcs(p); }
template <typename U> __device__ __forceinline__ void put(U *p, U v) { __stcs(p, v); }
template <typename U> __global__ void stream_copy(U *to, const U *from, size_t n, size_t bytes)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) put(to + i, get(from + i));
    if (i < bytes % sizeof(U)) put((unsigned char *)to + n * sizeof(U) + i, get((const unsigned char *)from + n * sizeof(U) + i));
}
template <typename U> static cudaError_t memcpy_student_launch(U *to, const U *from, size_t bytes, cudaStream_t stream)
{
    const size_t n = bytes / sizeof(U);
    stream_copy<U><<<static_cast<unsigned>(n / 128 + 1), 128, 0, stream>>>(to, from, n, bytes);
    CHECK(cudaGetLastError());
    return cudaSuccess;
}
MEMCPY_STEP(memcpy_student, 16)
