/*
 * 04_spmv_scalar - y = A x, one thread per row or nonzero, six formats: the signature of all steps.
 */
#ifndef SPMV_SCALAR_CHAPTER_H
#define SPMV_SCALAR_CHAPTER_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asked.h"
#include "csr.h"

/* Compulsory bytes of one run: csr_spmv_bytes() of csr.h, the same for all formats.  The chapter is about how much
 * more or less each format moves. */

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spmv_scalar_format {
    SPMV_CSR, SPMV_COO, SPMV_ELL, SPMV_DIA, SPMV_HYB, SPMV_BSR
} spmv_scalar_format_t;

/* Padding has value 0 and, in formats with a column per slot, column -1, with which no kernel may read x. */
typedef struct spmv_scalar_coo {
    size_t nnz;
    const int32_t *row_indices, *col_indices; /* [nnz] by row, then column */
    const void *values;
} spmv_scalar_coo_t;

typedef struct spmv_scalar_ell {
    size_t width;
    const int32_t *col_indices; /* [width * rows]  entry k of row r at k * rows + r */
    const void *values;
} spmv_scalar_ell_t;

typedef struct spmv_scalar_dia {
    size_t diagonals;
    const int32_t *offsets; /* [diagonals]  column - row */
    const void *values;     /* [diagonals * rows]  row r of diagonal d at d * rows + r */
} spmv_scalar_dia_t;

typedef struct spmv_scalar_bsr {
    int block;                  /* 2, 3 or 4; the last block row and column may reach past the matrix */
    size_t block_rows, blocks;
    const void *row_offsets;    /* [block_rows + 1] uint32_t or int64_t, as offset_bits says */
    const int32_t *col_indices; /* [blocks] in units of blocks */
    const void *values;         /* [blocks * block * block]  (i, j) of block b at (b * block + j) * block + i */
} spmv_scalar_bsr_t;

/* A matrix in device memory, in the format that a step asked for.  Each array is aligned to its type and no more. */
typedef struct spmv_scalar_matrix {
    spmv_scalar_format_t format;
    dtype_t value_type; /* fp32 or fp64; x and y too */
    int offset_bits;    /* of CSR's and BSR's row_offsets: 32 or 64 */
    size_t rows, cols;
    csr_arrays_t csr;      /* always there */
    spmv_scalar_coo_t coo; /* COO; HYB: the entries beyond its ELL part */
    spmv_scalar_ell_t ell; /* ELL; HYB: the first `width` of each row */
    spmv_scalar_dia_t dia;
    spmv_scalar_bsr_t bsr;
} spmv_scalar_matrix_t;

/* A GPU step: d_y[r] = sum of value * d_x[column] over row r, for every row, enqueued on stream.
 *   d_x  [cols], d_y [rows], of A->value_type */
#define SPMV_SCALAR_ARGS const spmv_scalar_matrix_t *A, const void *d_x, void *d_y, cudaStream_t stream
typedef cudaError_t (*spmv_scalar_gpu_fn)(SPMV_SCALAR_ARGS);

/* Steps that others call. */
cudaError_t spmv_scalar_v1(SPMV_SCALAR_ARGS), spmv_scalar_v3(SPMV_SCALAR_ARGS), spmv_scalar_v4(SPMV_SCALAR_ARGS),
    spmv_scalar_v5(SPMV_SCALAR_ARGS), spmv_scalar_v6(SPMV_SCALAR_ARGS), spmv_scalar_v8(SPMV_SCALAR_ARGS);

#ifdef __cplusplus
}

/* Last line of a step file: the C function `name` calls the template `name_launch` with real types. */
#define SPMV_SCALAR_STEP(name)                                                                 \
    extern "C" cudaError_t name(SPMV_SCALAR_ARGS)                                              \
    {                                                                                          \
        return A->value_type == DTYPE_F64                                                      \
                   ? name##_launch<double>(A, (const double *)d_x, (double *)d_y, stream)      \
                   : name##_launch<float>(A, (const float *)d_x, (float *)d_y, stream);        \
    }

/* The same for formats with row offsets of type O: v1, v7 and v8. */
#define SPMV_SCALAR_STEP_OFFSETS(name)                                                         \
    template <typename O>                                                                      \
    static cudaError_t name##_values(SPMV_SCALAR_ARGS)                                         \
    {                                                                                          \
        return A->value_type == DTYPE_F64                                                      \
                   ? name##_launch<O, double>(A, (const double *)d_x, (double *)d_y, stream)   \
                   : name##_launch<O, float>(A, (const float *)d_x, (float *)d_y, stream);     \
    }                                                                                          \
    extern "C" cudaError_t name(SPMV_SCALAR_ARGS)                                              \
    {                                                                                          \
        return A->offset_bits == 64 ? name##_values<int64_t>(A, d_x, d_y, stream)              \
                                    : name##_values<uint32_t>(A, d_x, d_y, stream);            \
    }
#endif
#endif
