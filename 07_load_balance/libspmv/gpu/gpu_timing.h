/*
 * gpu_cold.h - times of products that find nothing of theirs in L2, for plans that try several ways.  Not installed.
 *
 * A warm product of a matrix that fits L2 tells little about one in a program whose other work comes between: a way
 * that reads more bytes in a handier order wins there and nowhere else.
 */
#ifndef SPMV_GPU_COLD_H
#define SPMV_GPU_COLD_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GPU_COLD_RUNS = 15 }; /* at most */

typedef struct gpu_cold {
    cudaStream_t stream;
    void *d_flush; /* as large as L2: reading it leaves nothing else there, and nothing that must be written back */
    size_t bytes;
    cudaEvent_t events[2 * 2 * GPU_COLD_RUNS];
} gpu_cold_t;

/* *cold is all zero.  cudaErrorNotSupported where nothing can be timed.  Close it after an error as well. */
cudaError_t gpu_cold_open(gpu_cold_t *cold, cudaStream_t stream);
void gpu_cold_close(gpu_cold_t *cold);

/* The median of `runs` products of each of `count` (1 or 2) ways, in turns.  Waits for the stream. */
cudaError_t gpu_cold_times(gpu_cold_t *cold, cudaError_t (*multiply)(void *context, int which), void *context,
                           int count, int runs, float us[2]);

#ifdef __cplusplus
}
#endif
#endif
