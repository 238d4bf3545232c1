/* gpu_tiles.h - the matrix stored anew by tiles of x that fit shared memory (gpu_tiles.cu, gpu_tiles_build.cu). */
#ifndef SPMV_GPU_TILES_H
#define SPMV_GPU_TILES_H

#include <cuda_runtime_api.h>

#include "gpu_spans.h"

enum { TILE_WARPS = 32 }; /* warps of a block */

/* An entry has the row of the block in the upper 16 bits, and the column of the tile in the lower.  A place without a
 * nonzero: */
#define TILE_FILLER 0xffffffffu
enum { TILE_MOST_ROWS = 0xffff, TILE_MOST_WIDTH = 0x10000 };

typedef struct tiles {
    uint32_t groups, parts;  /* of rows, of columns: a block has the rows of a group and the tiles of a part */
    uint32_t count, width;   /* tiles, and columns of each; the last may have fewer */
    uint32_t most_rows;      /* rows of the largest group */
    uint32_t *first_rows;    /* [ranges + 1] first row of each warp of a group; the next warp's ends its rows */
    uint32_t *starts;        /* [ranges * count + 1] first step of each range and tile */
    uint32_t *counters;      /* [ranges * count] while it is filled */
    uint32_t *entries;       /* 32 per step */
    void *values;            /* 32 per step */
    void *part_sums;         /* [groups * parts * most_rows], if there are several parts */
    unsigned *parts_arrived; /* [groups] */
    uint64_t steps;          /* number of steps */
    size_t bytes;            /* of device memory */
} tiles_t;

/* Builds on `stream` and waits for it.  On an error nothing stays allocated and the CUDA error is returned.  It is
 * cudaErrorNotSupported if a block has more rows than shared memory holds sums, if most places would be fillers (rows
 * are long, or few), or if a warp has more than twice the mean work. */
cudaError_t tiles_build(tiles_t *t, const gpu_csr_t *A, int exclusive, cudaStream_t stream);
/* Writes A's values again: one launch, not waited for. */
cudaError_t tiles_refresh(const tiles_t *t, const gpu_csr_t *A, cudaStream_t stream);
/* One launch on the call's stream.  alpha is not 0 (it reads x). */
cudaError_t tiles_run(const tiles_t *t, const gpu_csr_t *A, const gpu_call_t *c);
void tiles_free(tiles_t *t); /* leaves it zeroed */

/* Gets the shared memory that a block may use besides the kernel's own, and permits the kernel for `type` to use it. */
cudaError_t tiles_shared_bytes(size_t *bytes, spmv_type_t type);

#endif
