/* gpu_narrow.h - values of a plan in half the bytes, where they fit (the option `values`). */
#ifndef SPMV_GPU_NARROW_H
#define SPMV_GPU_NARROW_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type that has them: SPMV_F32_F64 for SPMV_F64, SPMV_F16 for SPMV_F32; else `type`, and there is none. */
spmv_type_t gpu_narrow_type(spmv_type_t type);

/* New device memory with the `count` values at d_wide in it, in half the bytes; NULL where one of them does not fit.
 * Waits for the stream. */
cudaError_t gpu_narrow(void **d_narrow, const void *d_wide, uint64_t count, spmv_type_t type, cudaStream_t stream);

/* And back: new device memory with them as `type`. */
cudaError_t gpu_widen(void **d_wide, const void *d_narrow, uint64_t count, spmv_type_t type, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
