/*
 * predict.h - what a run of kernels would take on a named GPU: never a measurement.
 */
#ifndef COURSE_PREDICT_H
#define COURSE_PREDICT_H

#include "replay.h"

#define PREDICT_VERSION "1" /* of the model: another one, other numbers */

typedef struct prediction {
    double us, low_us, high_us;     /* NAN where it is not modelled */
    double launch_us, replay_us;    /* what it is the sum of: launches, and the kernels' own time */
    double latency_us;              /* the kernels' time if nothing had to queue */
    unsigned launches, memsets;
    bool known;                     /* nvcc's table has all its kernels */
    replay_t most;                  /* the launch that took longest, and its name */
    char kernel[64];
    char why[96];                   /* why it is not modelled, else "" */
} prediction_t;

/* Predicts the run whose ways the simulator has kept.  table may be NULL: registers, unrolling and instructions are
 * guessed then.  0, or -1 and *err: out of memory.  A run that is not modelled returns 0, with us NAN and `why`. */
int predict(prediction_t *p, const gpu_t *gpu, const kernel_table_t *table, const simt_way_t *ways, size_t n,
            err_t *err);

#endif
