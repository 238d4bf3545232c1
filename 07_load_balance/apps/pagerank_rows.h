/* pagerank_rows.h - PageRank as a chapter of the harness: a row is what multiplies, a run is a whole ranking. */
#ifndef APPS_PAGERANK_ROWS_H
#define APPS_PAGERANK_ROWS_H

#include <stdio.h>

#include "pagerank.h"
#include "results.h"

extern const chapter_t PAGERANK;

typedef struct pagerank_problem_spec {
    const csr_t *links;  /* borrowed; square */
    const char *name;
    dtype_t dtype;       /* fp32 or fp64 */
    bool cpu, gpu;       /* for which rows */
    pagerank_options_t options;
    FILE *history;       /* each ranking's changes as rows of a record; NULL: not kept */
} pagerank_problem_spec_t;

/* Makes the problem.  -1 and *err if links is no graph.  Ends with pagerank_problem_close. */
int pagerank_problem_open(problem_t *p, const pagerank_problem_spec_t *spec, err_t *err);
void pagerank_problem_close(problem_t *p);

/* What the rows came to so far. */
const results_t *pagerank_problem_results(const problem_t *p);

/* The ranks of the last row that was right, as doubles [pages]; NULL if there was none. */
const double *pagerank_problem_ranks(const problem_t *p);

/* On a rank that serves: obeys orders until the program ends. */
void pagerank_serve(void);

#endif
