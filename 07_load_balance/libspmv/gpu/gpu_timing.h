/*
 * gpu_timing.h - times the variants that a plan tries, each product with L2 emptied before it.  Not installed.
 *
 * A program does other work between two products, so the matrix is seldom in L2.  If it were there, a variant that
 * reads more bytes in a better order would be the fastest, although it is slower in the program.
 */
#ifndef SPMV_GPU_TIMING_H
#define SPMV_GPU_TIMING_H

#include <cuda_runtime_api.h>

enum { GPU_TIMING_RUNS = 15 }; /* at most */

typedef struct gpu_timing {
    cudaStream_t stream;
    void *d_flush; /* as large as L2; reading it replaces the contents of L2 by data that need not be written back */
    size_t bytes;
    cudaEvent_t events[2 * 2 * GPU_TIMING_RUNS];
} gpu_timing_t;

/* *timing is all zero.  Returns cudaErrorNotSupported if the device cannot measure times.  Close it after an error as
 * well. */
cudaError_t gpu_timing_open(gpu_timing_t *timing, cudaStream_t stream);
void gpu_timing_close(gpu_timing_t *timing);

/* Sets us[i] to the median time of `runs` products of variant i; `count` (1 or 2) variants take turns.  Waits for the
 * stream. */
cudaError_t gpu_timing_medians(gpu_timing_t *timing, cudaError_t (*multiply)(void *context, int which), void *context,
                               int count, int runs, float us[2]);

#endif
