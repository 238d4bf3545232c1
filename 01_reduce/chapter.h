/*
 * 01_reduce - the sum of n numbers: the signature of all steps.
 */
#ifndef REDUCE_CHAPTER_H
#define REDUCE_CHAPTER_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "asked.h"
#include "dtype.h"

/* Compulsory bytes of one run: every element read once, one result written. */
static inline size_t reduce_bytes(size_t n, dtype_t t) { return (n + 1) * dtype_size(t); }

/* Elements a step may use in d_sums.  A pass leaves at most one sum for 256
 * elements (n/256 + n/256^2 + ... < n/255); a grid sized to a GPU, one per block. */
static inline size_t reduce_sums_count(size_t n) { return n / 255 + 8192; }

/* Words for blocks to signal each other: two for each block of a grid that fits on a GPU. */
enum { REDUCE_WORDS = 2 * 8192 };

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU step: *d_out = d_in[0] + ... + d_in[n - 1], fp32 or fp64, enqueued on stream.
 *   d_in       [n], aligned to its type and no more
 *   d_sums     [reduce_sums_count(n)] scratch, holds anything
 *   d_words    [REDUCE_WORDS] zero before the call, and zero again after it             */
#define REDUCE_ARGS                                                                      \
    dtype_t dtype, const void *d_in, size_t n, void *d_out, void *d_sums, unsigned long long *d_words, \
        cudaStream_t stream
typedef cudaError_t (*reduce_gpu_fn)(REDUCE_ARGS);

/* A CPU step: *out = in[0] + ... + in[n - 1], summed in double and rounded once. */
#define REDUCE_CPU_ARGS dtype_t dtype, const void *in, size_t n, void *out
typedef void (*reduce_cpu_fn)(REDUCE_CPU_ARGS);

/* The loop of c3, which c4 also calls: returns the sum in double. */
void reduce_simd_sum(dtype_t dtype, const void *in, size_t n, double *sum);

/* False if no Thrust headers were found. */
bool reduce_thrust_omp_present(void);

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch` with real types. */
#define REDUCE_STEP(name)                                                                                  \
    extern "C" cudaError_t name(REDUCE_ARGS)                                                               \
    {                                                                                                      \
        if (dtype == DTYPE_F64)                                                                            \
            return name##_launch((const double *)d_in, n, (double *)d_out, (double *)d_sums, d_words, stream); \
        return name##_launch((const float *)d_in, n, (float *)d_out, (float *)d_sums, d_words, stream);  \
    }
#endif
#endif
