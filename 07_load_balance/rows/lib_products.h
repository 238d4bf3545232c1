/*
 * lib_products.h - libspmv's other products as rows of a table: Y = A X for several right-hand sides, and y = A^T x;
 * with the products of cuSPARSE as baseline.
 *
 * Link $(BUILD)/libspmv_rows.a and, on the cuda back end, products_cusparse.o.
 */
#ifndef LIB_PRODUCTS_H
#define LIB_PRODUCTS_H

#include "lib_rows.h"

/* The matrix of another problem with k columns of X and Y, or with its transpose. */
typedef struct products_data {
    const spmv_data_t *of;
    char name[220];
    int k;                            /* 1 for the transpose */
    bool by_columns, transpose;
    size_t in, out;                   /* rows of X and of Y */
    void *x, *d_x;                    /* [in * k] without gaps, in host memory and on the GPU */
    double *y, *tolerance;            /* [out * k] the right result in double, column after column */
    void *column;                     /* [out] scratch: the column that is being checked */
} products_data_t;

/* Opens a problem based on one of spmv_problem_open(), which must outlive it.  Computes references in double on the
 * host, which takes seconds. */
int products_many_open(problem_t *p, const problem_t *of, int k, bool by_columns, err_t *err);
int products_transpose_open(problem_t *p, const problem_t *of, err_t *err);
void products_close(problem_t *p);

/* The i-th row of each table, NULL after the last. */
const step_t *products_many_row(size_t i);
const step_t *products_transpose_row(size_t i);

/* Implemented by products_cusparse.c: cusparseSpMM, or cusparseSpMV of the transpose.  alg: 0 the default, 2
 * CSR_ALG2. */
int products_cusparse_setup(const products_data_t *data, int alg, void **state, err_t *err);
int products_cusparse_run(void *state, void *d_y, err_t *err);
void products_cusparse_teardown(void *state);

#endif
