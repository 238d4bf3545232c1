/*
 * marks.h - grades a submission: builds it, runs it on the cases of its exercise, compares it with steps, and gives
 * points line by line.
 */
#ifndef GRADE_MARKS_H
#define GRADE_MARKS_H

#include "judge.h"
#include "report.h"

enum { MARKS_LINES = GROUPS + GRADE_GOALS + 5, MARKS_RUNS = GROUPS * GRADE_CASES + 2 * GRADE_GOALS + 2 };

/* One line of the table. */
typedef struct marks_line {
    int points, of;
    bool bonus; /* points beyond 100 */
    char what[160];
    char why[1600]; /* empty if no reason is needed */
} marks_line_t;

/* A case that was run, for the results file. */
typedef struct marks_run {
    char step[GRADE_STEP], name[160]; /* "student", or the step it was compared with */
    dtype_t dtype;
    judge_result_t result;
} marks_run_t;

/* The caller sets the first four members (of judge: name, rules, unsandboxed, seconds) and zeros the others. */
typedef struct marks {
    const exercise_t *exercise;
    judge_t judge;
    uint64_t seed;          /* of the hidden cases */
    report_t *report;       /* shows the progress */
    marks_line_t line[MARKS_LINES];
    int lines;
    marks_run_t run[MARKS_RUNS];
    int runs;
    const char *verdict;    /* "passed" (100 or more), "partial", "failed", "refused", "does not compile" */
    int points;
    char message[4000];     /* from the compiler or the rules; empty if it was built */
    char printed[200];      /* the beginning of its output */
    const gpu_t *predict;  /* the GPU for which a time is predicted; NULL: none */
    bool predict_counts;    /* the predicted time gives points, like a time on a GPU */
    char predicted[700];    /* the prediction as a sentence; empty without one */
    rng_t rng;
    int done, total;
    bool serial;            /* one warp or block did all work of a goal, or one warp did all work of an input */
    double times_slower;    /* compared with the timed step, predicted or on a GPU; 0: unknown */
    char copied[GRADE_STEP]; /* the step of which it is a copy; empty if none */
    bool hidden;            /* it accessed memory without a hook: no points */
    bool silent;            /* it ended without an answer, and the machine is not at fault */
    bool stopped;           /* the sandbox stopped it: no more cases are run */
} marks_t;

/* Grades `source`.  build: the folder of the simulator's build ("build/simt"); GPU: that of the build for a GPU, to
 * measure times as well, or NULL.  -1 and *err if it could not be graded for a reason outside the submission. */
int marks_take(marks_t *m, const char *source, size_t bytes, const char *build, const char *gpu, err_t *err);

/* Marks a file that is refused without being read: no points. */
void marks_refuse(marks_t *m, const char *why);

/* Writes a goal like "load requests, at most 1.1x of step v8". */
void marks_describe_goal(const grade_goal_t *goal, char *what, size_t size);

#endif
