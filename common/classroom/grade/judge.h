/*
 * judge.h - builds a submission in the sandbox, runs it there on a case, and checks the answers.
 */
#ifndef GRADE_JUDGE_H
#define GRADE_JUDGE_H

#include "battery.h"
#include "sandbox.h"

typedef struct judge {
    const grade_chapter_t *chapter;
    char kit[4096], steps[4096]; /* absolute: the files to build a submission; the steps of the chapter */
    char scratch[4096];          /* where it is built */
    int lock;                    /* on that: see scratch.h */
    const char *name;            /* the name of the file in messages */
    bool rules, unsandboxed;     /* rules: off for tests of the other protections */
    bool gpu;                   /* back end cuda */
    unsigned seconds;            /* for one case; compiling may take six times that */
} judge_t;

typedef enum judge_built { BUILT, BROKE_A_RULE, DID_NOT_COMPILE } judge_built_t;

/* The result of a case: whether it was right, why not, and the counts of the first run. */
typedef struct judge_result {
    bool right, stopped;     /* stopped: by the sandbox; another case would end the same way */
    bool hidden;             /* it accessed memory without a hook */
    bool silent;             /* it ended without an answer; perhaps no program can run here */
    char why[1400];
    char printed[200];       /* the beginning of its output, which is only displayed */
    job_answer_t counts;     /* of the run in natural order */
    double time_us, spread_pct; /* on a GPU: of all runs */
} judge_result_t;

/* Makes the scratch folder with `source` in it, and builds `runner` from that.  text gets the messages of the compiler
 * or the rules.  -1 and *err if that was not possible, or if the skeleton of the exercise, which is known to be
 * correct, could not be built either. */
int judge_build(judge_t *j, const char *source, size_t bytes, judge_built_t *built, char *text, size_t text_size,
                err_t *err);
void judge_clean(judge_t *j);

/* Runs a case with the submission, or with step = "v8" with that step.  -1 and *err if that was not possible. */
int judge_case(const judge_t *j, const battery_case_t *c, const char *step, judge_result_t *r, err_t *err);

#endif
