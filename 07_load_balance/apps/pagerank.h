/*
 * pagerank.h - PageRank: the probability that a reader who follows random links, and sometimes jumps, is on a page.
 *
 *     x = damping (P x + dangling / n) + (1 - damping) / n
 *
 * P[j][i] is 1 / (links of page i) for each link i -> j.  A page without links is dangling: from there the reader jumps
 * to a random page, so the share of such pages, `dangling`, is spread over all n.  The ranks sum to 1.
 *
 * Each step is one product and one loop over the pages, on the CPU (pagerank_cpu.c) or on the GPU (pagerank_gpu.cu).
 * Each step reduces the distance of x from its limit at least by the factor damping:
 * |x - limit|_1 <= |change|_1 damping / (1 - damping).
 *
 * Source: L. Page, S. Brin, R. Motwani, T. Winograd, The PageRank Citation Ranking (1999);
 *         A. N. Langville, C. D. Meyer, Google's PageRank and Beyond (2006), chapters 4 and 5.
 */
#ifndef APPS_PAGERANK_H
#define APPS_PAGERANK_H

#include "method.h"

#ifdef __cplusplus
#define PAGERANK_ANYWHERE static __host__ __device__ inline
extern "C" {
#else
#define PAGERANK_ANYWHERE static inline
#endif

/* The sums before step k over all processes, in steps[k]; add_up expects this order. */
typedef struct pagerank_step {
    double dangling; /* share of the pages without links */
    double change;   /* |x - x of the previous step|_1; before step 0 its upper bound, 2 */
} pagerank_step_t;

/* Whether the method has ended before step k; then later steps change nothing (see cg_alpha in cg.h). */
PAGERANK_ANYWHERE bool pagerank_ends(const pagerank_step_t *steps, size_t k, double tolerance)
{
    return !(steps[k].change > tolerance);
}

/* The data of the loops, all on the host or all on the GPU. */
typedef struct pagerank_vectors {
    size_t pages;           /* of the entire graph: n above */
    size_t rows;            /* of this process */
    dtype_t type;
    double damping, tolerance;
    void *x;                /* [rows] the product's x */
    const void *px;         /* [rows] the product's y */
    const void *dangling;   /* [rows] of type: 1 for a page without links, else 0 */
    pagerank_step_t *steps; /* host: [max_iterations + 1]; GPU: [look_every + 1], of which the first was checked last */
    void *stream;           /* GPU only: the product's */
    double *partial;        /* [2 * SUM_BLOCKS], see sums.h */
    unsigned *arrived;      /* GPU only: zero */
} pagerank_vectors_t;

/* The loops.  Each returns 0, or -1 and *err; on the GPU they only launch kernels. */
typedef struct pagerank_loops {
    int (*start)(const pagerank_vectors_t *, size_t k, err_t *);  /* k = 0: x = 1 / pages; steps[0] */
    int (*step)(const pagerank_vectors_t *, size_t k, err_t *);   /* x from P x; steps[k + 1] */
} pagerank_loops_t;
extern const pagerank_loops_t PAGERANK_CPU, PAGERANK_GPU;

typedef struct pagerank {
    method_t method;               /* first; its history is the pagerank_step_t of all steps */
    const pagerank_loops_t *loops; /* PAGERANK_CPU or PAGERANK_GPU; a test may use others */
    pagerank_vectors_t v;
} pagerank_t;

/* The options with their defaults filled in: damping 0.85; the last |change|_1 is at most 1e-10 in fp64, 1e-6 in fp32;
 * the host checks every 10 steps. */
method_options_t pagerank_defaults(const method_options_t *o, dtype_t type);

/* Makes P from links, which has an entry in row i and column j for each link i -> j; its values are ignored.  dangling
 * [rows] gets 1 for pages without links, otherwise 0.  The caller frees P.  NULL and *err if links is not square or
 * memory is short. */
csr_t *pagerank_matrix(const csr_t *links, double *dangling, err_t *err);

/* Allocates vectors for runs with that product, by P: a pagerank_t, to be freed by pagerank_close.  vectors[0]:
 * dangling, a host vector [n] of the product's type, used on rank 0 only.  NULL and *err, perhaps on this rank only. */
method_t *pagerank_open(product_t *product, const void *const vectors[2], const method_options_t *o, err_t *err);
void pagerank_close(method_t *pagerank); /* takes NULL */

/* Ranks the pages; rank 0 gets x [n], in memory of the product's kind.  0 with the method's iterations and
 * history; 1 and a text on all ranks: no convergence, or NaN or infinite values; -1 and *err: an error, perhaps on this
 * rank only. */
int pagerank_run(method_t *pagerank, void *x, err_t *err);

#ifdef __cplusplus
}
#endif

#endif
