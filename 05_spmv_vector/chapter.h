/*
 * 05_spmv_vector - y = A x, a vector of lanes per row: the signature of all steps.
 */
#ifndef SPMV_VECTOR_CHAPTER_H
#define SPMV_VECTOR_CHAPTER_H

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
 *   A      arrays in device memory, each aligned to its type and no more; columns in range
 *   d_x    [cols], d_y [rows]: fp64 beside fp64 values, fp32 beside all others
 *   lanes  2, 4, 8, 16 or 32 lanes per row; steps with a fixed number of lanes ignore it  */
#define SPMV_VECTOR_ARGS const csr_arrays_t *A, const void *d_x, void *d_y, int lanes, cudaStream_t stream
typedef cudaError_t (*spmv_vector_gpu_fn)(SPMV_VECTOR_ARGS);

/* A CPU step: the same, arrays in host memory; fp32 and fp64. */
#define SPMV_VECTOR_CPU_ARGS const csr_arrays_t *A, const void *x, void *y
typedef void (*spmv_vector_cpu_fn)(SPMV_VECTOR_CPU_ARGS);

/* The memory layout of two of the value types. */
typedef struct fp16 { uint16_t bits; } fp16_t;
typedef struct bf16 { uint16_t bits; } bf16_t;

/* Steps that others call. */
cudaError_t spmv_vector_v7(SPMV_VECTOR_ARGS);

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch` with real types.
 * v1 and v2, always 32 lanes: */
#define SPMV_VECTOR_STEP_32(name)                                                              \
    extern "C" cudaError_t name(SPMV_VECTOR_ARGS)                                              \
    {                                                                                          \
        (void)lanes;                                                                           \
        if (A->value_type == DTYPE_F64)                                                        \
            return name##_launch(A, (const double *)d_x, (double *)d_y, stream);               \
        return name##_launch(A, (const float *)d_x, (float *)d_y, stream);                     \
    }

/* From v3 on `name_launch` is a template of LANES and the value type: */
#define SPMV_VECTOR_STEP(name)                                                                 \
    template <typename T>                                                                      \
    static cudaError_t name##_lanes(SPMV_VECTOR_ARGS)                                          \
    {                                                                                          \
        switch (lanes) {                                                                       \
        case 2: return name##_launch<2>(A, (const T *)d_x, (T *)d_y, stream);                  \
        case 4: return name##_launch<4>(A, (const T *)d_x, (T *)d_y, stream);                  \
        case 8: return name##_launch<8>(A, (const T *)d_x, (T *)d_y, stream);                  \
        case 16: return name##_launch<16>(A, (const T *)d_x, (T *)d_y, stream);                \
        case 32: return name##_launch<32>(A, (const T *)d_x, (T *)d_y, stream);                \
        default: return cudaErrorInvalidValue;                                                 \
        }                                                                                      \
    }                                                                                          \
    extern "C" cudaError_t name(SPMV_VECTOR_ARGS)                                              \
    {                                                                                          \
        return A->value_type == DTYPE_F64 ? name##_lanes<double>(A, d_x, d_y, lanes, stream)   \
                                          : name##_lanes<float>(A, d_x, d_y, lanes, stream);   \
    }

/* v12 and v13: a template of LANES, the value type T and the type S of sums and vectors. */
#define SPMV_VECTOR_STEP_SUMS(name, more_types)                                                \
    template <typename T, typename S>                                                          \
    static cudaError_t name##_lanes(SPMV_VECTOR_ARGS)                                          \
    {                                                                                          \
        switch (lanes) {                                                                       \
        case 2: return name##_launch<2, T>(A, (const S *)d_x, (S *)d_y, stream);               \
        case 4: return name##_launch<4, T>(A, (const S *)d_x, (S *)d_y, stream);               \
        case 8: return name##_launch<8, T>(A, (const S *)d_x, (S *)d_y, stream);               \
        case 16: return name##_launch<16, T>(A, (const S *)d_x, (S *)d_y, stream);             \
        case 32: return name##_launch<32, T>(A, (const S *)d_x, (S *)d_y, stream);             \
        default: return cudaErrorInvalidValue;                                                 \
        }                                                                                      \
    }                                                                                          \
    extern "C" cudaError_t name(SPMV_VECTOR_ARGS)                                              \
    {                                                                                          \
        switch (A->value_type) {                                                               \
        case DTYPE_F32: return name##_lanes<float, float>(A, d_x, d_y, lanes, stream);         \
        case DTYPE_F64: return name##_lanes<double, double>(A, d_x, d_y, lanes, stream);       \
            more_types(name)                                                                   \
        default: return cudaErrorInvalidValue;                                                 \
        }                                                                                      \
    }
#define SPMV_VECTOR_INT8(name) \
    case DTYPE_I8: return name##_lanes<int8_t, float>(A, d_x, d_y, lanes, stream);
#define SPMV_VECTOR_NARROW(name)                                                               \
    SPMV_VECTOR_INT8(name)                                                                     \
    case DTYPE_F16: return name##_lanes<fp16_t, float>(A, d_x, d_y, lanes, stream);            \
    case DTYPE_BF16: return name##_lanes<bf16_t, float>(A, d_x, d_y, lanes, stream);
#define SPMV_VECTOR_STEP_INT8(name) SPMV_VECTOR_STEP_SUMS(name, SPMV_VECTOR_INT8)
#define SPMV_VECTOR_STEP_NARROW(name) SPMV_VECTOR_STEP_SUMS(name, SPMV_VECTOR_NARROW)

/* v14 to v16: the same for every value type T and offset type O. */
#define SPMV_VECTOR_STEP_ALL_TYPES(name)                                                       \
    template <typename T, typename O, typename S>                                              \
    static cudaError_t name##_lanes(SPMV_VECTOR_ARGS)                                          \
    {                                                                                          \
        switch (lanes) {                                                                       \
        case 2: return name##_launch<2, T, O>(A, (const S *)d_x, (S *)d_y, stream);            \
        case 4: return name##_launch<4, T, O>(A, (const S *)d_x, (S *)d_y, stream);            \
        case 8: return name##_launch<8, T, O>(A, (const S *)d_x, (S *)d_y, stream);            \
        case 16: return name##_launch<16, T, O>(A, (const S *)d_x, (S *)d_y, stream);          \
        case 32: return name##_launch<32, T, O>(A, (const S *)d_x, (S *)d_y, stream);          \
        default: return cudaErrorInvalidValue;                                                 \
        }                                                                                      \
    }                                                                                          \
    template <typename T, typename S>                                                          \
    static cudaError_t name##_offsets(SPMV_VECTOR_ARGS)                                        \
    {                                                                                          \
        return A->offset_bits == 64 ? name##_lanes<T, uint64_t, S>(A, d_x, d_y, lanes, stream) \
                                    : name##_lanes<T, uint32_t, S>(A, d_x, d_y, lanes, stream); \
    }                                                                                          \
    extern "C" cudaError_t name(SPMV_VECTOR_ARGS)                                              \
    {                                                                                          \
        switch (A->value_type) {                                                               \
        case DTYPE_F32: return name##_offsets<float, float>(A, d_x, d_y, lanes, stream);       \
        case DTYPE_F64: return name##_offsets<double, double>(A, d_x, d_y, lanes, stream);     \
        case DTYPE_F16: return name##_offsets<fp16_t, float>(A, d_x, d_y, lanes, stream);      \
        case DTYPE_BF16: return name##_offsets<bf16_t, float>(A, d_x, d_y, lanes, stream);     \
        case DTYPE_I8: return name##_offsets<int8_t, float>(A, d_x, d_y, lanes, stream);       \
        default: return cudaErrorInvalidValue;                                                 \
        }                                                                                      \
    }
#endif
#endif
