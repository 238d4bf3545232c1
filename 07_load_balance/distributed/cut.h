/*
 * cut.h - rows of a matrix cut into parts of neighbours.  Knows nothing of MPI.
 */
#ifndef DIST_CUT_H
#define DIST_CUT_H

#include <stddef.h>
#include <stdint.h>

/* How rows are dealt out; each rank gets neighbours. */
typedef enum dist_cut {
    DIST_CUT_BEST = 0, /* the least possible maximum of nonzeros a rank */
    DIST_CUT_SOURCE,   /* nnz / ranks each, alternately a little more and a little less (article S4) */
    DIST_CUT_ROWS      /* as many rows each */
} dist_cut_t;

/* first[p] .. first[p + 1] - 1 are the rows of part p, for 0 <= p < parts; first [parts + 1], rising from 0 to rows,
 * parts may be empty.  row_offsets [rows + 1] as in csr_t; parts >= 1. */
void cut_rows(const int64_t *row_offsets, size_t rows, int parts, dist_cut_t how, int64_t *first);

/* n things into `parts`, the sizes as even as can be. */
void cut_even(int64_t n, int parts, int64_t *first);

#endif
