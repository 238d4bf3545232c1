/*
 * gpu_kernels.h - the kernels of an exchange.
 */
#ifndef DIST_GPU_KERNELS_H
#define DIST_GPU_KERNELS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* to[i] = x[index[i]] for i < n; elements of 4 or 8 bytes. */
cudaError_t gpu_pack(void *to, const void *x, const int32_t *index, size_t n, size_t element, cudaStream_t stream);

/* y[rows[i]] += sum[i] for i < n, rows distinct; float (element 4) or double (8). */
cudaError_t gpu_add_rows(void *y, const int32_t *rows, const void *sum, size_t n, size_t element, cudaStream_t stream);

/* y[i] = x[index[offsets[i]]] + ... + x[index[offsets[i + 1] - 1]], from left to right, for i < n; float or double. */
cudaError_t gpu_add_in_order(void *y, const int64_t *offsets, const int32_t *index, const void *x, size_t n,
                              size_t element, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
