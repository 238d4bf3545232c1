/*
 * plan_reorder.h - a plan whose rows and columns are renumbered (option `reorder`; order.h says why).  Not installed.
 *
 * Such a plan holds P A P^T, and one x and one y in the new order, so only one product at a time may run.
 */
#ifndef SPMV_PLAN_REORDER_H
#define SPMV_PLAN_REORDER_H

#include "plan.h"

/* Reorders A if that saves enough: then it sets plan->reordered, and plan->A as storage_create() does; otherwise only
 * the reason that spmv_describe() prints.  Call reordered_free() after an error, too. */
spmv_status_t reordered_create(spmv_plan_t *plan, const spmv_matrix_t *A, const spmv_options_t *o, bool transpose,
                               void *stream);

/* The vectors of a product, in the caller's order; element i is at x[i * x_apart] and y[i * y_apart]. */
typedef struct vectors {
    const void *x;
    void *y;
    int64_t x_apart, y_apart;
} vectors_t;

/* Computes y = alpha A x + beta y for an alpha that is not 0.  Errors are those of gpu_engine_execute(). */
spmv_status_t reordered_execute(const spmv_plan_t *plan, double alpha, const vectors_t *v, double beta, void *stream);
/* The same for k right-hand sides, one after the other.  x_apart and y_apart are the distances between columns if
 * by_columns, else between rows. */
spmv_status_t reordered_execute_many(const spmv_plan_t *plan, int k, double alpha, const vectors_t *first, double beta,
                                     void *stream, bool by_columns);

size_t reordered_bytes(const spmv_plan_t *plan); /* 0 if the plan is not reordered */
void reordered_free(spmv_plan_t *plan);

#endif
