/* v09_two_bins_plan.h - the rows by length, in two bins. */
#ifndef LOAD_BALANCE_V9_TWO_BINS_PLAN_H
#define LOAD_BALANCE_V9_TWO_BINS_PLAN_H

#include "../plan/plan.h"

enum { BIN_SHORT, BIN_LONG, BINS, SHORT_MOST = 8 };

typedef struct row_bins {
    unsigned *rows[BINS]; /* one allocation of all rows, bin after bin */
    unsigned count[BINS];
    plan_memory_t memory;
} row_bins_t;

#ifdef __cplusplus
extern "C"
#endif
unsigned rows_of_length(const csr_t *A, int64_t least, int64_t most, unsigned *list);

#endif
