/*
 * attempt.h - one attempt at an exercise: builds it, runs it, and checks its goals.
 */
#ifndef PRACTICE_ATTEMPT_H
#define PRACTICE_ATTEMPT_H

#include <stddef.h>

#include "exercise.h"

enum { ATTEMPT_COUNTS = 40, ATTEMPT_TEXT = 6000 };

typedef struct attempt_count {
    char launch;   /* '-', or 'a' or 'b' if there are two kernels */
    char name[24];
    double value;
} attempt_count_t;

typedef struct attempt {
    bool ran;                   /* it was built, ran to its end, and gave right answers */
    char bad[ATTEMPT_TEXT];     /* otherwise the reason, from the compiler, the simulator or the check */
    attempt_count_t count[ATTEMPT_COUNTS];
    int counts;
} attempt_t;

/* Builds `source` and runs it; messages call it e->copy.  -1 and *err if that was not possible at all. */
int attempt_run(const exercise_t *e, const char *source, attempt_t *a, err_t *err);

/* The value of a count; NAN if there is none. */
double attempt_count(const attempt_t *a, char launch, const char *name);

/* Whether an exercise of kind fill or repair reaches its goals; adds a line per goal to `report`. */
bool attempt_goals(const exercise_t *e, const attempt_t *a, char *report, size_t size);

/* Whether the learner's answers are right; `report` gets the wrong ones, but never the right number. */
bool attempt_answers(const exercise_t *e, const attempt_t *a, const char *text, char *report, size_t size);

/* Whether only the answers differ from the given file; otherwise `report` gets the first other line. */
bool attempt_unchanged(const char *given, const char *text, char *report, size_t size);

#endif
