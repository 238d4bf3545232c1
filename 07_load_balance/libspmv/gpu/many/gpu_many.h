/*
 * gpu_many.h - Y = alpha A X + beta Y, from the CSR arrays or the plan's slices.
 *
 *   gpu_many_rows.cu    lanes on each row, a warp on a long one and on each piece of a row that is cut
 *   gpu_many_long.cu    finds long rows when the plan is made, and adds the pieces of those that are cut
 *   gpu_many_turn.cu    transposes a column-major X
 *   gpu_many_slices.cu  X in column-major order, if the plan has slices of consecutive rows
 */
#ifndef SPMV_GPU_MANY_H
#define SPMV_GPU_MANY_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"
#include "gpu_slices.h"

/* The most columns in one pass, and the most nonzeros of a row that is not cut. */
enum { MANY_MOST = 32, MANY_PIECE = 256 };

typedef struct many_row { uint32_t row, first, pieces; } many_row_t;  /* a row that is cut, and its pieces */
typedef struct many_piece { uint32_t row, number; } many_piece_t;     /* of its row, from 0 on */

/* The arrays of a plan, in device memory; all 0 if the plan has none. */
typedef struct many {
    uint32_t *long_rows;      /* [long_count] rows with more than `most` nonzeros, but not more than a piece */
    many_row_t *cut_rows;     /* [cut_count] */
    many_piece_t *pieces;     /* [piece_count] */
    void *sums;               /* [piece_count x width] */
    void *turned;             /* [cols x width] X in row-major order; NULL if X is not transposed */
    uint32_t long_count, cut_count, piece_count;
    uint32_t most;            /* the most nonzeros of a row that is not long; 0 if rows were not counted */
    int width;                /* columns that fit into the memory: 2, 4, 8, 16 or 32 */
    size_t bytes;
} many_t;

/* Allocates memory for up to `columns` columns at once; with `turns`, also for X in row-major order.  May wait for the
 * stream.  After an error the caller calls many_free(). */
cudaError_t many_prepare(many_t *m, const gpu_csr_t *A, int columns, bool turns, cudaStream_t stream);
void many_free(many_t *m);

/* Makes one pass over A, for at most MANY_MOST columns, or m->width if m has memory.  Launches only. */
cudaError_t many_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c);

/* Parts of many_run: multiply rows and pieces; add the sums of pieces; transpose X into m->turned, `width` columns
 * wide. */
cudaError_t many_rows_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, bool is_turned);
cudaError_t many_pieces_add(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c);
cudaError_t many_turn(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c);

/* Multiplies all columns of a column-major call; `s` must be slices_in_order().  A has its value type.  One launch. */
cudaError_t many_slices_run(const slices_t *s, const gpu_csr_t *A, const gpu_many_t *c);

/* Returns the number of columns, a power of two, of the kernel that takes k columns. */
static inline int many_width(int k)
{
    int width = 2;
    while (width < k) width *= 2;
    return width;
}

#endif
