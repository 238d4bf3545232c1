/* v08_nnz_split_carries_plan.h - the second kernel of v8, which merge-path calls too. */
#ifndef LOAD_BALANCE_V8_NNZ_SPLIT_CARRIES_PLAN_H
#define LOAD_BALANCE_V8_NNZ_SPLIT_CARRIES_PLAN_H

#include "v07_carries_plan.h"

/* Adds the carries of each row to y[row], in a fixed order. */
extern "C" cudaError_t add_carries(const carries_t *carries, void *d_y, cudaStream_t stream);

#endif
