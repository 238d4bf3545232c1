/*
 * order.h - another numbering of a square matrix, in which what belongs together is in one part: fewer entries of x
 * cross from part to part.  By METIS, a graph partitioner.  Knows nothing of MPI.
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

/* Was METIS there when this was built? */
bool order_has_metis(void);

/* Parts by METIS: about as many nonzeros each, and as few entries of x received in all as it finds; always the same for
 * the same matrix.  Rows of a part keep their sequence.  -1 and *err: not square, no METIS, memory is short.  The
 * caller's: order_free. */
int order_metis(order_t *o, const csr_t *A, int parts, err_t *err);
void order_free(order_t *o);

/* A in that numbering; the caller's (csr_free).  NULL and *err if memory is short. */
csr_t *order_apply(const csr_t *A, const int32_t *place, err_t *err);

/* What a choice went by: the best cut of A as it is, and METIS's parts. */
typedef struct order_choice {
    volumes_t natural, metis;
    csr_t *ordered; /* NULL: as it is is no worse */
} order_choice_t;

/* METIS's order is taken where the rank that receives most receives less, and the fullest rank has no more than 5 %
 * over the mean, or no more than as it is.  Counted, before anything is timed.  Where it is taken o and c->ordered are
 * the caller's; else *o is empty. */
int order_choose(order_choice_t *c, order_t *o, const csr_t *A, int parts, err_t *err);

#endif
