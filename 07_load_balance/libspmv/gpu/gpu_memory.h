/* gpu_memory.h - device memory for plans and for the code that builds them.  Not installed. */
#ifndef SPMV_GPU_MEMORY_H
#define SPMV_GPU_MEMORY_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "spmv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of freed memory that a GPU keeps for the next plan, as spmv.h says. */
#define SPMV_KEPT ((size_t)256 << 20)

/* Allocates `bytes` of device memory.  Work on `stream` may use it at once, work on other streams after a wait for
 * `stream`.  *d is NULL after an error.  cudaFree frees it without waiting, so no work may use it any more; gpu_free
 * (gpu_engine.h) waits for the whole GPU first. */
cudaError_t gpu_take(void **d, size_t bytes, cudaStream_t stream);

/* Returns the status of an error other than cudaSuccess; clears the error and keeps its text for spmv_last_error(). */
spmv_status_t gpu_failed(cudaError_t error, const char *what);

/* Gets an attribute of the current GPU. */
cudaError_t gpu_attribute(int *value, enum cudaDeviceAttr attribute);

#ifdef __cplusplus
}
#endif
#endif
