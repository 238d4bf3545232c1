/* v14_streamed_rows_plan.h - stretches of rows for a block. */
#ifndef LOAD_BALANCE_V14_STREAMED_ROWS_PLAN_H
#define LOAD_BALANCE_V14_STREAMED_ROWS_PLAN_H

#include "../plan/plan.h"

/* A stretch is a range of rows whose nonzeros fit into a block's shared memory, or one long row.  It ends where a row
 * begins in the next WINDOW nonzeros; before and after a row longer than that; and at every multiple of MOST_ROWS. */
enum { WINDOW = 1536, STREAMED = 2 * WINDOW, MOST_ROWS = 1024 };

typedef struct row_stretches {
    unsigned count, *first; /* first[i]: the row with which stretch i begins; first[count] is rows */
    plan_memory_t memory;
} row_stretches_t;

#endif
