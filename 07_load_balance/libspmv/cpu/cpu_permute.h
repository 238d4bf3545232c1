/* cpu_permute.h - x and y of a matrix whose rows and columns were renumbered (order.h).  Not installed. */
#ifndef SPMV_CPU_PERMUTE_H
#define SPMV_CPU_PERMUTE_H

#include "cpu_engine.h"
#include "spmv_sizes.h"

typedef struct cpu_permute {
    int64_t n;
    const int32_t *rows, *places; /* [n] as in order_t (order.h) */
    void *x, *y;                  /* [n] P x and P y */
    size_t vector_bytes;
} cpu_permute_t;

/* Computes P x from x, whose elements are `apart` elements from each other, with the engine's threads. */
void cpu_permute_x(const cpu_engine_t *engine, const cpu_permute_t *p, const void *x, int64_t apart);
/* Computes y = alpha P^T (P y) + beta y.  With beta 0, y is not read. */
void cpu_permute_y(const cpu_engine_t *engine, const cpu_permute_t *p, double alpha, double beta, void *y,
                   int64_t apart);

#endif
