/*
 * battery.h - cases with new numbers, and the right answers.  Only the grader links this; the process of the submission
 * uses job.h.
 */
#ifndef GRADE_BATTERY_H
#define GRADE_BATTERY_H

#include "asked.h"
#include "csr.h"
#include "exercises.h"
#include "job.h"
#include "rng.h"

typedef struct battery_case {
    char name[160];     /* "random:1043,977,8123 fp32, 8 lanes" */
    job_t job;
    csr_t *A;           /* chapters 4 to 7 */
    asked_t asks;       /* the function to compute: the steps' (0) or the exercise's */
    double least_bytes; /* bytes of input that every right solution must read */
} battery_case_t;

/* Makes the case with random numbers.  timed: with many runs, for a GPU.  -1 and *err on failure. */
int battery_open(battery_case_t *c, const grade_chapter_t *chapter, const grade_case_t *spec, bool timed, rng_t *rng,
                 err_t *err);
void battery_close(battery_case_t *c);

/* Returns 0 if the output of that run (out_bytes, and a margin on both sides) is right; otherwise -1, and *err names
 * the first wrong element. */
int battery_judge(const battery_case_t *c, int run, const unsigned char *output, err_t *err);

#endif
