/* v26_bits_on_gpu_plan.h - where tiles of rows and nonzeros begin, what they leave open; for v26 and v27. */
#ifndef LOAD_BALANCE_V26_BITS_ON_GPU_PLAN_H
#define LOAD_BALANCE_V26_BITS_ON_GPU_PLAN_H

#include "../a_split_nonzeros/v08_nnz_split_carries_plan.h"

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
