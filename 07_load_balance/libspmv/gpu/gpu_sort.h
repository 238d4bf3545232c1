/* gpu_sort.h - a stable sort of numbers in ascending order. */
#ifndef SPMV_GPU_SORT_H
#define SPMV_GPU_SORT_H

#include <cuda_runtime_api.h>
#include <stdint.h>

/* All arrays are device memory.  gpu_sort_begin() sets `order` to 0 .. n - 1, and gpu_sort_by() sorts it: key[order[i]]
 * ascends with i, and equal keys keep their order.  So a sort by two keys begins with the less important one. */
typedef struct gpu_sort {
    uint32_t n;
    uint32_t *order; /* [n] out */
    uint32_t *keys;  /* [n] out: of the last sort, in order */
    uint32_t *other_order, *other_keys, *counts, *sums;
    uint32_t warps, share; /* share: how many numbers each warp sorts */
} gpu_sort_t;

size_t gpu_sort_bytes(uint32_t n);
/* Uses `scratch`, which has that many bytes and belongs to the caller.  n > 0. */
cudaError_t gpu_sort_begin(gpu_sort_t *s, uint32_t n, void *scratch, cudaStream_t stream);
/* key: [n] numbers below `limit`, of the device.  Launches only. */
cudaError_t gpu_sort_by(gpu_sort_t *s, const uint32_t *key, uint32_t limit, cudaStream_t stream);

#endif
