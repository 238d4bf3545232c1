/*
 * order.h - a better order for the rows and columns of a square matrix: reverse Cuthill-McKee.  Not installed.
 *
 * A warp multiplies 32 rows in a row.  Where a mesh is numbered at random each of their nonzeros wants another 32 bytes
 * of x (a sector); where neighbours have near numbers they share them.  Renumbered, the product is
 *
 *     P y = alpha (P A P^T) P x + beta P y      (P: row i of P v is row rows[i] of v)
 */
#ifndef SPMV_ORDER_H
#define SPMV_ORDER_H

#include "forms.h"

enum {
    ORDER_WARP = 32,   /* rows */
    ORDER_SECTOR = 32, /* bytes */
    /* What P x and P y cost each product, in sectors a row.  On a GPU two of x come from L2 like the others, and y and
     * the orders from memory: a scrambled grid of five points, which saves 3.7, took 0.94 and 1.05 times as long in
     * order (H200, fp32 and fp64), one of seven 0.76 and 0.83.
     * On a CPU they wait for memory and the rest is in cache: on one core of a busy EPYC a scrambled grid of 27 points,
     * which saves 23 sectors a row, took a third to three quarters of the time in order; one of five points, which
     * saves 4, 1.2 to 1.9 times as long. */
    ORDER_PRICE_CARD = 4,
    ORDER_PRICE_CPU = 8
};
#define ORDER_MOST ((int64_t)1 << 30) /* nonzeros, of both triangles */

/* Sectors that must be saved beside the price: two launches more are 4 us, in which L2 answers for so many.  Tests of
 * small matrices set it to 0. */
extern int64_t reorder_least;

typedef struct order {
    int64_t n;
    int32_t *rows;         /* [n] row i of P A P^T is row rows[i] of A; NULL: A stays as it is */
    int32_t *places;       /* [n] row r of A is row places[r] of P A P^T */
    int64_t before, after; /* sectors of x that warps of 32 rows want: of A, of P A P^T (-1: not looked for) */
} order_t;

/* The order for f, n x n with at most ORDER_MOST nonzeros, x of so many bytes an element.  Where it pays, which is
 * before - after > price n + reorder_least, f becomes P A P^T, the columns of its rows rising; else o->rows is NULL
 * and f as it was.  The same for the same f.  False: no memory, nothing stays allocated but f. */
bool reorder_find(order_t *o, form_t *f, size_t vector_bytes, int price);
void reorder_free(order_t *o);

#endif
