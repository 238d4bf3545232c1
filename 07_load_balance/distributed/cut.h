/*
 * cut.h - cuts the rows of a matrix into parts of adjacent rows.  Independent of MPI.
 */
#ifndef DIST_CUT_H
#define DIST_CUT_H

#include <stddef.h>
#include <stdint.h>

/* The methods of distributing rows; each rank gets adjacent rows. */
typedef enum dist_cut {
    DIST_CUT_BEST = 0, /* the least possible maximum of nonzeros per rank */
    DIST_CUT_SOURCE,   /* about nnz / ranks each, alternately rounded up and down (article S4) */
    DIST_CUT_ROWS      /* the same number of rows each */
} dist_cut_t;

/* first[p] .. first[p + 1] - 1 are the rows of part p, for 0 <= p < parts; first [parts + 1] ascends from 0 to rows;
 * parts may be empty.  row_offsets [rows + 1] as in csr_t; parts >= 1. */
void cut_rows(const int64_t *row_offsets, size_t rows, int parts, dist_cut_t how, int64_t *first);

/* Cuts n things into `parts` parts of sizes as equal as possible. */
void cut_even(int64_t n, int parts, int64_t *first);

#endif
