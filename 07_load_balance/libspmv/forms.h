/* forms.h - converts a matrix in any form that spmv.h takes, or its transpose, to CSR.  Not installed. */
#ifndef SPMV_FORMS_H
#define SPMV_FORMS_H

#include <stdbool.h>

#include "spmv_sizes.h"

/* In host memory.  The columns of a row ascend if the caller's did, and always if the input was SPMV_COO. */
typedef struct form {
    int64_t rows, cols, nnz; /* nnz of both triangles */
    int bits;                /* 32 or 64, of offsets and of origin */
    void *offsets;           /* [rows + 1] */
    int32_t *columns;        /* [nnz] from 0 on */
    void *origin;            /* [nnz] the index of the value in the caller's array */
} form_t;

/* Converts A, whose arrays are in host memory and have been checked.  False: no memory, and nothing stays allocated. */
bool form_make(form_t *form, const spmv_matrix_t *A, bool transpose);
void form_free(form_t *form);

/* Allocates zeroed arrays for so many rows and nonzeros.  False: no memory, and nothing stays allocated; form_turn() is
 * the same in this. */
bool form_allocate(form_t *form, int64_t rows, int64_t cols, int64_t nnz);
/* Computes the transpose of f; its columns ascend within each row. */
bool form_turn(form_t *form, const form_t *f);

/* values[i] = source[origin[i]] for i < n; values of `size` bytes, origins of `bits`. */
void form_gather(void *values, const void *source, const void *origin, int bits, int64_t n, size_t size);

#endif
