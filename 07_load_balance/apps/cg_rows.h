/* cg_rows.h - CG as a chapter of the harness: a row is what multiplies, a run is a whole solve. */
#ifndef APPS_CG_ROWS_H
#define APPS_CG_ROWS_H

#include <stdio.h>

#include "cg.h"
#include "results.h"

extern const chapter_t CG;

/* What a system needs. */
typedef struct cg_problem_spec {
    const csr_t *A;      /* borrowed; square, symmetric, with a positive diagonal */
    const char *name;
    dtype_t dtype;       /* fp32 or fp64 */
    uint64_t seed;       /* of the right side */
    bool cpu, gpu;       /* for which rows */
    cg_options_t options;
    bool no_preconditioner; /* M = 1 instead of the diagonal */
    double max_flops;    /* a direct solve that takes no more is made to compare with; 0: none */
    FILE *history;       /* each solve's residuals as rows of a record; NULL: not kept */
} cg_problem_spec_t;

/* Makes the problem: A x = b, b from the seed.  -1 and *err if CG cannot solve with A.  Ends with cg_problem_close. */
int cg_problem_open(problem_t *p, const cg_problem_spec_t *spec, err_t *err);
void cg_problem_close(problem_t *p);

/* What the rows came to so far. */
const results_t *cg_problem_results(const problem_t *p);

/* What x is compared with, in words: CHOLMOD's direct solve, or why there was none.  Valid while p is open. */
const char *cg_problem_direct(const problem_t *p);

/* On a rank that serves: obeys orders until the program ends. */
void cg_serve(void);

#endif
