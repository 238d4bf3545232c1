/* v15_merge_tiles.h - where tiles of rows and nonzeros begin. */
#ifndef LOAD_BALANCE_V15_MERGE_TILES_H
#define LOAD_BALANCE_V15_MERGE_TILES_H

#include "v08_nnz_split_carries.h"

typedef struct merge_tiles {
    plan_memory_t memory;
    carries_t carries;
    unsigned *border; /* [tiles + 1]  the rows that have ended before the tile */
} merge_tiles_t;

extern "C" size_t merge_path_row(const csr_t *A, size_t step);

#endif
