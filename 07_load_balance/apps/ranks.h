/*
 * ranks.h - a program started by mpirun: rank 0 runs it, the others serve.
 *
 * Rank 0 reads the command line, the matrix and the clock as without MPI.  Before an operation of all ranks it sends an
 * order to the others, which wait for orders and then call the same operation.
 */
#ifndef APPS_RANKS_H
#define APPS_RANKS_H

#include "method.h"

typedef enum ranks_what { RANKS_OPEN, RANKS_RUN, RANKS_CLOSE, RANKS_END } ranks_what_t;

/* Where the parts of the vectors are, and how ranks exchange entries. */
typedef enum ranks_place {
    RANKS_CPU,
    RANKS_NCCL,  /* a GPU each: NCCL, or if that is not possible, messages through the host */
    RANKS_DIRECT /* a GPU each: writes into each other's memory, or if that is not possible, as RANKS_NCCL */
} ranks_place_t;

typedef struct ranks_order {
    ranks_what_t what;
    ranks_place_t place; /* OPEN: the argument of product_of_ranks */
    dtype_t type;
    method_options_t options;
} ranks_order_t;

/* Call it first in main.  True on a rank that serves.  Does nothing if mpirun did not start this process. */
bool ranks_serve(int *argc, char ***argv);

/* How many ranks there are; 1 without mpirun. */
int ranks_count(void);

/* NULL, or the reason why this build has no ranks. */
const char *ranks_missing(void);

/* Call it last in main, while the GPUs can still be closed.  Otherwise exit() ends the ranks. */
void ranks_finish(void);

/* Rank 0 sends the order, the others receive it.  RANKS_END, which rank 0 sends when it ends, closes MPI. */
void ranks_give(const ranks_order_t *order);
ranks_order_t ranks_take(void);

/* All ranks: A [square], in fp32 or fp64, over the ranks, each with its rows and what it needs of the others (dist.h).
 * A is read on rank 0 only.  NULL and *err, on all ranks. */
product_t *product_of_ranks(ranks_place_t place, dtype_t type, const csr_t *A, err_t *err);

/* Ends all ranks after an error on this rank, for which the others might wait (dist_end_all). */
void ranks_end_all(const product_t *p, const err_t *err);

/* Fills in the row of row->iterations products: ranks, balance, bytes received; the transport becomes the row's idea.
 * */
void ranks_note(const product_t *p, report_row_t *row);

#endif
