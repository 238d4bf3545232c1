/* gpu_permute.cu - x and y of a matrix whose rows and columns were renumbered (order.h): two gathers. */
#include "gpu_common.cuh"

namespace {

enum { BLOCK = 256 };

// Neighbouring threads write adjacent elements and read scattered ones.  The reads hit L2, because the array was
// written a moment ago, or because each of its sectors is read several times.
template <typename S>
__global__ void __launch_bounds__(BLOCK)
    gather_x_kernel(uint32_t n, const int32_t *__restrict__ rows, const S *__restrict__ x, uint64_t apart, S *own_x)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) own_x[i] = __ldg(&x[(uint64_t)(uint32_t)rows[i] * apart]);
}

template <typename S>
__global__ void __launch_bounds__(BLOCK)
    finish_y_kernel(uint32_t n, const int32_t *__restrict__ places, const S *__restrict__ own_y, S alpha, S beta,
                    uint64_t apart, S *y)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    if (row < n) finish(&y[(uint64_t)row * apart], __ldg(&own_y[places[row]]), alpha, beta);
}

template <typename S> void launch_x(const gpu_permute_t *p, const void *x, int64_t apart, cudaStream_t stream)
{
    gather_x_kernel<S><<<(p->n + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(p->n, p->rows, (const S *)x, (uint64_t)apart,
                                                                        (S *)p->x);
}

template <typename S>
void launch_y(const gpu_permute_t *p, double alpha, double beta, void *y, int64_t apart, cudaStream_t stream)
{
    finish_y_kernel<S><<<(p->n + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(p->n, p->places, (const S *)p->y, (S)alpha,
                                                                        (S)beta, (uint64_t)apart, (S *)y);
}

spmv_status_t launched() { return cudaPeekAtLastError() == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR; }

} // namespace

spmv_status_t gpu_permute_x(const gpu_permute_t *p, const void *x, int64_t apart, void *stream)
{
    if (p->vector_bytes == 8) launch_x<double>(p, x, apart, (cudaStream_t)stream);
    else launch_x<float>(p, x, apart, (cudaStream_t)stream);
    return launched();
}

spmv_status_t gpu_permute_y(const gpu_permute_t *p, double alpha, double beta, void *y, int64_t apart, void *stream)
{
    if (p->vector_bytes == 8) launch_y<double>(p, alpha, beta, y, apart, (cudaStream_t)stream);
    else launch_y<float>(p, alpha, beta, y, apart, (cudaStream_t)stream);
    return launched();
}
