/*
 * best.h - which of several rows is best: the one rule of tables, summaries and verdicts.
 *
 * The least time is best: a measured one (cold L2) where there is one, else a predicted one.  A measured time goes
 * before any predicted one; of equal times the first is kept.  Counts are no time: a row with neither is never best.
 */
#ifndef COURSE_BEST_H
#define COURSE_BEST_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct best {
    char step[64];               /* "": none yet */
    double us, low_us, high_us;  /* NAN for low and high where the time was measured */
    bool predicted;
} best_t;

/* The candidate of a row's numbers, NAN where it has none; its step is "" if it has no time. */
best_t best_of_row(const char *step, double cold_us, double predicted_us, double low_us, double high_us);

/* Is `candidate` better than `than`?  A step "" is worse than any other. */
bool best_better(const best_t *candidate, const best_t *than);

#ifdef __cplusplus
}
#endif
#endif
