/* gpu_wide.h - few long rows over many columns, stored anew by tiles of x (gpu_wide.cu, gpu_wide_build.cu). */
#ifndef SPMV_GPU_WIDE_H
#define SPMV_GPU_WIDE_H

#include <cuda_runtime_api.h>

#include "gpu_spans.h"

enum {
    WIDE_THREADS = 1024, /* threads of a block */
    WIDE_PAD = 32        /* numbers behind the columns of a tile, of which the first is 0 */
};

/* Steps that a thread loads at once, in 16 bytes or less. */
#define WIDE_BATCH(value_size) ((value_size) == 8 ? 2 : 4)

/* An entry has the number of a sum of the block in the upper 16 bits, and a column of the tile in the lower.  A place
 * without a nonzero has a sum of its thread, behind those of the rows, and the column behind the tile's. */
enum { WIDE_MOST_SUMS = 0x10000, WIDE_MOST_WIDTH = 0xffff };

typedef struct wide {
    uint32_t groups, parts;  /* of rows, of columns: a block has the rows of a group and the tiles of a part */
    uint32_t count, width;   /* tiles, and columns of each; the last may have fewer */
    uint32_t ranges;         /* pieces of a group's nonzeros, one for each warp that fills them */
    uint32_t most_rows;      /* rows of the largest group */
    uint32_t most_sums;      /* sums of the largest group */
    uint32_t batch;          /* WIDE_BATCH() of a value */
    uint32_t *group_rows;    /* [groups + 1] first row of each */
    uint32_t *first_sums;    /* [rows + 1] first sum of each row, numbered through all groups */
    uint32_t *starts;        /* [groups * count + 1] first batch of each group and tile */
    uint32_t *numbers; /* [groups * count * ranges + 1] nonzeros before each range, those of a group's tile together */
    uint32_t *counters;      /* [groups * count * ranges] while it is filled */
    uint32_t *entries;       /* WIDE_BATCH() per thread and batch */
    void *values;            /* the same number */
    void *part_sums;         /* [groups * parts * most_rows] */
    unsigned *parts_arrived; /* [groups] */
    uint64_t batches;        /* number of batches */
    size_t bytes;            /* of device memory */
} wide_t;

/* Builds on `stream` and waits for it.  On an error nothing stays allocated and the CUDA error is returned.  It is
 * cudaErrorNotSupported if a block has more rows than shared memory holds sums, or copies far more of x than it uses,
 * or has more than twice the mean work, or if most places would be fillers. */
cudaError_t wide_build(wide_t *t, const gpu_csr_t *A, int exclusive, cudaStream_t stream);
/* Writes A's values again: not waited for. */
cudaError_t wide_refresh(const wide_t *t, const gpu_csr_t *A, cudaStream_t stream);
/* One launch on the call's stream.  alpha is not 0 (it reads x). */
cudaError_t wide_run(const wide_t *t, const gpu_csr_t *A, const gpu_call_t *c);
void wide_free(wide_t *t); /* leaves it zeroed */

/* Gets the shared memory that a block may use besides the kernel's own, and permits the kernel for `type` to use it. */
cudaError_t wide_shared_bytes(size_t *bytes, spmv_type_t type);
/* Returns the shared memory of a block with such tiles and sums; two tiles are in it if a part has more than one. */
size_t wide_shared_numbers(uint32_t width, uint32_t tiles_of_part, uint32_t most_sums);

#endif
