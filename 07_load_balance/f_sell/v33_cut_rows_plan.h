/* v33_cut_rows_plan.h - slices of 32 places; a place is a row or a piece of one. */
#ifndef LOAD_BALANCE_V33_CUT_ROWS_PLAN_H
#define LOAD_BALANCE_V33_CUT_ROWS_PLAN_H

#include "../plan/plan.h"

constexpr uint32_t SELL_PIECE = 1u << 31; /* in place_row */

typedef struct sell_plan {
    plan_memory_t memory;
    size_t slices, places;
    uint32_t *first_step; /* [slices + 1]  the steps of the slices before */
    int32_t *columns;     /* [32 steps]  step k of lane l at 32 k + l; -1 where a row has ended */
    void *values;         /* [32 steps] */
    uint32_t *place_row;  /* [places]  row, or SELL_PIECE + row */
} sell_plan_t;

#endif
