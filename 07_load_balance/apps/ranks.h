/*
 * ranks.h - a program started by mpirun: rank 0 runs it, the others serve.
 *
 * Rank 0 reads the command line, the matrix and the clock as without MPI.  Before it does a thing that takes all ranks
 * it gives an order, and the others, who wait for orders, do the same.
 */
#ifndef APPS_RANKS_H
#define APPS_RANKS_H

#include "product.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ranks_what { RANKS_OPEN, RANKS_RUN, RANKS_CLOSE, RANKS_END } ranks_what_t;

/* Where the parts are, and how they come together. */
typedef enum ranks_place {
    RANKS_CPU,
    RANKS_NCCL,  /* a GPU each: NCCL, or where it cannot be, messages by way of the host */
    RANKS_DIRECT /* a GPU each: in each other's memory, or where that cannot be, as above */
} ranks_place_t;

typedef struct ranks_order {
    ranks_what_t what;
    ranks_place_t place; /* OPEN: for product_of_ranks ... */
    dtype_t type;
    char options[128];  /* ... and the method's own, as it likes */
} ranks_order_t;

/* First thing in main.  True on a rank that serves.  Does nothing where no mpirun is behind this process. */
bool ranks_serve(int *argc, char ***argv);

/* How many ranks there are; 1 without mpirun. */
int ranks_count(void);

/* NULL, or why there can be no ranks: how this program was built. */
const char *ranks_missing(void);

/* Last thing in main: the GPUs are still there to be closed.  Without it all ends at exit. */
void ranks_finish(void);

/* Rank 0 gives the order, the others get it.  After RANKS_END, which rank 0 gives when it ends, MPI is closed. */
void ranks_give(const ranks_order_t *order);
ranks_order_t ranks_take(void);

/* All ranks: A [square], in fp32 or fp64, over the ranks, each with its rows and what it needs of the others (dist.h).
 * Only rank 0's A is looked at.  NULL and *err, on all ranks. */
product_t *product_of_ranks(ranks_place_t place, dtype_t type, const csr_t *A, err_t *err);

/* For a rank on which something failed that the others may wait for (dist_end_all). */
void ranks_end_all(const product_t *p, const err_t *err);

/* What row->iterations products with it were: how many ranks, how evenly, how many bytes came over, and by what, which
 * becomes the row's idea. */
void ranks_note(const product_t *p, report_row_t *row);

#ifdef __cplusplus
}
#endif

#endif
