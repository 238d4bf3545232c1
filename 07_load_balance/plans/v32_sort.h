/* v32_sort.h - rows by length, longest first. */
#ifndef LOAD_BALANCE_V32_SORT_H
#define LOAD_BALANCE_V32_SORT_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PLAN_LONGEST = 1024, PLAN_WINDOW = 1024 };

/* Words of d_counts for n lengths. */
size_t plan_sort_words(size_t n);

/* d_order[p] = which of n lengths (none above PLAN_LONGEST) stands at place p: longest first, equal ones
 * in their old order.  windows: each PLAN_WINDOW of them by itself; else all. */
cudaError_t plan_sort(const uint32_t *d_lengths, size_t n, bool windows, uint32_t *d_counts, uint32_t *d_order,
                      cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
