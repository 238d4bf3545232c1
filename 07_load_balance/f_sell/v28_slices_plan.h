/* v28_slices_plan.h - slices of 32 rows, each as long as its longest, as v28 to v32 read them. */
#ifndef LOAD_BALANCE_V28_SLICES_PLAN_H
#define LOAD_BALANCE_V28_SLICES_PLAN_H

#include "../plan/plan.h"

typedef struct sell_plan {
    plan_memory_t memory;
    size_t slices;
    uint32_t *first_step; /* [slices + 1]  the steps of the slices before */
    int32_t *columns;     /* [32 steps]  step k of lane l at 32 k + l; -1 where a row has ended */
    void *values;         /* [32 steps] */
    uint32_t *place_row;  /* [rows]  the row at each place, of v31 and v32 */
} sell_plan_t;

#endif
