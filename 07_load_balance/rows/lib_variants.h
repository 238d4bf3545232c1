/*
 * lib_variants.h - every variant of libspmv's GPU back end (gpu_choice.h) as rows of a chapter.  The rule is learned
 * from their times.
 *
 * Link $(BUILD)/libspmv_rows.a (make -C 07_load_balance/rows rows).
 */
#ifndef LIB_VARIANTS_H
#define LIB_VARIANTS_H

#include <stdio.h>

#include "spmv_problem.h"

/* The i-th variant, NULL after the last.  For problems whose data is a spmv_data_t. */
const step_t *lib_variant(size_t i);

/* Write the header line of a table of features, and a line for one problem on the GPU: the features that the rule
 * tests, and the variant that it selects. */
void lib_variants_header(FILE *to);
int lib_variants_features(const problem_t *p, FILE *to, err_t *err);

#endif
