/*
 * 06_spmv_lightspmv - y = A x, dynamic scheduling of rows: the signature of all steps.
 */
#ifndef SPMV_LIGHTSPMV_CHAPTER_H
#define SPMV_LIGHTSPMV_CHAPTER_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asked.h"
#include "csr.h"

/* Compulsory bytes of one run: csr_spmv_bytes() of csr.h.  Matrix, x and y once. */

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU step: d_y[r] = sum of value * d_x[column] over row r, for every row, enqueued on stream.
 *   A          arrays in device memory, each aligned to its type and no more; columns in range; fp32 or fp64,
 *              32- or 64-bit offsets
 *   d_x        [cols], d_y [rows], of the values' type
 *   d_counter  one word, from which rows are assigned.  v2, v4, v6 and v7 zero it themselves.  From v8 on it is
 *              zero before the call and zero again after it; the calls that share it are in one stream.
 *   lanes      2, 4, 8, 16 or 32 lanes per row; from v10 on also 1                                              */
#define SPMV_LIGHTSPMV_ARGS \
    const csr_arrays_t *A, const void *d_x, void *d_y, uint32_t *d_counter, int lanes, cudaStream_t stream
typedef cudaError_t (*spmv_lightspmv_gpu_fn)(SPMV_LIGHTSPMV_ARGS);

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch` with LANES, the value type and
 * the offset type. */
#define SPMV_LIGHTSPMV_STEP_WITH(name, more_lanes)                                                                 \
    template <typename T, typename O>                                                                              \
    static cudaError_t name##_lanes(SPMV_LIGHTSPMV_ARGS)                                                           \
    {                                                                                                              \
        switch (lanes) {                                                                                           \
            more_lanes(name)                                                                                       \
        case 2: return name##_launch<2, T, O>(A, (const T *)d_x, (T *)d_y, d_counter, stream);                     \
        case 4: return name##_launch<4, T, O>(A, (const T *)d_x, (T *)d_y, d_counter, stream);                     \
        case 8: return name##_launch<8, T, O>(A, (const T *)d_x, (T *)d_y, d_counter, stream);                     \
        case 16: return name##_launch<16, T, O>(A, (const T *)d_x, (T *)d_y, d_counter, stream);                   \
        case 32: return name##_launch<32, T, O>(A, (const T *)d_x, (T *)d_y, d_counter, stream);                   \
        default: return cudaErrorInvalidValue;                                                                     \
        }                                                                                                          \
    }                                                                                                              \
    extern "C" cudaError_t name(SPMV_LIGHTSPMV_ARGS)                                                               \
    {                                                                                                              \
        const bool wide = A->offset_bits == 64;                                                                    \
        if (A->value_type == DTYPE_F64)                                                                            \
            return wide ? name##_lanes<double, uint64_t>(A, d_x, d_y, d_counter, lanes, stream)                    \
                        : name##_lanes<double, uint32_t>(A, d_x, d_y, d_counter, lanes, stream);                   \
        return wide ? name##_lanes<float, uint64_t>(A, d_x, d_y, d_counter, lanes, stream)                         \
                    : name##_lanes<float, uint32_t>(A, d_x, d_y, d_counter, lanes, stream);                        \
    }
#define SPMV_LIGHTSPMV_NO_MORE(name)
#define SPMV_LIGHTSPMV_ONE_LANE(name) \
    case 1: return name##_launch<1, T, O>(A, (const T *)d_x, (T *)d_y, d_counter, stream);

#define SPMV_LIGHTSPMV_STEP(name) SPMV_LIGHTSPMV_STEP_WITH(name, SPMV_LIGHTSPMV_NO_MORE)
/* From v10 on: a row may have one lane only, and the step names its table. */
#define SPMV_LIGHTSPMV_STEP_BY(name, table)                                  \
    SPMV_LIGHTSPMV_STEP_WITH(name, SPMV_LIGHTSPMV_ONE_LANE)                  \
    extern "C" const struct lanes_rule *name##_rule(void) { return table; }
#endif
#endif
