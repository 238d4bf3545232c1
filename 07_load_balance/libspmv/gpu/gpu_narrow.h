/* gpu_narrow.h - stores the values of a plan in half the bytes, if they fit (the option `values`). */
#ifndef SPMV_GPU_NARROW_H
#define SPMV_GPU_NARROW_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"

/* Returns the narrow type: SPMV_F32_F64 for SPMV_F64, SPMV_F16 for SPMV_F32, otherwise `type`. */
spmv_type_t gpu_narrow_type(spmv_type_t type);

/* Copies the `count` values at d_wide, in half the bytes, to new device memory; NULL if one of them does not fit.
 * Waits for the stream. */
cudaError_t gpu_narrow(void **d_narrow, const void *d_wide, uint64_t count, spmv_type_t type, cudaStream_t stream);

/* Copies narrow values back, as `type`, to new device memory. */
cudaError_t gpu_widen(void **d_wide, const void *d_narrow, uint64_t count, spmv_type_t type, cudaStream_t stream);

#endif
