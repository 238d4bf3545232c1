/*
 * gpu_many.h - Y = alpha A X + beta Y, on the CSR arrays as they are or by the plan's slices.
 *
 *   gpu_many_rows.cu    lanes on each row, a warp on a long one and on each piece of a row that is cut
 *   gpu_many_long.cu    finds long rows when the plan is made, and adds the pieces of those that are cut
 *   gpu_many_turn.cu    X column after column -> row after row
 *   gpu_many_slices.cu  X column after column, where the plan has slices of rows as they stand
 */
#ifndef SPMV_GPU_MANY_H
#define SPMV_GPU_MANY_H

#include <cuda_runtime_api.h>

#include "gpu_engine.h"
#include "gpu_slices.h"

/* Columns of Y at once, and the nonzeros of a piece: a row with more of them is cut. */
enum { MANY_MOST = 32, MANY_PIECE = 256 };

typedef struct many_row { uint32_t row, first, pieces; } many_row_t;  /* a row that is cut, and its pieces */
typedef struct many_piece { uint32_t row, number; } many_piece_t;     /* of its row, from 0 on */

/* The arrays of a plan, in device memory; all 0 if there are none. */
typedef struct many {
    uint32_t *long_rows;      /* [long_count] more than `most` nonzeros, and no more than a piece */
    many_row_t *cut_rows;     /* [cut_count] */
    many_piece_t *pieces;     /* [piece_count] */
    void *sums;               /* [piece_count x width] */
    void *turned;             /* [cols x width] X row after row; NULL: columns stay where they are */
    uint32_t long_count, cut_count, piece_count;
    uint32_t most;            /* nonzeros of a row that is not long; 0: nobody has looked */
    int width;                /* columns there is room for: 2, 4, 8, 16 or 32 */
    size_t bytes;
} many_t;

/* Allocates memory for up to `columns` columns at once; with `turns`, also for X in row-major order.  May wait for the
 * stream.  After an error the caller calls many_free(). */
cudaError_t many_prepare(many_t *m, const gpu_csr_t *A, int columns, bool turns, cudaStream_t stream);
void many_free(many_t *m);

/* One pass over A, for at most MANY_MOST columns, and m->width where m has memory.  Launches only. */
cudaError_t many_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c);

/* Of many_run: the rows and pieces; what the pieces have left; X into m->turned, `width` columns wide. */
cudaError_t many_rows_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c, bool is_turned);
cudaError_t many_pieces_add(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c);
cudaError_t many_turn(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c);

/* All columns of a call by columns, with `s` in order (slices_in_order()); A has its value type.  One launch. */
cudaError_t many_slices_run(const slices_t *s, const gpu_csr_t *A, const gpu_many_t *c);

/* The number of columns, a power of two, of the kernel that takes k columns. */
static inline int many_width(int k)
{
    int width = 2;
    while (width < k) width *= 2;
    return width;
}

#endif
