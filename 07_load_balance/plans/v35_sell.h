/* v35_sell.h - SELL-C-sigma, as v35 reads it; v38 has words instead of columns. */
#ifndef LOAD_BALANCE_V35_SELL_H
#define LOAD_BALANCE_V35_SELL_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* v35's other ways to store: rows where they stand, all rows sorted, and the paper's (one lane a row,
 * windows sorted). */
extern const load_balance_plan_ops_t load_balance_v35_natural_plan, load_balance_v35_sorted_plan,
    load_balance_v35_paper_plan;

/* For tests: what a plan of v35 holds, and where its columns, values and rows of places are on the card. */
void load_balance_formats_peek(const void *plan, size_t *steps, size_t *places, const void *arrays[3]);

#ifdef __cplusplus
}

typedef enum sell_order { SELL_BY_RULE, SELL_NATURAL, SELL_WINDOWS, SELL_SORTED } sell_order_t;
constexpr uint32_t SELL_PIECE = 1u << 31; /* in place_row */

typedef struct sell_plan {
    plan_memory_t memory;
    size_t slices, steps, places, runs;
    uint4 *slice;        /* [slices]  first step, number of steps, first place, log2 of the lanes a row */
                         /* v38: first step, first word, first place, steps | log2 lanes << 16 | SELL_WIDE */
    int32_t *columns;    /* [32 steps]  step k of lane l at 32 k + l; -1 where a row has ended */
    void *values;        /* [32 steps] */
    uint32_t *place_row; /* [places]  row, or SELL_PIECE + piece; NULL: the place is the row */
    piece_run_t *run;    /* [runs]  rows above PLAN_LONGEST, cut into pieces */
    void *pieces;
    uint32_t *words;     /* v38, instead of columns: [32 word steps]  word w of lane l at 32 w + l.  In a narrow slice a
                            lane's first column, then two differences a word; in a wide one its columns */
} sell_plan_t;

enum { SELL_NONE = 0xffff }; /* a difference that says: the row has ended */
constexpr uint32_t SELL_WIDE = 1u << 31;

extern "C" cudaError_t sell_plan_create(const csr_arrays_t *A, sell_order_t order, bool one_lane, void **plan,
                                        cudaStream_t stream);
#endif
#endif
