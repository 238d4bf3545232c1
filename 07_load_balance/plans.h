/* plans.h - what the plans of v11 and v14 hold.  Both are made on the card (plan_rows.cu). */
#ifndef LOAD_BALANCE_PLANS_H
#define LOAD_BALANCE_PLANS_H

#include "chapter.h"

/* v11: the rows by length. */
enum { BIN_SHORT, BIN_MIDDLING, BIN_LONG, BINS, SHORT_MOST = 8, MIDDLING_MOST = 1024 };

typedef struct row_bins {
    unsigned *rows[BINS]; /* one allocation of all rows, bin after bin */
    unsigned count[BINS];
    size_t bytes;
} row_bins_t;

/* v14: stretches of rows whose nonzeros fit into a block's shared memory, and single long rows.  A stretch ends where a row begins
 * in the next WINDOW nonzeros; before and after a row longer than that; and at every multiple of MOST_ROWS. */
enum { WINDOW = 1536, STREAMED = 2 * WINDOW, MOST_ROWS = 1024 };

typedef struct row_stretches {
    unsigned count, *first; /* first[i]: the row with which stretch i begins; first[count] is rows */
    size_t bytes;
} row_stretches_t;

#endif
