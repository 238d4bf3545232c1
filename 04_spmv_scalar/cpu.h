/*
 * cpu.h - the CPU steps of 04_spmv_scalar and Intel's MKL.
 *
 * chapter.c's step() begins with spmv_scalar_cpu_step(i).  p->data is a spmv_data_t.
 */
#ifndef SPMV_SCALAR_CPU_H
#define SPMV_SCALAR_CPU_H

#include "spmv_session.h"

/* What --csrl-threshold and its kin set: spmv_data_t's options.  NULL there is SPMV_SCALAR_DEFAULTS. */
typedef struct spmv_scalar_options {
    double csrl_threshold; /* c10: a part with nzseg / nnz below it is kept as CSRL */
    size_t max_format_bytes; /* formats larger than that are refused; 0: form_limit()'s rule */
} spmv_scalar_options_t;

#define SPMV_SCALAR_CSRL_THRESHOLD 0.3
#define SPMV_SCALAR_DEFAULTS {.csrl_threshold = SPMV_SCALAR_CSRL_THRESHOLD}

/* ---- the table ---------------------------------------------------------------------------------- */

const step_t *spmv_scalar_cpu_step(size_t i); /* the i-th, NULL past the last; mkl and mkl_optimized end it */

/* spmv_judge's depth for that step; arg is the step. */
size_t spmv_scalar_cpu_depth(size_t length, const void *step);

/* To stderr: how many runs of columns, and what CSRL makes of CSR's bytes. */
void spmv_scalar_cpu_describe(const char *name, const csr_t *A);

/* ---- experiments.c, and matrix_of_runs.c --------------------------------------------------------- */

/* Steps that show something there, for --only where the user gave none. */
#define SPMV_SCALAR_CPU_SWEEP_ONLY "c5,c6/1,c6/64,c6/1024,c7,c8,c9/8,c10"
#define SPMV_SCALAR_CSRL_ONLY "c7,c8,c10"

/* The CPU rows with 1, 2, 4, ... threads up to --threads (all cores); the case ends in ":threads=N".  0, or not 0
 * where a row or a matrix failed. */
int spmv_scalar_cpu_sweep(const spmv_session_t *s);

enum { SPMV_SCALAR_RUNS_ROW = 32 }; /* nonzeros in each row of: */

/* rows x rows: the first half of the rows in runs[0] runs of columns each, the others in runs[1]; the runs of a row
 * all as long (equal) or cut at random, with random gaps, within `width` columns around the diagonal.  width is 64 to
 * rows. */
csr_t *spmv_scalar_matrix_of_runs(size_t rows, const size_t runs[2], bool equal, size_t width, uint64_t seed,
                                  err_t *err);

/* CSR against CSRL on such matrices with rising nzseg / nnz; the case is "KIND:nzseg/nnz=0.250". */
int spmv_scalar_csrl_experiment(const spmv_session_t *s);

#endif
