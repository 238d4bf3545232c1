/*
 * order.h - a better order for the rows and columns of a square matrix: reverse Cuthill-McKee.  Not installed.
 *
 * A warp multiplies 32 consecutive rows.  If a mesh is numbered at random, each of their nonzeros needs another sector
 * of x (32 bytes); if neighbours have close numbers, they share sectors.  With the new numbers the product is
 *
 *     P y = alpha (P A P^T) P x + beta P y      (P: row i of P v is row rows[i] of v)
 */
#ifndef SPMV_ORDER_H
#define SPMV_ORDER_H

#include "forms.h"

enum {
    ORDER_WARP = 32,   /* rows that a warp multiplies */
    ORDER_SECTOR = 32, /* bytes of a sector */
    /* The cost of P x and P y per product, in sectors per row.
     * GPU: two of the sectors are of x and come from L2; y and the orders come from memory.  With the better order, a
     * scrambled 5-point grid, which saves 3.7 sectors per row, took 0.94 (fp32) and 1.05 (fp64) of the time on an H200;
     * a 7-point grid took 0.76 and 0.83.
     * CPU: these accesses wait for memory, while the product's data is in the cache.  On one core of a busy EPYC, a
     * scrambled 27-point grid, which saves 23 sectors per row, took a third to three quarters of the time with the
     * better order; a 5-point grid, which saves 4, took 1.2 to 1.9 times as long. */
    ORDER_PRICE_GPU = 4,
    ORDER_PRICE_CPU = 8
};
#define ORDER_MOST ((int64_t)1 << 30) /* the most nonzeros, both triangles counted, for which an order is searched */

/* The number of sectors that must be saved in addition to the price, for two more launches (4 us): L2 delivers this
 * many sectors in that time.  Tests of small matrices set it to 0. */
extern int64_t reorder_least;

typedef struct order {
    int64_t n;
    int32_t *rows;         /* [n] row i of P A P^T is row rows[i] of A; NULL: A is not reordered */
    int32_t *places;       /* [n] row r of A is row places[r] of P A P^T */
    int64_t before, after; /* sectors of x that warps of 32 rows need: of A, of P A P^T (-1: not searched) */
} order_t;

/* Searches an order for f, n x n with at most ORDER_MOST nonzeros; an element of x has vector_bytes bytes.  If the
 * order pays, that is before - after > price n + reorder_least, f becomes P A P^T, with ascending columns in each row;
 * else o->rows is NULL and f is unchanged.  The same f gives the same result.  Returns false if memory is short; then
 * only f stays allocated. */
bool reorder_find(order_t *o, form_t *f, size_t vector_bytes, int price);
void reorder_free(order_t *o);

#endif
