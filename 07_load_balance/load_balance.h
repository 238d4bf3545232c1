/* load_balance.h - the host side of the chapter, for main.c and the tests. */
#ifndef LOAD_BALANCE_H
#define LOAD_BALANCE_H

#include <stdio.h>

#include "chapter.h"
#include "spmv_problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The steps, their plans, and other plans for the same kernels.  They are declared here because every step includes
 * chapter.h. */
#define STEP(id, ...) cudaError_t load_balance_##id(LOAD_BALANCE_ARGS);
#define PLANNED(id, ...)                            \
    cudaError_t load_balance_##id(LOAD_BALANCE_ARGS); \
    extern const load_balance_plan_ops_t load_balance_##id##_plan;
#define SAME(id, variant, ...) extern const load_balance_plan_ops_t load_balance_##id##_##variant##_plan;
#include "steps.def"

extern const chapter_t LOAD_BALANCE;

/* Whether this is a step of the chapter whose sums may differ in their last bits from run to run. */
bool load_balance_any_order(const step_t *s);

/* The i-th step of the chapter with its launcher and plan; false past the last. */
bool load_balance_step(size_t i, const char **id, load_balance_fn *run, const load_balance_plan_ops_t **plan);

/* Prints the row lengths of A on stderr. */
void load_balance_describe(const char *name, const csr_t *A);

/* The position on the merge path of A after `step` steps: the number of rows that have ended.  The other steps are
 * nonzeros.  NULL if v15 is not linked. */
size_t merge_path_row(const csr_t *A, size_t step) __attribute__((weak));

/* Cuts the rows of A into stretches for v12 and returns their number; first[i], of [rows + 1], is the first row of
 * stretch i. */
unsigned cut_stretches(const csr_t *A, unsigned *first);

/* The differences of the columns of one of v39's slices, each to the one before in its lane, UINT16_MAX where a row has
 * ended; 0 in the first step.  False if one does not fit into 16 bits. */
bool sell_differences(const int32_t *columns, uint32_t steps, uint16_t *differences);

/* Prints the path step by step, with a tile boundary every `tile` steps, as a table for a picture. */
void merge_path_write(const csr_t *A, size_t tile, FILE *f);

/* --huge: every step on a matrix of about `nnz` nonzeros that is made on the GPU, with 64-bit offsets.  One line a
 * step. The exit code: 0, or 1 if a step was wrong or the GPU is too small. */
int load_balance_huge(size_t nnz);

#ifdef __cplusplus
}
#endif
#endif
