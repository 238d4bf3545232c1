/* gpu_features.h - the features of a matrix on the GPU, for the rule (gpu_choice.h). */
#ifndef SPMV_GPU_FEATURES_H
#define SPMV_GPU_FEATURES_H

#include <cuda_runtime_api.h>

#include "gpu_choice.h"
#include "gpu_engine.h"

/* Sets the features that are known without reading the matrix. */
void gpu_features_known(gpu_features_t *f, const gpu_csr_t *A);
/* Sets the others except f->hot, from one pass over the offsets and a sample of 512 groups of 32 rows.  rows, nnz > 0.
 * Waits for the stream. */
cudaError_t gpu_features_look(gpu_features_t *f, const gpu_csr_t *A, cudaStream_t stream);
/* Sets f->hot, for a plan, after gpu_features_look(). */
cudaError_t gpu_features_hot(gpu_features_t *f, const gpu_csr_t *A, cudaStream_t stream);

#endif
