/* forms.h - a matrix in any form that spmv.h takes, or its transpose, stored anew as CSR.  Not installed. */
#ifndef SPMV_FORMS_H
#define SPMV_FORMS_H

#include <stdbool.h>

#include "spmv_sizes.h"

/* Host memory.  Columns of a row come in rising order where the caller's did, and always from SPMV_COO. */
typedef struct form {
    int64_t rows, cols, nnz; /* nnz of both triangles */
    int bits;                /* 32 or 64, of offsets and of origin */
    void *offsets;           /* [rows + 1] */
    int32_t *columns;        /* [nnz] from 0 on */
    void *origin;            /* [nnz] the place of the value among the caller's */
} form_t;

/* A's arrays are host memory and have been checked.  False: no memory, and nothing stays allocated. */
bool form_make(form_t *form, const spmv_matrix_t *A, bool transpose);
void form_free(form_t *form);

/* Zeros for so many rows and nonzeros.  False: no memory, and nothing stays allocated; so of form_turn(). */
bool form_allocate(form_t *form, int64_t rows, int64_t cols, int64_t nnz);
/* The transpose of f; its columns rise within each row. */
bool form_turn(form_t *form, const form_t *f);

/* values[i] = source[origin[i]] for i < n; values of `size` bytes, origins of `bits`. */
void form_gather(void *values, const void *source, const void *origin, int bits, int64_t n, size_t size);

#endif
