/*
 * battery.h - cases with fresh numbers, and the right answers.  Only the grader has this; the process of the submission
 * has job.h.
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
    asked_t asks;       /* what is right: what a step computes (0), or what the exercise asks for */
    double least_bytes; /* of the input that any right answer has to read */
} battery_case_t;

/* The case with its random numbers drawn.  timed: many runs, for a card.  -1 and *err. */
int battery_open(battery_case_t *c, const grade_chapter_t *chapter, const grade_case_t *spec, bool timed, rng_t *rng,
                 err_t *err);
void battery_close(battery_case_t *c);

/* 0 if the output of that run (out_bytes and a margin on both sides) is right; -1 and the first wrong element. */
int battery_judge(const battery_case_t *c, int run, const unsigned char *output, err_t *err);

#endif
