/* gpu_sort.h - numbers in rising order, and what came first stays first. */
#ifndef SPMV_GPU_SORT_H
#define SPMV_GPU_SORT_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All of it device memory.  gpu_sort_begin() makes `order` 0 .. n - 1, each gpu_sort_by() sorts it: key[order[i]] rises
 * with i, and equal ones stay as they stood.  So who sorts by two keys begins with the lesser. */
typedef struct gpu_sort {
    uint32_t n;
    uint32_t *order; /* [n] out */
    uint32_t *keys;  /* [n] out: of the last sort, in order */
    uint32_t *other_order, *other_keys, *counts, *sums;
    uint32_t warps, share; /* of the n for each warp */
} gpu_sort_t;

size_t gpu_sort_bytes(uint32_t n);
/* In `scratch`, of that many bytes, which stays the caller's.  n > 0. */
cudaError_t gpu_sort_begin(gpu_sort_t *s, uint32_t n, void *scratch, cudaStream_t stream);
/* key: [n] numbers below `limit`, of the device.  Launches only. */
cudaError_t gpu_sort_by(gpu_sort_t *s, const uint32_t *key, uint32_t limit, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
