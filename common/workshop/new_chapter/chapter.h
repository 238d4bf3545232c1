/*
 * 00_topic - y = 2 x for n numbers: the signature of all steps.
 */
#ifndef TOPIC_CHAPTER_H
#define TOPIC_CHAPTER_H

#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A step: d_y[i] = 2 * d_x[i] for every i, enqueued on stream.  d_x, d_y: [n], aligned to float and no more. */
#define TOPIC_ARGS const float *d_x, size_t n, float *d_y, cudaStream_t stream
typedef cudaError_t (*topic_fn)(TOPIC_ARGS);

#ifdef __cplusplus
}
#endif
#endif
