/*
 * limiter.h - finds and describes what limits a run.
 */
#ifndef COURSE_LIMITER_H
#define COURSE_LIMITER_H

#include <stddef.h>

#include "predict.h"

typedef enum limiter {
    LIMIT_LAUNCH, LIMIT_WAITING, LIMIT_ISSUE, LIMIT_L1, LIMIT_PORT, LIMIT_L2, LIMIT_DRAM, LIMIT_ATOMIC, LIMIT_NONE
} limiter_t;

/* Returns what limits the run.  *second gets another limit within 15 % of that one, or LIMIT_NONE. */
limiter_t limiter_of(const prediction_t *p, limiter_t *second);

/* Writes the limit as a phrase: "waiting: 20 rounds of loads one after another, 12 warps per SM (grid too small)",
 * "bound by L2 sectors (78 %)", "launch-bound: 3 launches".  If the run is not modelled, writes why. */
void limiter_words(const prediction_t *p, const gpu_t *gpu, char *text, size_t size);

/* Returns the page of docs/ that explains the limit, "01_reduce.md"; NULL for LIMIT_NONE. */
const char *limiter_page(limiter_t limiter);

#endif
