/*
 * harness.h - runs the steps of a chapter on a case: check, time, check again, report.
 *
 * A chapter provides a table of steps with their operations.  The harness does everything that makes the
 * numbers reliable (docs/how-we-measure.md).
 */
#ifndef COURSE_HARNESS_H
#define COURSE_HARNESS_H

#include "cli.h"
#include "device.h"
#include "verify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum step_kind {
    STEP_CPU,      /* runs on the host and is timed there, with both back ends */
    STEP_CPU_PEER, /* a library on the host */
    STEP_GPU,      /* a kernel of this chapter */
    STEP_GPU_PEER  /* a library on the GPU: only with the cuda back end */
} step_kind_t;

/* One row of a chapter's table: its names and its operations. */
typedef struct step_ops step_ops_t;
typedef struct step {
    const char *id;   /* "v3": for --only, --explain, the results file */
    step_kind_t kind;
    const char *idea; /* one line: for --list, the table, the results file */
    const step_ops_t *ops;
    const void *how;  /* data of this step for ops: a struct of the file that defines them */
} step_t;

/* One problem: its inputs, the correct result, and how a result is checked.  Chapters fill it. */
typedef struct problem {
    const char *name;     /* column `case` of the results file */
    dtype_t dtype;        /* column `dtype` */
    size_t bytes;         /* compulsory bytes of one run */
    bool reads_only;      /* which ceiling applies: read-only sum, or copy */
    bool cpu, gpu;        /* whether CPU rows and GPU rows run this problem */
    size_t out_bytes;     /* size of the output a step writes */
    const void *data;     /* the chapter's inputs */
} problem_t;

/* Operations: the same for all steps of a kind. */
struct step_ops {
    /* Returns NULL, or why this step cannot process this problem ("needs sm_90").  May be NULL. */
    const char *(*skip)(const step_t *, const problem_t *);
    /* Does the set-up before the timed runs (handles, plans, formats); timed once as setup_ms.  May be NULL. */
    int (*setup)(const step_t *, const problem_t *, void **state, err_t *);
    void (*teardown)(const step_t *, const problem_t *, void *state); /* may be NULL without setup */
    /* Runs once: reads the problem, writes out (device memory for GPU rows), on the default stream. */
    int (*run)(const step_t *, const problem_t *, void *state, void *out, err_t *);
    /* Checks a copy of the output in host memory.  0 and *err_over_tol, or -1 and the first wrong element. */
    int (*check)(const step_t *, const problem_t *, const void *out, double *err_over_tol, err_t *);
    /* Adds information to a measured row before it is reported.  May be NULL. */
    void (*note)(const step_t *, const problem_t *, void *state, report_row_t *row);
};

typedef struct chapter {
    const char *name;                /* "01_reduce" */
    const char *doc;                 /* one sentence for --help */
    const step_t *(*step)(size_t i); /* returns the i-th step of its table, NULL past the last */
    const char *(*cusparse)(void);   /* returns the cuSPARSE version of its rows, for the results file; NULL: none */
} chapter_t;

/* For `step`: the i-th of the chapter's own rows, then the student's, then those of `more`; the two may be NULL. */
const step_t *chapter_row(size_t i, const step_t *own, size_t count, const step_t *student,
                          const step_t *(*more)(size_t i));

/* The step of that name; NULL if there is none. */
const step_t *chapter_step(const chapter_t *c, const char *id);

/* Sets up, poisons the output, runs, and checks guard bytes and result; runs and checks a second time.  0 and
 * *err_over_tol, or -1 and the reason.  The tests call this. */
int harness_check(const step_t *s, const problem_t *p, double *err_over_tol, err_t *err);

/* Writes the header of a results file (rule 9): chapter, back end, GPU, processor, flags, commit, seed, date, command,
 * ceilings (NULL if they were not measured). */
void harness_header(report_t *r, const char *chapter, const options_t *o, const device_facts_t *f,
                    const device_ceilings_t *ceilings);

typedef struct harness harness_t;

/* Opens the GPU, measures its ceilings, starts the report with the header of rule 9.  On an error prints it and exits
 * with 1; with 64 if --only or --explain names no step, with 74 if the results file or the trace cannot be written.
 * With --list it prints the steps and exits with 0. */
harness_t *harness_open(const chapter_t *c, const options_t *o);

/* Limits later runs to these steps, named as by --only; NULL: those of the command line again. */
void harness_only(harness_t *h, const char *only);

/* Runs every selected step on this problem, one row each.  Exits with 74 if a row cannot be written to a file. */
void harness_run(harness_t *h, const problem_t *p);

/* Ends the report and returns the exit code: 0, or 1 if any row failed. */
int harness_close(harness_t *h);

#ifdef __cplusplus
}
#endif

#endif
