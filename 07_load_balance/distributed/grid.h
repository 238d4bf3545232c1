/*
 * grid.h - a matrix cut in two directions: the ranks form a grid, and a rank has the nonzeros of a block of rows in a
 * block of columns.  Independent of MPI.
 *
 * Rows, and entries of x and y, are distributed as without a grid: first[k] .. first[k + 1] - 1 belong to rank k.
 * Ranks i * across .. i * across + across - 1 are row i of the grid; rank k is in column k % across.  A nonzero in a
 * row of rank p and a column of rank q belongs to rank grid_home(p, q): in p's row and q's column of the grid.  So
 *
 *     entries of x come from ranks in the same column of the grid (expand);
 *     partial sums of other ranks' rows are sent to ranks in the same row of the grid (fold).
 *
 * With across = 1 each rank has all nonzeros of its rows, and no sums are folded (Boman, Devine, Rajamanickam 2013).
 */
#ifndef DIST_GRID_H
#define DIST_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "csr.h"
#include "volumes.h"

enum { GRID_MOST_ACROSS = 1024 }; /* counting takes time proportional to its square */

static inline int grid_home(int row_of, int col_of, int across) { return row_of / across * across + col_of % across; }

/* Returns the cost by which a grid is chosen: the bytes of nonzeros that the fullest rank reads, plus the bytes that
 * the busiest rank receives or sends, which are slower and so have a factor. */
double grid_weight(const volumes_t *v, size_t element);

typedef struct grid_choice {
    volumes_t rows, blocks; /* whole rows, and the best of the grids */
    int across;             /* ranks in a row of the best grid; 1 if only whole rows are possible */
    bool taken;             /* true if the grid costs less than whole rows */
} grid_choice_t;

/* Computes the cost of all grids of `parts` ranks; it times nothing.  first [parts + 1]: the rows of each rank;
 * element: bytes of an entry.  Returns -1 if memory is short. */
int grid_choose(grid_choice_t *c, const csr_t *A, int parts, const int64_t *first, size_t element, err_t *err);

#endif
