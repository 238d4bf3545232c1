/* gpu_memory.h - the GPU's memory for whatever builds a plan.  Not installed. */
#ifndef SPMV_GPU_MEMORY_H
#define SPMV_GPU_MEMORY_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a GPU keeps of memory that plans have given back, for the next one: spmv.h says so. */
#define SPMV_KEPT ((size_t)256 << 20)

/* `bytes` of the GPU's memory, for what follows on `stream`, and on others once that has been waited for.  *d is NULL
 * after an error.  cudaFree gives it back and does not wait, so nothing may use it any more; gpu_give waits for all of
 * the GPU first.  Both take NULL. */
cudaError_t gpu_take(void **d, size_t bytes, cudaStream_t stream);
void gpu_give(void *d);

#ifdef __cplusplus
}
#endif
#endif
