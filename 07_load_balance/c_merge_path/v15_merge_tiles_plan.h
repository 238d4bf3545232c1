/* v15_merge_tiles_plan.h - where tiles of rows and nonzeros begin. */
#ifndef LOAD_BALANCE_V15_MERGE_TILES_PLAN_H
#define LOAD_BALANCE_V15_MERGE_TILES_PLAN_H

#include "../a_split_nonzeros/v08_nnz_split_carries_plan.h"

typedef struct merge_tiles {
    plan_memory_t memory;
    carries_t carries;
    unsigned *border; /* [tiles + 1]  the rows that have ended before the tile */
} merge_tiles_t;

extern "C" size_t merge_path_row(const csr_t *A, size_t step);

#endif
