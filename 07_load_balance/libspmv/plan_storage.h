/*
 * plan_storage.h - the arrays of a plan: the caller's, copies of them, or CSR arrays converted from another form.  Not
 * installed.
 *
 * The plan's backend, source and source_nnz are set before a call.  On success plan->A is ready for the engine; on an
 * error the text is in libspmv_error, and storage_free() frees the arrays that the plan has so far.
 */
#ifndef SPMV_PLAN_STORAGE_H
#define SPMV_PLAN_STORAGE_H

#include "forms.h"
#include "plan.h"

/* Stores A, or its transpose.  check_arguments() has accepted A; its offsets and indices are checked here, but those of
 * a CSR matrix on the GPU only with the option `check`. */
spmv_status_t storage_create(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_options_t *o, bool transpose,
                             void *stream);
/* Stores A's form f, whose arrays are in host memory, with A's values; f is freed. */
spmv_status_t storage_create_from_form(spmv_plan_t *plan, const spmv_matrix_t *A, form_t *f, bool transpose,
                                       void *stream);

/* Gives plan->A the caller's new values: permuted, copied, or borrowed. */
spmv_status_t storage_update(spmv_plan_t *plan, const void *values, void *stream);

void storage_free(spmv_plan_t *plan); /* frees the plan's arrays, not the caller's */
/* Frees an array in the back end's memory; takes NULL. */
void storage_release(const spmv_plan_t *plan, void *array);

/* Makes host copies of the offsets and indices of A, which is in device memory.  storage_fetch_free() frees
 * them, after an error, too. */
spmv_status_t storage_fetch(spmv_matrix_t *host, const spmv_matrix_t *A, void *stream);
void storage_fetch_free(spmv_matrix_t *host);

#endif
