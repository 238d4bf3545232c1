/* v36_lanes_by_slice_plan.h - slices with a record each, as v36 to v38 read them. */
#ifndef LOAD_BALANCE_V36_LANES_BY_SLICE_PLAN_H
#define LOAD_BALANCE_V36_LANES_BY_SLICE_PLAN_H

#include "../plan/plan.h"

constexpr uint32_t SELL_PIECE = 1u << 31; /* in place_row */

typedef struct sell_plan {
    plan_memory_t memory;
    size_t slices, places, runs;
    uint4 *slice;         /* [slices]  first step, number of steps, first place, log2 of the lanes per row */
    int32_t *columns;     /* [32 steps]  step k of lane l at 32 k + l; -1 where a row has ended */
    void *values;         /* [32 steps] */
    uint32_t *place_row;  /* [places]  row, or SELL_PIECE + piece */
    piece_run_t *run;     /* [runs]  rows above PLAN_LONGEST, cut into pieces */
    void *pieces;
} sell_plan_t;

#endif
