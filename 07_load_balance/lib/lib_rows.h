/*
 * lib_rows.h - libspmv as rows of a chapter, as spmv_peers.h has them for other libraries.
 *
 * Link $(BUILD)/libspmv_rows.a (make -C 07_load_balance/lib rows).
 */
#ifndef LIB_ROWS_H
#define LIB_ROWS_H

#include "spmv_problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The i-th row, NULL past the last: libspmv_cpu, libspmv (no set-up), libspmv_plan. */
const step_t *lib_row(size_t i);
bool lib_is_row(const step_t *s);

/* chapter_t's callbacks for a step of lib_row(); p->data is a spmv_data_t. */
const char *lib_row_skip(const step_t *s, const problem_t *p);
int lib_row_setup(const step_t *s, const problem_t *p, void **state, err_t *err);
int lib_row_run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err);
void lib_row_teardown(const step_t *s, const problem_t *p, void *state);

/* Depth of its sums (spmv_judge): at least four chains a row. */
size_t lib_row_depth(size_t length, const void *unused);

#ifdef __cplusplus
}
#endif
#endif
