/* spmv_lightspmv.h - the host side of the chapter, for main.c and the tests. */
#ifndef SPMV_LIGHTSPMV_H
#define SPMV_LIGHTSPMV_H

#include <stdio.h>

#include "chapter.h"
#include "spmv_problem.h"
#include "tables.h"

/* The chapter's own options of a problem, for spmv_spec_t. */
typedef struct spmv_lightspmv_options {
    int lanes; /* 1, 2, 4, 8, 16, 32; 0 = by the step's table */
} spmv_lightspmv_options_t;

/* Prints what the mean row of A is and which lanes follow from it, on stderr. */
void spmv_lightspmv_describe(const char *name, const csr_t *A);

extern const chapter_t SPMV_LIGHTSPMV;

/* ---- the work of each warp: balance.c ---------------------------------------------------------------- */

/* A GPU of the source's geometry, filled with blocks of the largest size. */
enum { BALANCE_BLOCK = 1024, BALANCE_BLOCKS_PER_SM = 2 };

typedef struct spmv_lightspmv_balance {
    double warp_max_mean; /* memory requests of the busiest warp / of the mean warp */
    double span;          /* when the last warp is done, waiting included / the mean warp's requests */
    size_t asked;         /* additions to the counter, also those that return no rows; 0: static scheduling */
} spmv_lightspmv_balance_t;

/* How static (v3 chunks, v5 row ranges) or dynamic scheduling (v4, v6) loads the warps of a GPU with that many SMs.  It
 * is a model: all requests take the same time, and the first idle worker takes the next rows.  -1 if out of
 * memory. */
int spmv_lightspmv_balance(spmv_lightspmv_balance_t *b, const csr_t *A, int lanes, bool chunks, bool dynamic,
                           size_t sms, err_t *err);

/* The same for a NULL-terminated list of matrices, as a results file: v3, v4, v5, v6 on each.  0, or -1 and *err. */
int spmv_lightspmv_balance_record(FILE *to, const char *const *matrices, uint64_t seed, size_t sms, err_t *err);

/* ---- the table of the lanes: tune.c --------------------------------------------------------------- */

enum { TUNE_WIDTHS = 6 }; /* 1, 2, 4, 8, 16, 32 lanes */

/* Finds the rule with the least total cost, with at most TUNE_WIDTHS lines, in which lanes never fall.  Input: the cost
 * of each width for matrices of growing mean row (the log of its time divided by the best width's). */
void spmv_lightspmv_rule(const double *means, const double (*cost)[TUNE_WIDTHS], size_t count, lanes_rule_t *rule);

/* The recipes --tune runs, one after another; NULL past the last.  *mean: nonzeros per row. */
const char *spmv_lightspmv_tune_recipe(size_t i, char recipe[64], double *mean);

/* Reads the results of these runs, prints both tables as C, and where they differ from the published one.
 * -1 and *err if a time is missing. */
int spmv_lightspmv_tune_print(const char *record, FILE *to, err_t *err);

#endif
