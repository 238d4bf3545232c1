/* v10_long_rows_plan.h - the rows by length, in three bins, as v10 and v11 read them. */
#ifndef LOAD_BALANCE_V10_LONG_ROWS_PLAN_H
#define LOAD_BALANCE_V10_LONG_ROWS_PLAN_H

#include "../plan/plan.h"

enum { BIN_SHORT, BIN_MIDDLING, BIN_LONG, BINS, SHORT_MOST = 8, MIDDLING_MOST = 1024 };

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
