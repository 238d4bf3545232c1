/*
 * product.h - the operations that an iterative method needs: the product y = A x, and sums over all processes.
 *
 * They are implemented by any SpMV of the course on this machine (product_of_step), or by rows distributed over MPI
 * ranks, on CPUs or GPUs (product_of_ranks).  The methods (cg.h, pagerank.h) are the same for all.
 */
#ifndef APPS_PRODUCT_H
#define APPS_PRODUCT_H

#include "harness.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct product product_t;
struct product {
    size_t n;        /* rows and columns of the whole matrix */
    size_t rows;     /* rows of this process: all, unless there are ranks */
    dtype_t type;    /* of x, y and all other vectors: fp32 or fp64 */
    bool on_gpu;    /* x, y and the arguments of the functions are in device memory, used on `stream` */
    void *stream;    /* a cudaStream_t that synchronises with the default stream; NULL: the default stream */
    bool records;    /* multiply and add_up only enqueue on `stream` (not NULL): they may be captured as graphs,
                      * with an even number of products in each graph and between runs of graphs */
    void *x, *y;     /* [rows] the caller writes x, multiply writes y */

    /* Each returns 0, or -1 and *err. */
    int (*multiply)(product_t *, err_t *);                               /* y = A x */
    int (*add_up)(product_t *, double *numbers, int count, err_t *);     /* sums over all processes, in place */
    int (*scatter)(product_t *, const void *whole, void *part, err_t *); /* rank 0's host vector [n] to parts [rows] */
    int (*gather)(product_t *, const void *part, void *whole, err_t *);  /* parts to rank 0's [n], in memory as x is */
    int (*settle)(product_t *, err_t *);                                 /* waits; -1 if an entry is missing */
    void (*close)(product_t *);                                          /* frees everything */
};

/* Allocates memory of the product's kind, on the host or the GPU: NULL and *err if memory is short. */
void *memory_take(const product_t *p, size_t bytes, const char *name, err_t *err);
void memory_give(const product_t *p, const void *memory); /* memory may be NULL */

/* The product by a step of a chapter.  `spmv` is an open spmv_problem with a square matrix in fp32 or fp64, on the GPU
 * if the step runs there; its x becomes the product's x.  It must outlive the product.  NULL and *err on failure. */
product_t *product_of_step(const step_t *step, const problem_t *spmv, err_t *err);

#ifdef __cplusplus
}
#endif

#endif
