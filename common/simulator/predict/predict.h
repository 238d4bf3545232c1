/*
 * predict.h - predicts the time of a run of kernels on a named GPU.
 */
#ifndef COURSE_PREDICT_H
#define COURSE_PREDICT_H

#include "replay.h"

#define PREDICT_VERSION "1" /* the version of the model; another version predicts other times */

typedef struct prediction {
    double us, low_us, high_us;     /* NAN if the run is not modelled */
    double launch_us, replay_us;    /* the parts of us: launches, and the kernels' time from the replay */
    double latency_us;              /* the kernels' time if no request had to queue */
    unsigned launches, memsets;
    bool known;                     /* nvcc's table has all kernels of the run */
    replay_t most;                  /* the longest launch, and its kernel's name */
    char kernel[64];
    char why[96];                   /* why the run is not modelled, else "" */
} prediction_t;

/* Predicts the run whose traces (`ways`) the simulator has recorded.  If table is NULL, registers, unrolling and
 * instructions are guessed.  0, or -1 and *err if memory is short.  For a run that is not modelled it returns 0, with
 * us NAN and `why`. */
int predict(prediction_t *p, const gpu_t *gpu, const kernel_table_t *table, const simt_way_t *ways, size_t n,
            err_t *err);

#endif
