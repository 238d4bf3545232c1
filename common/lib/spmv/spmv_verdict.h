/*
 * spmv_verdict.h - the verdict below a run of one matrix: its features, the best step and why, and the command that
 * shows the difference.  best.h chooses the best row.
 */
#ifndef COURSE_SPMV_VERDICT_H
#define COURSE_SPMV_VERDICT_H

#include <stdio.h>

#include "best.h"
#include "csr.h"
#include "err.h"

/* The features of a matrix. */
typedef struct verdict_matrix {
    char name[160]; /* column `case` of its rows; "": no matrix yet */
    size_t rows, cols, nnz, longest, empty, bandwidth;
    double mean;
    int block;         /* the size of the dense blocks, 2, 3 or 4, that hold its nonzeros with least filler; 0: none */
    double block_fill; /* the share of the slots of these blocks that hold nonzeros */
} verdict_matrix_t;

/* Computes the features of A in two passes over its nonzeros. */
void verdict_look(verdict_matrix_t *m, const csr_t *A, const char *name);

/* The best row of its kind. */
typedef struct verdict_row {
    best_t best;             /* step "": there is none */
    char chapter[32], idea[256], limiter[160];
    double setup_us, setup_low_us, setup_high_us; /* before the first product: measured, or, where the time of the
                                                     product is predicted, that time multiplied by the ratio on an H200
                                                     (nine of ten are in the range); NAN: no set-up, or unknown */
} verdict_row_t;

typedef struct verdict {
    verdict_matrix_t matrix;
    char dtype[16], predicted_for[64];
    verdict_row_t as_is, prepared;           /* the best kernel without set-up, and with set-up */
    verdict_row_t step_as_is, step_prepared; /* the same two, only of the chapters' steps */
    verdict_row_t library, libspmv;          /* cuSPARSE (only measured rows); libspmv's plan */
} verdict_t;

/* Makes the verdict on this matrix from TSV results files at paths (NULL-terminated): from the rows of kernels with its
 * name and this type.  -1 and *err if a file cannot be read, or if no such row has a time. */
int verdict_make(verdict_t *v, const verdict_matrix_t *m, const char *dtype, const char *const *paths, err_t *err);

/* Prints the verdict in five lines; `matrix` is the argument that the user typed. */
void verdict_print(const verdict_t *v, const char *matrix, FILE *to);
/* The same as one JSON object; -1 if out of memory. */
int verdict_json(const verdict_t *v, const char *matrix, FILE *to);

#endif
