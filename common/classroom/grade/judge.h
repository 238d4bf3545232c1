/*
 * judge.h - builds a submission in the sandbox, runs it there on a case, and says whether the answers are right.
 */
#ifndef GRADE_JUDGE_H
#define GRADE_JUDGE_H

#include "battery.h"
#include "sandbox.h"

typedef struct judge {
    const grade_chapter_t *chapter;
    char kit[4096], steps[4096]; /* absolute: what a submission is built with; the chapter's own steps */
    char scratch[4096];          /* where it is built */
    int lock;                    /* on that: see scratch.h */
    const char *name;            /* what messages call the file */
    bool rules, unsandboxed;     /* rules off: for tests of what is left then */
    bool card;                   /* back end cuda */
    unsigned seconds;            /* for one case; compiling may take six times that */
} judge_t;

typedef enum judge_built { BUILT, BROKE_A_RULE, DID_NOT_COMPILE } judge_built_t;

/* One case: right or not and why, and what it moved in the first run. */
typedef struct judge_result {
    bool right, stopped;     /* stopped: by the sandbox; another case would end the same way */
    bool hidden;             /* it has touched memory without an announcement */
    bool silent;             /* it ended without an answer: perhaps nothing can be run here */
    char why[1400];
    char printed[200];       /* the first of what it printed; nobody believes it */
    job_answer_t counts;     /* of the run in natural order */
    double time_us, spread_pct; /* on a card: of all runs */
} judge_result_t;

/* Makes the scratch folder with `source` in it, and `runner` out of that.  What the compiler or the rules say goes to
 * text.  -1 and *err if it could not be tried, or if the skeleton of the exercise, which is known to be good, could not
 * be built either. */
int judge_build(judge_t *j, const char *source, size_t bytes, judge_built_t *built, char *text, size_t text_size,
                err_t *err);
void judge_clean(judge_t *j);

/* Runs a case: the submission, or with step = "v8" that step of the chapter.  -1 and *err if it could not be tried. */
int judge_case(const judge_t *j, const battery_case_t *c, const char *step, judge_result_t *r, err_t *err);

#endif
