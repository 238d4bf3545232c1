/* carries.h - the list of carries of v8 and v17: what each tile leaves open, and the kernel that adds it. */
#ifndef LOAD_BALANCE_CARRIES_H
#define LOAD_BALANCE_CARRIES_H

#include "chapter.h"

#define NO_ROW 0xffffffffu /* the tile leaves nothing open */

typedef struct carries {
    unsigned tiles;
    unsigned *rows; /* [tiles] the row that is open at the end of the tile, NO_ROW if none */
    void *sums;     /* [tiles] and its part, of the matrix's value type */
    dtype_t value_type;
    size_t bytes;
} carries_t;

#ifdef __cplusplus
extern "C" {
#endif

/* A plan that is nothing but room for the carries of so many tiles. */
cudaError_t carries_create(void **plan, size_t tiles, dtype_t value_type);
size_t carries_bytes(const void *plan);
void carries_destroy(void *plan);

/* The second kernel: y[row] += the carries of row, in a fixed order. */
cudaError_t add_carries(const carries_t *carries, void *d_y, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
