/* v24_csr5.h - CSR5, as v24 reads it. */
#ifndef LOAD_BALANCE_V24_CSR5_H
#define LOAD_BALANCE_V24_CSR5_H

#include "plan.h"

enum { CSR5_SIGMA = 16, CSR5_TILE = 32 * CSR5_SIGMA };
constexpr uint32_t CSR5_HAS_EMPTY = 1u << 31; /* in tile_row */

typedef struct csr5 {
    plan_memory_t memory;
    size_t tiles, empties, runs;
    uint32_t *tile_row;     /* [tiles]  row of the first row start in the tile; CSR5_HAS_EMPTY: see below */
    uint32_t *descriptor;   /* [32 tiles]  a lane's bit_flag, and its y_offset << 16 */
    uint32_t *empty_start;  /* [tiles]  of a tile with empty rows: its first place in empty_offset, which ... */
    uint32_t *empty_offset; /* ... holds the row of every row start, counted from tile_row */
    int32_t *columns;       /* [512 tiles]  entry j of lane l of a tile at 32 j + l; -1 past the last */
    void *values;
    uint32_t *empty_rows;   /* [empties] */
    piece_run_t *run;       /* [runs]  rows that go on in the next tile */
    void *calibrator;       /* [tiles]  what a tile adds to the row it starts in the middle of */
} csr5_t;

#endif
