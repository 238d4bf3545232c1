/*
 * best.h - chooses the best of several rows, by one rule for tables, summaries and verdicts.
 *
 * The least time is best: the measured time (cold L2) of a row if it has one, else its predicted time.  Any measured
 * time is better than any predicted time; of equal times the first is kept.  A row with counts only is never best.
 *
 * Predicted times that differ by less than a twentieth count as equal, so the earlier and simpler step is kept.  A plan
 * of libspmv is better than another row unless its predicted time is over a quarter more: on a GPU a plan times several
 * kernels and keeps the fastest, and the simulator predicts the one that its rule tries first.  (Nine of ten
 * predictions are off by at most a quarter.)  Tested on results of an H200: common/lib/spmv/check_verdict.py.
 */
#ifndef COURSE_BEST_H
#define COURSE_BEST_H

#include <stdbool.h>

typedef struct best {
    char step[64];               /* "": no row yet */
    double us, low_us, high_us;  /* NAN for low and high where the time was measured */
    bool predicted, plan;        /* plan: the row is a plan of libspmv */
} best_t;

/* Makes a candidate from the numbers of a row (NAN: no number); its step is "" if the row has no time. */
best_t best_of_row(const char *step, double cold_us, double predicted_us, double low_us, double high_us);

/* Returns whether `candidate` is better than `than`.  A step "" is worse than any other. */
bool best_better(const best_t *candidate, const best_t *than);

#endif
