/* sums.h - how the loops of the applications add up: in blocks, then the blocks in order, so that the same vectors give
 * the same bits on any number of threads.  In double, whatever the vectors. */
#ifndef APPS_SUMS_H
#define APPS_SUMS_H

#include <stddef.h>

enum { SUM_BLOCKS = 1024 }; /* at most */
#endif
