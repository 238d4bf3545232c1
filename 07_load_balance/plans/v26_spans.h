/* v26_spans.h - where tiles of rows and nonzeros begin, and what they leave open, as v26 and v27 have it. */
#ifndef LOAD_BALANCE_V26_SPANS_H
#define LOAD_BALANCE_V26_SPANS_H

#include "v08_nnz_split_carries.h"

enum { SPAN_BLOCK = 256, SPAN_ITEMS = 7, SPAN_TILE = SPAN_BLOCK * SPAN_ITEMS };

typedef struct spans {
    plan_memory_t memory;
    uint32_t *tile_row; /* [tiles + 1]  rows that have ended before the tile */
    carries_t carries;  /* of v26 */
    size_t tiles, runs; /* of v27, as what follows */
    piece_run_t *run;   /* [runs]  rows that go on in the next tile */
    void *open_ends;    /* [tiles]  sum of the row that is open where the tile ends */
} spans_t;

#endif
