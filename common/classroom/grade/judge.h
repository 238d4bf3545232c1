/*
 * judge.h - builds a submission in the sandbox, runs it there on a case, and checks the answers.
 */
#ifndef GRADE_JUDGE_H
#define GRADE_JUDGE_H

#include "battery.h"
#include "sandbox.h"

typedef struct judge {
    const grade_chapter_t *chapter;
    char kit[4096], steps[4096]; /* absolute paths of the files that build a submission, and of the chapter's steps */
    char scratch[4096];          /* the folder in which it is built */
    int lock;                    /* a lock on scratch: see scratch.h */
    const char *name;            /* the name of the file in messages */
    bool rules, unsandboxed;     /* rules: off for tests of the other protections */
    bool gpu;                   /* back end cuda */
    unsigned seconds;            /* of processor time that one case may take */
    unsigned compile_seconds;    /* the same for the compiler; 0: six times as long as a case */
} judge_t;

typedef enum judge_built { BUILT, BROKE_A_RULE, DID_NOT_COMPILE } judge_built_t;

/* The result of a case: whether it was right, why not, and the counts of the first run. */
typedef struct judge_result {
    bool right, stopped;     /* stopped: by the sandbox; another case would be, too */
    bool hidden;             /* it accessed memory without a hook */
    bool silent;             /* it ended without an answer; perhaps no program can run here */
    char why[1400];
    char printed[200];       /* the beginning of its output, for display only */
    job_answer_t counts;     /* of the run in natural order */
    double time_us, spread_pct; /* on a GPU: over all runs */
} judge_result_t;

/* Makes the scratch folder with `source` in it, and builds `runner`.  text gets the messages of the compiler or of the
 * rules. -1 and *err if that was not possible, or if the exercise's skeleton, which is known to be correct, could not
 * be built either. */
int judge_build(judge_t *j, const char *source, size_t bytes, judge_built_t *built, char *text, size_t text_size,
                err_t *err);
void judge_clean(judge_t *j);

/* Runs a case with the submission or, with step = "v8", with that step.  -1 and *err if that was not possible. */
int judge_case(const judge_t *j, const battery_case_t *c, const char *step, judge_result_t *r, err_t *err);

#endif
