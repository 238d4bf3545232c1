/*
 * order.h - renumbers the rows and columns of a square matrix so that rows which use the same columns are in one part.
 * Then fewer entries of x are exchanged between parts.  Uses METIS, a graph partitioner; independent of MPI.
 */
#ifndef DIST_ORDER_H
#define DIST_ORDER_H

#include <stdbool.h>

#include "csr.h"
#include "volumes.h"

/* Row r and column r become row and column place[r]; part p then has rows first[p] .. first[p + 1] - 1. */
typedef struct order {
    int32_t *place; /* [rows] */
    int64_t *first; /* [parts + 1] */
} order_t;

/* Returns whether this was built with METIS. */
bool order_has_metis(void);

/* Asks METIS for parts with about equally many nonzeros and with few received entries of x in all; the same matrix
 * always gets the same parts.  Rows of a part keep their order.  Returns -1 and *err if A is not square, METIS is
 * missing or memory is short.  The caller frees *o (order_free). */
int order_metis(order_t *o, const csr_t *A, int parts, err_t *err);
void order_free(order_t *o);

/* Returns A in that numbering; the caller frees it (csr_free).  NULL and *err if memory is short. */
csr_t *order_apply(const csr_t *A, const int32_t *place, err_t *err);

/* The two counts that order_choose compares: the best cut of A in its own order, and METIS's parts. */
typedef struct order_choice {
    volumes_t natural, metis;
    csr_t *ordered; /* A in METIS's order; NULL if its own order was kept */
} order_choice_t;

/* Takes METIS's order if the rank that receives most then receives less, and if the fullest rank exceeds the mean by at
 * most 5 %, or by no more than before.  It counts; nothing is timed.  If the order is taken, the caller frees o and
 * c->ordered; else *o is empty. */
int order_choose(order_choice_t *c, order_t *o, const csr_t *A, int parts, err_t *err);

#endif
