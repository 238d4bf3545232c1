/*
 * limiter.h - what a run waits for, in words.
 */
#ifndef COURSE_LIMITER_H
#define COURSE_LIMITER_H

#include <stddef.h>

#include "predict.h"

typedef enum limiter {
    LIMIT_LAUNCH, LIMIT_WAITING, LIMIT_ISSUE, LIMIT_L1, LIMIT_PORT, LIMIT_L2, LIMIT_DRAM, LIMIT_ATOMIC, LIMIT_NONE
} limiter_t;

/* What limits the run, and in *second what is within 15 % of that, LIMIT_NONE if nothing is. */
limiter_t limiter_of(const prediction_t *p, limiter_t *second);

/* The same as a sentence without an end, into text: "waiting: 20 rounds of loads one after another, 12 warps per SM
 * (grid too small)", "bound by L2 sectors (78 %)", "launch-bound: 3 launches".  Empty if the run is not modelled. */
void limiter_words(const prediction_t *p, const gpu_t *gpu, char *text, size_t size);

/* The page that teaches it, from the course's docs folder: "01_reduce.md"; NULL for LIMIT_NONE. */
const char *limiter_page(limiter_t limiter);

#endif
