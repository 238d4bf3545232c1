/*
 * gpu_hot.h - finds the columns that have most nonzeros of a matrix.  Not installed.
 *
 * If columns are scattered, each nonzero needs a sector of x from L2, and L2 delivers about 155 sectors per nanosecond
 * (H200).  In matrices with hubs a few columns have most of the nonzeros: their entries of x, side by side, fit in L1.
 */
#ifndef SPMV_GPU_HOT_H
#define SPMV_GPU_HOT_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"

/* Returns the number of entries of x that are kept together. */
uint32_t gpu_hot_most(spmv_type_t type);

/* Estimates, by a sample, the share of the nonzeros in hot columns.  nnz > 0.  Waits for the stream. */
cudaError_t gpu_hot_share(double *share, const gpu_csr_t *A, cudaStream_t stream);

/* Finds the hot columns, in ascending order, and the code of each column of A: its place among them, or count + column.
 * Both are new memory, which the caller frees; on an error nothing stays allocated.  nnz > 0.  Waits for the stream. */
typedef struct gpu_hot {
    uint32_t *columns; /* [count] */
    uint32_t *codes;   /* [cols] */
    uint32_t count;    /* 0 if no column has two nonzeros of the sample */
} gpu_hot_t;
cudaError_t gpu_hot_find(gpu_hot_t *hot, const gpu_csr_t *A, cudaStream_t stream);

#endif
