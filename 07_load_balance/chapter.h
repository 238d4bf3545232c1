/*
 * 07_load_balance - y = A x with balanced work, however long single rows are: the signature of all steps.
 */
#ifndef LOAD_BALANCE_CHAPTER_H
#define LOAD_BALANCE_CHAPTER_H

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

/* A step: d_y[r] = sum of value * d_x[column] over row r, for every row, enqueued on stream.
 *   A     arrays in device memory, each aligned to its type and no more; columns in range; fp32 or fp64
 *   plan  the plan that the step made for A, NULL for a step without one.  It contains the scratch memory
 *         of a run, so two runs must not use one plan at the same time
 *   d_x   [cols], d_y [rows], of A's value type  */
#define LOAD_BALANCE_ARGS const csr_arrays_t *A, void *plan, const void *d_x, void *d_y, cudaStream_t stream
typedef cudaError_t (*load_balance_fn)(LOAD_BALANCE_ARGS);

/* The set-up of a step, done once for a matrix: a format, lists of rows, scratch memory. */
typedef struct load_balance_plan_ops {
    /* Complete on return.  After an error no memory stays allocated, and the CUDA error is cleared. */
    cudaError_t (*create)(const csr_arrays_t *A, void **plan, cudaStream_t stream);
    size_t (*bytes)(const void *plan); /* device memory it holds */
    void (*destroy)(void *plan);       /* takes NULL */
} load_balance_plan_ops_t;

/* For steps that store some matrices as v39 does. */
cudaError_t load_balance_v39(LOAD_BALANCE_ARGS);

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch<T, O>` with the value
 * type T and the offset type O of A. */
#define LOAD_BALANCE_STEP(name)                                                                      \
    template <typename T>                                                                            \
    static cudaError_t name##_offsets(LOAD_BALANCE_ARGS)                                             \
    {                                                                                                \
        return A->offset_bits == 64 ? name##_launch<T, uint64_t>(A, plan, (const T *)d_x, (T *)d_y, stream)  \
                                    : name##_launch<T, uint32_t>(A, plan, (const T *)d_x, (T *)d_y, stream); \
    }                                                                                                \
    extern "C" cudaError_t name(LOAD_BALANCE_ARGS)                                                   \
    {                                                                                                \
        return A->value_type == DTYPE_F64 ? name##_offsets<double>(A, plan, d_x, d_y, stream)        \
                                          : name##_offsets<float>(A, plan, d_x, d_y, stream);        \
    }
#endif
#endif
