/* v40_differences_plan.h - v39's slices, with the difference of each column to the one before in its lane. */
#ifndef LOAD_BALANCE_V40_DIFFERENCES_PLAN_H
#define LOAD_BALANCE_V40_DIFFERENCES_PLAN_H

#include "../f_sell/v39_sell_plan.h"

enum { SELL_NONE = 0xffff }; /* a difference that says: the row has ended */

struct packed_plan : sell_plan_t {
    uint16_t *differences; /* [32 steps]  each where its column is, 0 in a slice's first step; NULL: v39 runs (v40) */
};

extern "C" bool sell_differences(const int32_t *columns, uint32_t steps, uint16_t *differences);

#endif
