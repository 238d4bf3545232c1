/* gpu_gather.cu - gathers the values of a converted matrix from their places in the caller's array. */
#include "gpu_build.cuh"

namespace {

template <typename V, typename O>
__global__ void __launch_bounds__(BLOCK)
    gather_kernel(V *__restrict__ values, const V *__restrict__ source, const O *__restrict__ origin, uint64_t n)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) values[i] = __ldg(&source[origin[i]]);
}

template <typename V, typename O>
spmv_status_t gather(void *values, const void *source, const void *places, const gpu_csr_t *A, void *stream)
{
    gather_kernel<V, O><<<blocks_for((size_t)A->nnz, BLOCK), BLOCK, 0, (cudaStream_t)stream>>>(
        (V *)values, (const V *)source, (const O *)places, (uint64_t)A->nnz);
    return cudaPeekAtLastError() == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}

} // namespace

spmv_status_t gpu_gather(void *d_values, const void *d_source, const void *d_places, const gpu_csr_t *A, void *stream)
{
    if (A->nnz == 0) return SPMV_OK;
    return BY_SIZE_AND_OFFSETS(A, gather, d_values, d_source, d_places, A, stream);
}
