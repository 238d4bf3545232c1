/* v27_csr5_speculative.h - v27's plan. */
#ifndef LOAD_BALANCE_V27_CSR5_SPECULATIVE_H
#define LOAD_BALANCE_V27_CSR5_SPECULATIVE_H

#include "plan.h"

enum { SPAN_BLOCK = 256, SPAN_ITEMS = 7, SPAN_TILE = SPAN_BLOCK * SPAN_ITEMS };

typedef struct spans {
    plan_memory_t memory;
    size_t tiles, runs;
    uint32_t *tile_row; /* [tiles + 1]  rows that have ended before the tile */
    piece_run_t *run;   /* [runs]  rows that go on in the next tile */
    void *open_ends;    /* [tiles]  sum of the row that is open where the tile ends */
} spans_t;

#endif
