/* forms.h - converts a matrix in any form that spmv.h takes, or its transpose, to CSR.  Not installed. */
#ifndef SPMV_FORMS_H
#define SPMV_FORMS_H

#include <stdbool.h>

#include "spmv_sizes.h"

/* A matrix as CSR in host memory.  The columns of a row ascend if the caller's did, and always if the input was
 * SPMV_COO. */
typedef struct form {
    int64_t rows, cols, nnz; /* nnz counts both triangles */
    int bits;                /* 32 or 64: the bits of an element of offsets and of origin */
    void *offsets;           /* [rows + 1] */
    int32_t *columns;        /* [nnz] from 0 on */
    void *origin;            /* [nnz] the index of the value in the caller's array */
} form_t;

/* Converts A, whose arrays are in host memory and have been checked.  Returns false if memory is short; then nothing
 * stays allocated. */
bool form_make(form_t *form, const spmv_matrix_t *A, bool transpose);
void form_free(form_t *form);

/* Allocates zeroed arrays for so many rows and nonzeros.  This and form_turn() return false if memory is short; then
 * nothing stays allocated. */
bool form_allocate(form_t *form, int64_t rows, int64_t cols, int64_t nnz);
/* Computes the transpose of f; its columns ascend within each row. */
bool form_turn(form_t *form, const form_t *f);

/* Sets values[i] = source[origin[i]] for i < n; a value has `size` bytes, an origin `bits` bits. */
void form_gather(void *values, const void *source, const void *origin, int bits, int64_t n, size_t size);

#endif
