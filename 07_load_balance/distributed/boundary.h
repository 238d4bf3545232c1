/*
 * boundary.h - rows that need the halo, in the forms that direct_boundary reads (direct_kernels.h), in host memory.
 */
#ifndef DIST_BOUNDARY_H
#define DIST_BOUNDARY_H

#include "direct_kernels.h"
#include "err.h"

typedef struct boundary_rows {
    int32_t width;
    int32_t *slots;          /* [width * rows]; NULL if diagonals take less memory */
    diagonal_t *diagonals;   /* [width * boundary_groups(rows)]; NULL if slots is used */
    void *values;            /* [width * rows]  of `element` bytes */
} boundary_rows_t;

/* The number of nonzeros of the longest row; row_offsets [rows + 1]. */
int64_t boundary_longest(int64_t rows, const int64_t *row_offsets);

/* Stores rows as ELL, or as diagonals if these take less memory: if each row has its nonzeros one column further than
 * the row before, as in a grid.  row_offsets [rows + 1]; no row is longer than BOUNDARY_LONGEST; slots and values
 * [row_offsets[rows]] belong to the nonzeros, and slots are those of boundary_t.  Returns 0, or -1 if memory is short.
 * boundary_free frees the result. */
int boundary_make(boundary_rows_t *out, int64_t rows, const int64_t *row_offsets, const int32_t *slots,
                  const double *values, size_t element, err_t *err);
void boundary_free(boundary_rows_t *b);

#endif
