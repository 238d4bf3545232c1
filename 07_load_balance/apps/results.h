/* results.h - what the rows of a problem came to, as a table in the terms of an iterative method. */
#ifndef APPS_RESULTS_H
#define APPS_RESULTS_H

#include <stdio.h>

#include "report.h"

enum { RESULTS_MOST = 128 };

typedef struct results {
    size_t count;
    struct {
        char step[32];
        double iterations, residual, total_us, setup_ms;
    } row[RESULTS_MOST];
} results_t;

/* Keeps a measured row; those past RESULTS_MOST are not kept. */
void results_add(results_t *r, const report_row_t *row);

/* Steps, residual (called `what`), microseconds a step and steps per second of each; the simulator has no times. */
void results_print(const results_t *r, const char *what, FILE *to);

#endif
