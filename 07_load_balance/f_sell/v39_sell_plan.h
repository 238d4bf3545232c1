/* v39_sell_plan.h - SELL-C-sigma, as v39 reads it and v40 to v44 begin with it. */
#ifndef LOAD_BALANCE_V39_SELL_PLAN_H
#define LOAD_BALANCE_V39_SELL_PLAN_H

#include "../plan/plan.h"

typedef enum sell_order { SELL_BY_RULE, SELL_NATURAL, SELL_WINDOWS, SELL_SORTED } sell_order_t;
constexpr uint32_t SELL_PIECE = 1u << 31; /* in place_row */

typedef struct sell_plan {
    plan_memory_t memory;
    size_t slices, places, runs;
    uint4 *slice;         /* [slices]  first step, number of steps, first place, log2 of the lanes per row */
    int32_t *columns;     /* [32 steps]  step k of lane l at 32 k + l; -1 where a row has ended */
    void *values;         /* [32 steps] */
    uint32_t *place_row;  /* [places]  row, or SELL_PIECE + piece; NULL: the place is the row */
    piece_run_t *run;     /* [runs]  rows above PLAN_LONGEST, cut into pieces */
    void *pieces;
} sell_plan_t;

/* one_lane: one lane per row, as in the paper. */
extern "C" cudaError_t sell_plan_create(const csr_arrays_t *A, sell_order_t order, bool one_lane, void **plan,
                                        cudaStream_t stream);

#endif
