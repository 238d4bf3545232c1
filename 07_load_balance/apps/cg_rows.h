/* cg_rows.h - CG as a chapter of the harness: a row is what multiplies, a run is a whole solve. */
#ifndef APPS_CG_ROWS_H
#define APPS_CG_ROWS_H

#include "cg.h"
#include "rows.h"

extern const chapter_t CG;
extern const solver_t CG_SOLVER;

/* Makes the problem: A x = b, b from the seed.  -1 and *err if CG cannot solve with A.  Ends with cg_problem_close. */
int cg_problem_open(problem_t *p, const app_spec_t *spec, err_t *err);
void cg_problem_close(problem_t *p);

/* What x is compared with, in words: CHOLMOD's direct solve, or why there was none.  Valid while p is open. */
const char *cg_problem_direct(const problem_t *p);

#endif
