/*
 * boundary.h - rows that need the halo, in the forms that direct_boundary reads (direct_kernels.h), in host memory.
 */
#ifndef DIST_BOUNDARY_H
#define DIST_BOUNDARY_H

#include "direct_kernels.h"
#include "err.h"

typedef struct boundary_rows {
    int32_t width;
    int32_t *slots;          /* [width * rows], or */
    diagonal_t *diagonals;   /* [width * boundary_groups(rows)] */
    void *values;            /* [width * rows]  of `element` bytes */
} boundary_rows_t;

/* Nonzeros of the longest of `rows` rows; row_offsets [rows + 1]. */
int64_t boundary_longest(int64_t rows, const int64_t *row_offsets);

/* Rows of `row_offsets` [rows + 1], none longer than BOUNDARY_LONGEST; slots and values [row_offsets[rows]] of their
 * nonzeros, slots as boundary_t has them.  ELL, or diagonals where they take less: where rows one after the other have
 * their nonzeros one place further each, as those of a grid do.  0, or -1: out of memory.  boundary_free frees. */
int boundary_make(boundary_rows_t *out, int64_t rows, const int64_t *row_offsets, const int32_t *slots,
                  const double *values, size_t element, err_t *err);
void boundary_free(boundary_rows_t *b);

#endif
