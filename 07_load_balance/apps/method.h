/*
 * method.h - shared by conjugate gradients and PageRank: vectors in the memory of a product, steps whose sums stay
 * there, and a host that checks these sums only every few steps.
 *
 * So the GPU need not wait for the host.  If the product can be captured, the steps between two checks are one CUDA
 * graph, which is launched repeatedly.
 */
#ifndef APPS_METHOD_H
#define APPS_METHOD_H

#include <stdlib.h>

#include "product.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct method_options {
    double tolerance;      /* 0: see cg_defaults and pagerank_defaults */
    double damping;        /* PageRank only */
    size_t max_iterations; /* 0: 10000 */
    size_t look_every;     /* GPU: steps between two checks by the host; one more in a graph if it is odd */
} method_options_t;

typedef struct method method_t;

/* The functions of a method.  Each returns 0, or -1 and *err. */
typedef struct method_ops {
    size_t step_bytes;                            /* size of the sums of a step */
    int (*step)(method_t *, size_t k, err_t *);   /* enqueues or runs step k */
    /* Checks the sums in m->history of steps from .. to - 1, and those before step `to`.  Sets m->iterations to the
     * step in which the method ended.  Returns 1 and a text, the same on every rank, if the method cannot continue. */
    int (*look)(method_t *, size_t from, size_t to, bool *ended, err_t *);
} method_ops_t;

struct method {
    product_t *product;       /* borrowed */
    const method_ops_t *ops;
    method_options_t options; /* no member is 0 */
    void *steps;              /* host: [max_iterations + 1]; GPU: [look_every + 1], the first was checked last */
    void *history;            /* host copy of the steps */
    double *partial;          /* [2 * SUM_BLOCKS], see sums.h */
    unsigned *arrived;        /* GPU only: zero */
    cudaGraphExec_t graph;    /* of look_every steps; NULL: not recorded */
    size_t iterations;        /* of the last run */
    double gather_us;         /* of the last run: time to copy x to rank 0 */
};

/* Opens m, which must be zero, for runs with that product.  0, or -1 and *err; call method_close even then. */
int method_open(method_t *m, product_t *product, const method_ops_t *ops, const method_options_t *o, err_t *err);
void method_close(method_t *m);

/* Copies the sums of steps from .. to to the host and checks them (look of method_ops_t).  -1 if that failed. */
int method_look(method_t *m, size_t from, size_t to, bool *ended, err_t *err);

/* Runs steps until *ended or max_iterations, then copies x to `whole` on rank 0.  Returns the same as method_look. */
int method_run(method_t *m, bool *ended, const void *x, void *whole, err_t *err);

#ifdef __cplusplus
}
#endif

#endif
