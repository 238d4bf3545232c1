/* spmv_peers_impl.h - functions that the library baselines share, and the two baselines that spmv_peers.c lists */
#ifndef COURSE_SPMV_PEERS_IMPL_H
#define COURSE_SPMV_PEERS_IMPL_H

#include "spmv_problem.h"

/* Return why no library supports this problem, or NULL; and check a library's y. */
const char *library_skip(const problem_t *p);
int library_check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err);

/* The matrix formats of cuSPARSE. */
typedef enum cusparse_format { CUSPARSE_CSR, CUSPARSE_COO, CUSPARSE_SELL, CUSPARSE_BSR, CUSPARSE_OP } cusparse_format_t;
typedef struct cusparse_form {
    cusparse_format_t format;
    int alg;         /* the algorithm: 0 is the default, else 1 or 2 */
    bool preprocess; /* set-up calls cusparseSpMV_preprocess */
} cusparse_form_t;

/* Returns what the form needs and this cuSPARSE lacks; NULL if it can be set up.  These functions are only for the cuda
 * back end. */
const char *cusparse_lacks(const cusparse_form_t *form);
/* Does the set-up: handle, descriptors, the format (built on the host and copied), buffer, preprocess. */
int cusparse_setup(const cusparse_form_t *form, const spmv_data_t *data, void **state, err_t *err);
int cusparse_run(void *state, void *d_y, err_t *err);
void cusparse_teardown(void *state);

/* The operations of librsb; the step's `how` is a bool: whether set-up calls rsb_tune_spmm.  In a build without librsb
 * its rows are skipped. */
extern const step_ops_t librsb_ops;

#endif
