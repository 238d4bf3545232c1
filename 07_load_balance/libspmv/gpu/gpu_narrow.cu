/* gpu_narrow.cu - see gpu_narrow.h */
#include "gpu_narrow.h"

#include "gpu_build.cuh"

#define NARROW_FUNCTION static __device__ __forceinline__
#include "narrow.h"

namespace {

__device__ __forceinline__ bool narrow_of(uint32_t wide, uint16_t *narrow) { return half_of(wide, narrow); }
__device__ __forceinline__ bool narrow_of(double wide, float *narrow) { return float_of(wide, narrow); }

template <typename W, typename N>
__global__ void __launch_bounds__(BLOCK)
    narrow_kernel(const W *__restrict__ wide, N *__restrict__ narrow, uint64_t n, unsigned *misfits)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    const bool fits = i >= n || narrow_of(__ldcs(&wide[i]), &narrow[i]);
    if (!__syncthreads_and(fits) && threadIdx.x == 0) atomicAdd(misfits, 1u);
}

template <typename N, typename W>
__global__ void __launch_bounds__(BLOCK) widen_kernel(const N *__restrict__ narrow, W *__restrict__ wide, uint64_t n)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) wide[i] = (W)load_value(&narrow[i]);
}

// Stores the narrow values, and counts the blocks with a value that does not fit.
cudaError_t narrow(void *d_narrow, const void *d_wide, uint64_t count, spmv_type_t type, unsigned *misfits,
                   scratch_t *scratch)
{
    const cudaStream_t stream = scratch->stream;
    const unsigned blocks = blocks_for(count, BLOCK);
    unsigned *d_misfits;
    TRY(take((void **)&d_misfits, sizeof *d_misfits, scratch));
    TRY(cudaMemsetAsync(d_misfits, 0, sizeof *d_misfits, stream));
    if (type == SPMV_F64)
        narrow_kernel<<<blocks, BLOCK, 0, stream>>>((const double *)d_wide, (float *)d_narrow, count, d_misfits);
    else
        narrow_kernel<<<blocks, BLOCK, 0, stream>>>((const uint32_t *)d_wide, (uint16_t *)d_narrow, count, d_misfits);
    TRY(cudaPeekAtLastError());
    return to_host(misfits, d_misfits, sizeof *misfits, stream);
}

} // namespace

spmv_type_t gpu_narrow_type(spmv_type_t type)
{
    return type == SPMV_F64 ? SPMV_F32_F64 : type == SPMV_F32 ? SPMV_F16 : type;
}

cudaError_t gpu_narrow(void **d_narrow, const void *d_wide, uint64_t count, spmv_type_t type, cudaStream_t stream)
{
    unsigned misfits = 0;
    *d_narrow = NULL;
    if (count == 0) return cudaSuccess;
    TRY(gpu_take(d_narrow, count * value_size(gpu_narrow_type(type)), stream));
    scratch_t scratch = {stream, {NULL}, 0};
    const cudaError_t status = narrow(*d_narrow, d_wide, count, type, &misfits, &scratch);
    end_scratch(&scratch, status);
    if (status == cudaSuccess && !misfits) return status;
    gpu_free(*d_narrow);
    *d_narrow = NULL;
    return status;
}

cudaError_t gpu_widen(void **d_wide, const void *d_narrow, uint64_t count, spmv_type_t type, cudaStream_t stream)
{
    const unsigned blocks = blocks_for(count, BLOCK);
    TRY(gpu_take(d_wide, count * value_size(type), stream));
    if (count == 0) return cudaSuccess;
    if (type == SPMV_F64)
        widen_kernel<<<blocks, BLOCK, 0, stream>>>((const float *)d_narrow, (double *)*d_wide, count);
    else
        widen_kernel<<<blocks, BLOCK, 0, stream>>>((const fp16 *)d_narrow, (float *)*d_wide, count);
    const cudaError_t status = cudaPeekAtLastError();
    if (status != cudaSuccess) gpu_free(*d_wide);
    return status;
}
