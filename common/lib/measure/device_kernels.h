/* device_kernels.h - the kernels with which device_cuda.c measures the GPU. */
#ifndef COURSE_DEVICE_KERNELS_H
#define COURSE_DEVICE_KERNELS_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All enqueue on the default stream.  bytes is a multiple of 16, pointers are 16-byte aligned. */
cudaError_t device_kernel_empty(void);
cudaError_t device_kernel_wait(unsigned microseconds);                       /* keeps the GPU busy, touches nothing */
cudaError_t device_kernel_read(const void *d, size_t bytes, float *d_sink);  /* sums everything */
cudaError_t device_kernel_copy(void *d_to, const void *d_from, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
