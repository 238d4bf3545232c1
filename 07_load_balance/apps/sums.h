/* sums.h - how the loops of the applications add up: in blocks, then the blocks in order, so that the same vectors give
 * the same bits on any number of threads.  In double, whatever the vectors. */
#ifndef APPS_SUMS_H
#define APPS_SUMS_H

#include <stddef.h>

enum { SUM_BLOCKS = 1024 }; /* at most */

/* CPU: rows in pieces of this many, SUM_BLOCKS of them at most. */
static inline size_t sum_piece(size_t rows)
{
    const size_t least = 4096, piece = (rows + SUM_BLOCKS - 1) / SUM_BLOCKS;
    return piece < least ? least : piece;
}
#endif
