/*
 * lib_callers.h - what libspmv has beside y = A x as rows of a table: Y = A X for several right-hand sides, and
 * y = A^T x; and cuSPARSE's, which one would call instead.
 *
 * Link $(BUILD)/libspmv_rows.a and, on the cuda back end, callers_cusparse.o.
 */
#ifndef LIB_CALLERS_H
#define LIB_CALLERS_H

#include "lib_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A problem's matrix once more, with k columns of X and Y, or transposed. */
typedef struct callers_data {
    const spmv_data_t *of;
    char name[220];
    int k;                            /* 1 where transposed */
    bool by_columns, transpose;
    size_t in, out;                   /* rows of X and of Y */
    void *x, *d_x;                    /* [in * k] without gaps, in host memory and on the GPU */
    double *y, *tolerance;            /* [out * k] the right answer in double, column after column */
    void *column;                     /* [out] scratch: one column of what is judged */
} callers_data_t;

/* A problem on that of spmv_problem_open(), which must outlive it.  Seconds on the host: references in double. */
int callers_many_open(problem_t *p, const problem_t *of, int k, bool by_columns, err_t *err);
int callers_transpose_open(problem_t *p, const problem_t *of, err_t *err);
void callers_close(problem_t *p);

/* The i-th row for each of them, NULL past the last. */
const step_t *callers_many_row(size_t i);
const step_t *callers_transpose_row(size_t i);

/* callers_cusparse.c: cusparseSpMM, or cusparseSpMV of the transpose.  alg: 0 the default, 2 CSR_ALG2. */
int callers_cusparse_setup(const callers_data_t *data, int alg, void **state, err_t *err);
int callers_cusparse_run(void *state, void *d_y, err_t *err);
void callers_cusparse_teardown(void *state);

#ifdef __cplusplus
}
#endif
#endif
