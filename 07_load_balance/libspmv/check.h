/* check.h - the checks of arguments.  Not installed. */
#ifndef SPMV_CHECK_H
#define SPMV_CHECK_H

#include <stdbool.h>

#include "texts.h"
#include "spmv_sizes.h"

static inline bool misaligned(const void *p, size_t size) { return (uintptr_t)p % size != 0; }

/* Checks sizes, types and pointers of a matrix in any form; reads no array. */
spmv_status_t check_arguments(const spmv_matrix_t *A);
spmv_status_t check_options(const spmv_options_t *o);

/* Checks offsets and indices of a matrix whose arrays are in host memory. */
spmv_status_t check_matrix(const spmv_matrix_t *A);

/* Checks the arguments of spmv_execute_many() except the plan; A has the sizes. */
spmv_status_t check_many(const spmv_csr_t *A, int k, spmv_order_t order, double alpha, const void *X, int64_t ldx,
                         const void *Y, int64_t ldy);

/* Returns whether [a, a + n) and [b, b + m) share a byte. */
bool overlap(const void *a, size_t n, const void *b, size_t m);

#endif
