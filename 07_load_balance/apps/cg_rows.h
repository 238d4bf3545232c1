/* cg_rows.h - CG as a chapter of the harness: each row multiplies in another way, and a run is an entire solve. */
#ifndef APPS_CG_ROWS_H
#define APPS_CG_ROWS_H

#include "cg.h"
#include "rows.h"

extern const chapter_t CG;
extern const solver_t CG_SOLVER;

/* Makes the problem: A x = b, b from the seed.  -1 and *err if CG cannot solve with A.  app_problem_close ends it. */
int cg_problem_open(problem_t *p, const app_spec_t *spec, err_t *err);

/* A text about the comparison of x with CHOLMOD's direct solve, or why there is none.  Valid while p is open. */
const char *cg_problem_direct(const problem_t *p);

#endif
