/*
 * cg.h - conjugate gradients with Jacobi's preconditioner: A x = b for a symmetric, positive definite A.
 *
 *     p' A p > 0 for every p: only then has each step a length.  M is the diagonal of A.
 *
 *     r = b, p = M^-1 r                                        x starts at 0
 *     until |r| <= tolerance |b|:
 *         alpha = r' M^-1 r / p' A p                           one product
 *         x += alpha p,  r -= alpha A p
 *         beta = (r' M^-1 r now) / (r' M^-1 r before)
 *         p = M^-1 r + beta p
 *
 * Besides the product a step has three loops over the vectors, on the CPU (cg_cpu.c) or on the GPU (cg_gpu.cu).  The
 * three sums of a step stay in the memory of the vectors, so that the GPU need not wait for the host, which checks them
 * only every few steps.  If the product can be captured, these steps are one CUDA graph.
 *
 * Source: M. R. Hestenes, E. Stiefel, Methods of Conjugate Gradients for Solving Linear Systems (1952);
 *         Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed. (2003), algorithm 9.1.
 */
#ifndef APPS_CG_H
#define APPS_CG_H

#include "method.h"

/* C for the host, C++ for kernels. */
#ifdef __cplusplus
#define CG_ANYWHERE static __host__ __device__ inline
#else
#define CG_ANYWHERE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The sums of step k over all processes, in steps[k]; add_up expects this order. */
typedef struct cg_step {
    double rz, rr; /* r' M^-1 r and r' r before step k */
    double pap;    /* p' A p of step k */
} cg_step_t;

/* The length of step k along p; first: r' r before step 0.  It is 0 if the method has ended: the residual is small
 * enough, or p' A p is not a positive number.  A step of length 0 changes nothing, so all later steps have length 0,
 * too, and a later check finds out where the method ended. */
CG_ANYWHERE double cg_alpha(const cg_step_t *steps, size_t k, double first, double tolerance)
{
    const double rr = steps[k].rr, pap = steps[k].pap, none = 0;
    if (!(rr > tolerance * tolerance * first)) return none;
    const double alpha = pap > 0 ? steps[k].rz / pap : none;
    return alpha - alpha == 0 ? alpha : none; /* Inf - Inf and NaN - NaN are NaN */
}

/* The data of the loops: vectors of `rows` values of `type`, and steps, all on the host or all on the GPU. */
typedef struct cg_vectors {
    size_t rows;
    dtype_t type;
    double tolerance;
    void *x, *r, *p, *ap;   /* p and ap are the product's x and y */
    const void *b, *inverse; /* right side; 1 / diagonal */
    cg_step_t *steps;        /* host: [max_iterations + 1]; GPU: [look_every + 1], the first was checked last */
    double *first;           /* r' r before step 0 */
    void *stream;            /* GPU only: the product's */
    double *partial;         /* [2 * SUM_BLOCKS] scratch of the sums, see sums.h */
    unsigned *arrived;       /* GPU only: zero */
} cg_vectors_t;

/* The loops.  Each returns 0, or -1 and *err; on the GPU they only launch kernels. */
typedef struct cg_loops {
    int (*start)(const cg_vectors_t *, size_t k, err_t *);     /* k = 0: x = 0, r = b, p = M^-1 r; steps[0].rz, .rr */
    int (*dot)(const cg_vectors_t *, size_t k, err_t *);       /* steps[k].pap */
    int (*update)(const cg_vectors_t *, size_t k, err_t *);    /* x, r; steps[k + 1].rz, .rr */
    int (*direction)(const cg_vectors_t *, size_t k, err_t *); /* p */
} cg_loops_t;
extern const cg_loops_t CG_CPU, CG_GPU;

typedef struct cg {
    method_t method;         /* first; its history is the cg_step_t of all steps */
    const cg_loops_t *loops; /* CG_CPU or CG_GPU; a test may use others */
    cg_vectors_t v;
} cg_t;

/* The options with their defaults filled in: |r| <= tolerance |b| with 1e-10 in fp64, 1e-5 in fp32; the host checks
 * every 25 steps. */
method_options_t cg_defaults(const method_options_t *o, dtype_t type);

/* |r| before step k of the last solve, relative to |b|. */
double cg_residual(const method_t *cg, size_t k);

/* Allocates vectors for solves with that product: a cg_t, to be freed by cg_close.  vectors: b and the diagonal's
 * inverse, host vectors [n] of the product's type, used on rank 0 only.  NULL and *err, perhaps on this rank only. */
method_t *cg_open(product_t *product, const void *const vectors[2], const method_options_t *o, err_t *err);
void cg_close(method_t *cg); /* takes NULL */

/* Solves from x = 0; rank 0 gets x [n], in memory of the product's kind.  0 with the method's iterations and
 * history; 1 and a text on all ranks: no convergence, or why A cannot be positive definite; -1 and *err: an error,
 * perhaps on this rank only. */
int cg_solve(method_t *cg, void *x, err_t *err);

/* Computes 1 / diagonal of A as doubles in inverse [rows].  -1 and *err if A is not square or not symmetric (to ten
 * digits), or if an entry of the diagonal is not positive: then A is not positive definite either. */
int cg_jacobi(const csr_t *A, double *inverse, err_t *err);

#ifdef __cplusplus
}
#endif

#endif
