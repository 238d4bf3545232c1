/* gpu_kernels.cu - see gpu_kernels.h */
#include "gpu_kernels.h"

#include <cuda_runtime.h>

enum { BLOCK = 256 };

template <typename T>
__global__ void pack_kernel(T *__restrict__ to, const T *__restrict__ x, const int32_t *__restrict__ index, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) to[i] = x[index[i]];
}

template <typename T>
__global__ void add_kernel(T *__restrict__ y, const int32_t *__restrict__ rows, const T *__restrict__ sum, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[rows[i]] += sum[i];
}

template <typename T>
__global__ void add_in_order_kernel(T *__restrict__ y, const int64_t *__restrict__ offsets,
                                    const int32_t *__restrict__ index, const T *__restrict__ x, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    T sum = 0;
    for (int64_t k = offsets[i]; k < offsets[i + 1]; ++k) sum += x[index[k]];
    y[i] = sum;
}

cudaError_t gpu_pack(void *to, const void *x, const int32_t *index, size_t n, size_t element, cudaStream_t stream)
{
    const unsigned grid = (unsigned)((n + BLOCK - 1) / BLOCK);
    if (n == 0) return cudaSuccess;
    if (element == 4) pack_kernel<float><<<grid, BLOCK, 0, stream>>>((float *)to, (const float *)x, index, n);
    else pack_kernel<double><<<grid, BLOCK, 0, stream>>>((double *)to, (const double *)x, index, n);
    return cudaGetLastError();
}

cudaError_t gpu_add_rows(void *y, const int32_t *rows, const void *sum, size_t n, size_t element, cudaStream_t stream)
{
    const unsigned grid = (unsigned)((n + BLOCK - 1) / BLOCK);
    if (n == 0) return cudaSuccess;
    if (element == 4) add_kernel<float><<<grid, BLOCK, 0, stream>>>((float *)y, rows, (const float *)sum, n);
    else add_kernel<double><<<grid, BLOCK, 0, stream>>>((double *)y, rows, (const double *)sum, n);
    return cudaGetLastError();
}

cudaError_t gpu_add_in_order(void *y, const int64_t *offsets, const int32_t *index, const void *x, size_t n,
                              size_t element, cudaStream_t stream)
{
    const unsigned grid = (unsigned)((n + BLOCK - 1) / BLOCK);
    if (n == 0) return cudaSuccess;
    if (element == 4)
        add_in_order_kernel<float><<<grid, BLOCK, 0, stream>>>((float *)y, offsets, index, (const float *)x, n);
    else
        add_in_order_kernel<double><<<grid, BLOCK, 0, stream>>>((double *)y, offsets, index, (const double *)x, n);
    return cudaGetLastError();
}
