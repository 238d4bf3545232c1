/*
 * gpu_hot.h - the columns that most nonzeros of a matrix are in.  Not installed.
 *
 * Where columns are scattered, a nonzero is a sector of x from L2, and L2 answers about 155 of them a nanosecond
 * (H200).  In matrices with hubs a few columns have most of the nonzeros: their entries of x side by side fit L1.
 */
#ifndef SPMV_GPU_HOT_H
#define SPMV_GPU_HOT_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* So many entries of x are kept together. */
uint32_t gpu_hot_most(spmv_type_t type);

/* The share of the nonzeros whose columns these would be, by a sample.  nnz > 0.  Waits for the stream. */
cudaError_t gpu_hot_share(double *share, const gpu_csr_t *A, cudaStream_t stream);

/* Which they are, ascending, and what each column of A is called from now on: its place among them, or count + column.
 * Both are new memory, the caller's; on an error none is left.  nnz > 0.  Waits for the stream. */
typedef struct gpu_hot {
    uint32_t *columns; /* [count] */
    uint32_t *codes;   /* [cols] */
    uint32_t count;    /* 0: no column has two nonzeros of the sample */
} gpu_hot_t;
cudaError_t gpu_hot_find(gpu_hot_t *hot, const gpu_csr_t *A, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
