/* gpu_granules.h - the matrix stored anew in granules of 4 nonzeros of one row (gpu_granules.cu,
 * gpu_granules_build.cu). */
#ifndef SPMV_GPU_GRANULES_H
#define SPMV_GPU_GRANULES_H

#include <cuda_runtime_api.h>

#include "gpu_spans.h"

enum {
    GRANULE = 4,              /* nonzeros */
    GRANULE_THREADS = 256,    /* threads of a block, at most */
    GRANULES_PER_THREAD = 3,
    GRANULES_PER_WARP = 32 * GRANULES_PER_THREAD,
    GRANULE_SLOTS = GRANULE_THREADS * GRANULES_PER_THREAD /* slots of a block, at most */
};

/* The columns and shared rows of a block. */
typedef struct granule_block {
    uint32_t base;        /* the smallest column in the block */
    uint32_t head_blocks; /* number of blocks that share the first row, if it begins in an earlier block; otherwise 0 */
    uint32_t tail_blocks; /* number of blocks that share the last row, if it begins here and continues; otherwise 0 */
    uint32_t head_first;  /* the block in which the first row begins */
} granule_block_t;

/* Measured (H200): with more nonzeros other formats, whose warps read many steps one after the other, are faster. */
enum { GRANULES_MOST_NNZ = GPU_GRANULES_TO };

typedef struct granules {
    uint32_t blocks, warps;   /* blocks, and warps of each block */
    uint32_t slots;           /* slots of a block, warps * GRANULES_PER_WARP; each has a granule or is padding */
    uint32_t column_bytes;    /* bytes of a granule's columns: 4, 8, 12 or 16 */
    uint32_t count;           /* number of granules; the other slots are padding */
    uint32_t *starts;         /* [rows + 1] first granule of each row, numbered through all blocks */
    uint32_t *cuts, *cut_rows; /* [blocks + 1] first granule of each block, and its row */
    granule_block_t *records; /* [blocks] */
    uint32_t *warp_rows;      /* [blocks * warps] row of the first granule of each warp */
    uint16_t *marks;          /* [blocks * warps * 32] of each thread: a bit for each granule that ends a row, and
                                 above them the row ends before it in the warp */
    uint32_t *columns;        /* [blocks * slots] of column_bytes */
    void *values;             /* [blocks * slots * 4] */
    uint32_t cut_count;       /* blocks that begin inside a row */
    void *left_sums;          /* [blocks] sums of cut rows, NO_SUM between executes; NULL if no row is cut */
    size_t bytes;             /* of device memory */
} granules_t;

/* Builds on `stream` and waits for it.  On an error nothing stays allocated and the CUDA error is returned;
 * cudaErrorNotSupported if there are more than GRANULES_MOST_NNZ nonzeros, if rows are so short that most places would
 * be empty, or if a row must be cut without `exclusive`. */
cudaError_t granules_build(granules_t *g, const gpu_csr_t *A, int exclusive, cudaStream_t stream);
/* Writes A's values again: one launch, not waited for. */
cudaError_t granules_refresh(const granules_t *g, const gpu_csr_t *A, cudaStream_t stream);
/* One launch on the call's stream.  alpha is not 0 (it reads x). */
cudaError_t granules_run(const granules_t *g, const gpu_csr_t *A, const gpu_call_t *c);
void granules_free(granules_t *g); /* leaves it zeroed */

#endif
