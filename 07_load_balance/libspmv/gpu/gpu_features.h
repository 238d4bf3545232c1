/* gpu_features.h - what a matrix on the GPU looks like, for the rule (gpu_choice.h). */
#ifndef SPMV_GPU_FEATURES_H
#define SPMV_GPU_FEATURES_H

#include <cuda_runtime_api.h>

#include "gpu_choice.h"
#include "gpu_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known without looking. */
void gpu_features_known(gpu_features_t *f, const gpu_csr_t *A);
/* The rest: one pass over the offsets, and 512 groups of 32 rows looked into.  rows, nnz > 0.  Waits for the stream. */
cudaError_t gpu_features_look(gpu_features_t *f, const gpu_csr_t *A, cudaStream_t stream);
/* f->hot, for a plan, after the look. */
cudaError_t gpu_features_hot(gpu_features_t *f, const gpu_csr_t *A, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
