/* pagerank_rows.h - PageRank as a chapter of the harness: each row multiplies in another way, and a run is an entire
 * ranking. */
#ifndef APPS_PAGERANK_ROWS_H
#define APPS_PAGERANK_ROWS_H

#include "pagerank.h"
#include "rows.h"

extern const chapter_t PAGERANK;
extern const solver_t PAGERANK_SOLVER;

/* Makes the problem.  -1 and *err if links is no graph.  app_problem_close ends it. */
int pagerank_problem_open(problem_t *p, const app_spec_t *spec, err_t *err);

/* The ranks of the last row that passed the check, as doubles [pages]; NULL if there is none. */
const double *pagerank_problem_ranks(const problem_t *p);

#endif
