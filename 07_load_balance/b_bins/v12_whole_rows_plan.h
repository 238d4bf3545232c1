/* v12_whole_rows_plan.h - stretches of rows for a block. */
#ifndef LOAD_BALANCE_V12_WHOLE_ROWS_PLAN_H
#define LOAD_BALANCE_V12_WHOLE_ROWS_PLAN_H

#include "../plan/plan.h"

/* A stretch is a range of rows whose nonzeros fit into a block's shared memory, or a single long row. */
enum { STREAMED = 3072, MOST_ROWS = 1024 };

typedef struct row_stretches {
    unsigned count, *first; /* first[i]: the row with which stretch i begins; first[count] is rows */
    plan_memory_t memory;
} row_stretches_t;

#ifdef __cplusplus
extern "C"
#endif
unsigned cut_stretches(const csr_t *A, unsigned *first);

#endif
