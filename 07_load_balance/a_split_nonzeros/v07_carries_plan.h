/* v07_carries_plan.h - what each tile leaves open: the plan of v7, v8 and of merge-path is room for it. */
#ifndef LOAD_BALANCE_V7_CARRIES_PLAN_H
#define LOAD_BALANCE_V7_CARRIES_PLAN_H

#include "../plan/plan.h"

#define NO_ROW 0xffffffffu /* the tile leaves nothing open */

typedef struct carries {
    plan_memory_t memory;
    unsigned tiles, *rows; /* [tiles] the row that is open at the end of the tile, NO_ROW if none */
    void *sums;            /* [tiles] and its part, of the matrix's value type */
    dtype_t value_type;
} carries_t;

/* Creates a plan that only holds memory for the carries of `tiles` tiles. */
static inline cudaError_t carries_create(void **plan, size_t tiles, dtype_t value_type)
{
    return plan_create<carries_t>(plan, [=](carries_t *c, plan_memory_t *) {
        c->tiles = (unsigned)tiles;
        c->value_type = value_type;
        TRY(plan_take(&c->memory, &c->rows, tiles + 1));
        return plan_take(&c->memory, (char **)&c->sums, (tiles + 1) * dtype_size(value_type));
    });
}

#endif
