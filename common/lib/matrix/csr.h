/*
 * csr.h - compressed sparse rows, the format every SpMV chapter starts from.
 *
 * csr_t is the library's exact form: 64-bit offsets, double values.  Code that
 * multiplies uses csr_arrays_t, the same matrix with the value and
 * offset types of the experiment, in host or device memory.
 */
#ifndef COURSE_CSR_H
#define COURSE_CSR_H

#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "err.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csr {
    size_t rows, cols, nnz;
    int64_t *row_offsets; /* [rows + 1]  row r holds nonzeros row_offsets[r] .. row_offsets[r + 1] - 1 */
    int32_t *col_indices; /* [nnz]       ascending within a row */
    double *values;       /* [nnz]       explicit zeros are kept */
} csr_t;

/* Statistics of the row lengths. */
typedef struct csr_stats {
    size_t min_row, max_row, empty_rows;
    double mean_row, stddev_row;
    size_t bandwidth; /* largest |column - row| */
} csr_stats_t;

/* Allocates a zeroed matrix of this shape, which the caller frees.  NULL if memory is
 * short or if cols or rows exceed 2^31 - 1. */
csr_t *csr_alloc(size_t rows, size_t cols, size_t nnz);
csr_t *csr_free(csr_t *A);       /* takes NULL, returns NULL */
csr_t *csr_copy(const csr_t *A); /* NULL if out of memory */

/* Makes a CSR matrix from nnz triplets in any order.  Duplicates are summed in the order
 * given; each row is sorted by column.  NULL and *err if an index is out of range or
 * memory is short. */
csr_t *csr_from_triplets(size_t rows, size_t cols, size_t nnz, const int32_t *row_indices,
                         const int32_t *col_indices, const double *values, err_t *err);

/* Returns 0 if A keeps its invariants: offsets start at 0, never decrease, end at nnz;
 * columns are in range and strictly ascending in each row; values are finite.  Otherwise
 * -1, and *err names the row and the reason. */
int csr_check(const csr_t *A, err_t *err);

csr_stats_t csr_stats(const csr_t *A);
csr_t *csr_transpose(const csr_t *A); /* NULL if out of memory */

/* Rounds every value to t in place, so that the reference sees the numbers the
 * kernels see. */
void csr_round(csr_t *A, dtype_t t);

/* A matrix in the types of an experiment.  All pointers are to host memory, or all to
 * device memory. */
typedef struct csr_arrays {
    size_t rows, cols, nnz;
    dtype_t value_type;
    int offset_bits;      /* 32 or 64 */
    void *row_offsets;    /* [rows + 1] int32_t or int64_t */
    int32_t *col_indices; /* [nnz] */
    void *values;         /* [nnz] of value_type */
} csr_arrays_t;

/* Makes host arrays of A, each 64-byte aligned; free with csr_arrays_free.  -1 if memory
 * is short, or offset_bits is 32 and nnz does not fit ("use 64-bit offsets"). */
int csr_arrays_from(csr_arrays_t *out, const csr_t *A, dtype_t value_type, int offset_bits, err_t *err);
void csr_arrays_free(csr_arrays_t *a); /* host arrays only; takes zeroed structs */

/* Returns the compulsory bytes of y = A x, with every value, index, offset and element of x
 * and y once: nnz*(value+4) + (rows+1)*offset + (rows+cols)*vector. */
size_t csr_spmv_bytes(size_t rows, size_t cols, size_t nnz, dtype_t value_type, int offset_bits);

#ifdef __cplusplus
}
#endif
#endif
