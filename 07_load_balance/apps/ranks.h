/*
 * ranks.h - a program that mpirun starts: rank 0 runs it, the others serve.
 *
 * Rank 0 reads the command line, the matrix and the clock as it does without MPI.  Before an operation of all ranks it
 * sends an order to the other ranks, which wait for orders and then call the same operation.
 */
#ifndef APPS_RANKS_H
#define APPS_RANKS_H

#include "method.h"

typedef enum ranks_what { RANKS_OPEN, RANKS_RUN, RANKS_CLOSE, RANKS_END } ranks_what_t;

/* Where the parts of the vectors are, and how ranks exchange entries. */
typedef enum ranks_place {
    RANKS_CPU,
    RANKS_NCCL,  /* one GPU per rank: NCCL or, if that is not possible, messages through the host */
    RANKS_DIRECT /* one GPU per rank: writes to each other's memory or, if not possible, as RANKS_NCCL */
} ranks_place_t;

typedef struct ranks_order {
    ranks_what_t what;
    ranks_place_t place; /* OPEN: the argument of product_of_ranks */
    dtype_t type;
    method_options_t options;
} ranks_order_t;

/* Call it first in main.  True on a rank that serves.  Does nothing if mpirun did not start this process. */
bool ranks_serve(int *argc, char ***argv);

/* The number of ranks; 1 without mpirun. */
int ranks_count(void);

/* NULL, or the reason why this build has no ranks. */
const char *ranks_missing(void);

/* Call it last in main, while the GPUs can still be closed.  Otherwise exit() ends the ranks. */
void ranks_finish(void);

/* Rank 0 sends the order, the others receive it.  RANKS_END, which rank 0 sends at its end, closes MPI. */
void ranks_give(const ranks_order_t *order);
ranks_order_t ranks_take(void);

/* Called by all ranks: distributes A [square], in fp32 or fp64; each rank gets its rows and the entries of x that it
 * needs from others (dist.h).  A is read only on rank 0.  NULL and *err, on all ranks. */
product_t *product_of_ranks(ranks_place_t place, dtype_t type, const csr_t *A, err_t *err);

/* Ends all ranks after an error on this rank, because the others might wait for it (dist_end_all). */
void ranks_end_all(const product_t *p, const err_t *err);

/* Fills in ranks, balance and received bytes of a row with row->iterations products; the row's idea becomes the
 * transport. */
void ranks_note(const product_t *p, report_row_t *row);

#endif
