/* gpu_gather.cu - values of a matrix that was stored anew: each from its place among the caller's. */
#include "gpu_common.cuh"

namespace {

enum { BLOCK = 256 };

template <typename V, typename O>
__global__ void __launch_bounds__(BLOCK)
    gather_kernel(V *__restrict__ values, const V *__restrict__ source, const O *__restrict__ origin, uint64_t n)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) values[i] = __ldg(&source[origin[i]]);
}

template <typename V> void launch(void *values, const void *source, const gpu_origin_t *o, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((o->count + BLOCK - 1) / BLOCK);
    if (o->bits == 64)
        gather_kernel<V, uint64_t>
            <<<blocks, BLOCK, 0, stream>>>((V *)values, (const V *)source, (const uint64_t *)o->places, o->count);
    else
        gather_kernel<V, uint32_t>
            <<<blocks, BLOCK, 0, stream>>>((V *)values, (const V *)source, (const uint32_t *)o->places, o->count);
}

} // namespace

spmv_status_t gpu_gather(void *d_values, const void *d_source, const gpu_origin_t *origin, size_t size, void *stream)
{
    if (origin->count == 0) return SPMV_OK;
    if (size == 8) launch<uint64_t>(d_values, d_source, origin, (cudaStream_t)stream);
    else if (size == 4) launch<uint32_t>(d_values, d_source, origin, (cudaStream_t)stream);
    else launch<uint16_t>(d_values, d_source, origin, (cudaStream_t)stream);
    return cudaPeekAtLastError() == cudaSuccess ? SPMV_OK : SPMV_GPU_ERROR;
}
