/*
 * grid.h - a matrix cut in two directions: ranks stand in a grid, and a rank has nonzeros of a block of rows whose
 * columns are in a block of columns.  Knows nothing of MPI.
 *
 * Rows, and entries of x and y, are dealt out as without a grid: first[k] .. first[k + 1] - 1 are rank k's.  Ranks
 * i * across .. i * across + across - 1 are row i of the grid, and where rank k stands in it is k % across.  The
 * nonzero of a row of rank p in a column of rank q goes to grid_home: in p's row of the grid, below q.  So
 *
 *     x is wanted from ranks of the same column of the grid (expand);
 *     sums of rows that are another's go to ranks of the same row of the grid (fold).
 *
 * 1 across: every rank has all of its rows, and nothing is folded.  (Boman, Devine, Rajamanickam 2013.)
 */
#ifndef DIST_GRID_H
#define DIST_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "csr.h"
#include "volumes.h"

enum { GRID_MOST_ACROSS = 1024 }; /* counting takes the square of it */

static inline int grid_home(int row_of, int col_of, int across) { return row_of / across * across + col_of % across; }

/* What a choice went by: bytes of nonzeros that the fullest rank reads, and those that the busiest one receives or
 * sends, weighed by how much slower these are. */
double grid_weight(const volumes_t *v, size_t element);

typedef struct grid_choice {
    volumes_t rows, blocks; /* whole rows, and the best of the grids */
    int across;             /* of that one; 1: so many ranks stand in no other grid */
    bool taken;             /* it weighs less than whole rows */
} grid_choice_t;

/* Counts all grids of so many ranks, before anything is timed.  first [parts + 1]: whose rows are whose; element: bytes
 * of an entry.  -1 if memory is short. */
int grid_choose(grid_choice_t *c, const csr_t *A, int parts, const int64_t *first, size_t element, err_t *err);

#endif
