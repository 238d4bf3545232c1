/* gpu_permute.cu - renumbers x and y of a matrix whose rows and columns were renumbered (order.h), by two gathers. */
#include "gpu_build.cuh"

namespace {

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

template <typename S> spmv_status_t permute_x(const gpu_permute_t *p, const void *x, int64_t apart, void *stream)
{
    gather_x_kernel<S><<<blocks_for(p->n, BLOCK), BLOCK, 0, (cudaStream_t)stream>>>(
        p->n, p->rows, (const S *)x, (uint64_t)apart, (S *)p->x);
    return cudaPeekAtLastError() == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}

template <typename S>
spmv_status_t permute_y(const gpu_permute_t *p, double alpha, double beta, void *y, int64_t apart, void *stream)
{
    finish_y_kernel<S><<<blocks_for(p->n, BLOCK), BLOCK, 0, (cudaStream_t)stream>>>(
        p->n, p->places, (const S *)p->y, (S)alpha, (S)beta, (uint64_t)apart, (S *)y);
    return cudaPeekAtLastError() == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}

} // namespace

spmv_status_t gpu_permute_x(const gpu_permute_t *p, const void *x, int64_t apart, void *stream)
{
    return p->vector_bytes == 8 ? permute_x<double>(p, x, apart, stream) : permute_x<float>(p, x, apart, stream);
}

spmv_status_t gpu_permute_y(const gpu_permute_t *p, double alpha, double beta, void *y, int64_t apart, void *stream)
{
    return p->vector_bytes == 8 ? permute_y<double>(p, alpha, beta, y, apart, stream)
                                : permute_y<float>(p, alpha, beta, y, apart, stream);
}
