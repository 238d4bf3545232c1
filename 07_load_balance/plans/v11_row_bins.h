/* v11_row_bins.h - the rows by length. */
#ifndef LOAD_BALANCE_V11_ROW_BINS_H
#define LOAD_BALANCE_V11_ROW_BINS_H

#include "plan.h"

enum { BIN_SHORT, BIN_MIDDLING, BIN_LONG, BINS, SHORT_MOST = 8, MIDDLING_MOST = 1024 };

typedef struct row_bins {
    unsigned *rows[BINS]; /* one allocation of all rows, bin after bin */
    unsigned count[BINS];
    plan_memory_t memory;
} row_bins_t;

#endif
