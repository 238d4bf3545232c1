/* v19_flags_plan.h - CSR5's tiles, and where rows start in them, as v19 and v20 read them. */
#ifndef LOAD_BALANCE_V19_FLAGS_PLAN_H
#define LOAD_BALANCE_V19_FLAGS_PLAN_H

#include "../plan/plan.h"

enum { CSR5_SIGMA = 16, CSR5_TILE = 32 * CSR5_SIGMA };
#define CSR5_HAS_EMPTY (1u << 31) /* in tile_row */

typedef struct csr5 {
    plan_memory_t memory;
    size_t tiles;
    uint32_t *tile_row;     /* [tiles]  row of the first row start in the tile; CSR5_HAS_EMPTY: see below */
    uint32_t *descriptor;   /* [32 tiles]  a lane's bit_flag, and its y_offset << 16 */
    uint32_t *empty_start;  /* [tiles]  of a tile with empty rows: its first place in empty_offset, which ... */
    uint32_t *empty_offset; /* ... holds the row of every row start, counted from tile_row */
    int32_t *columns;       /* [512 tiles]  entry j of lane l of a tile at 32 j + l; -1 past the last */
    void *values;           /* [512 tiles] */
} csr5_t;

#ifdef __cplusplus
extern "C" {
#endif
/* Transposes the tiles of A on the host: writes its nonzeros to columns and values, 512 slots per tile. */
void csr5_turn(const csr_t *A, size_t slots, int32_t *columns, double *values);

/* Fills the four arrays of a csr5_t that say where A's rows start, on the host, and returns how many entries of
 * empty_offset it used; this array has room for all rows.  `word` is the descriptor, which must be zeroed.  The
 * tile_row of a tile that begins in the middle of a row is the row after it. */
size_t csr5_flags(const csr_t *A, uint32_t *tile_row, uint32_t *word, uint32_t *empty_start, uint32_t *empty_offset);
#ifdef __cplusplus
}
#endif

#endif
