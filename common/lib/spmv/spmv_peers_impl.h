/* spmv_peers_impl.h - what libraries share, and the two behind spmv_peers.c */
#ifndef COURSE_SPMV_PEERS_IMPL_H
#define COURSE_SPMV_PEERS_IMPL_H

#include "spmv_problem.h"

/* What no library takes, or NULL; the check of a library's y. */
const char *library_skip(const problem_t *p);
int library_check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err);

/* The matrix formats of cuSPARSE. */
typedef enum cusparse_format { CUSPARSE_CSR, CUSPARSE_COO, CUSPARSE_SELL, CUSPARSE_BSR, CUSPARSE_OP } cusparse_format_t;
typedef struct cusparse_form {
    cusparse_format_t format;
    int alg;         /* 0 the default, 1 or 2 */
    bool preprocess; /* cusparseSpMV_preprocess in setup */
} cusparse_form_t;

/* What the form needs and this cuSPARSE lacks; NULL if it can be set up.  These functions are for the cuda back end
 * only. */
const char *cusparse_lacks(const cusparse_form_t *form);
/* Set-up: handle, descriptors, the format built on the host and copied, buffer, preprocess. */
int cusparse_setup(const cusparse_form_t *form, const spmv_data_t *data, void **state, err_t *err);
int cusparse_run(void *state, void *d_y, err_t *err);
void cusparse_teardown(void *state);

/* librsb; the step's `how` is a bool: rsb_tune_spmm in setup.  In a build without it all rows are skipped. */
extern const step_ops_t librsb_ops;

#endif
