/* cg.c - see cg.h: the method, for vectors on the host or on the GPU. */
#include "cg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "memory.h"
#include "recorded.h"
#include "sums.h"

enum { MAX_ITERATIONS = 10000, LOOK_EVERY = 25 };

cg_options_t cg_defaults(const cg_options_t *o, dtype_t type)
{
    cg_options_t d = o ? *o : (cg_options_t){0};
    if (!(d.tolerance > 0)) d.tolerance = type == DTYPE_F64 ? 1e-10 : 1e-5;
    if (d.max_iterations == 0) d.max_iterations = MAX_ITERATIONS;
    if (d.look_every == 0) d.look_every = LOOK_EVERY;
    return d;
}

/* ---- memory ------------------------------------------------------------------------------------- */

void cg_close(cg_t *c)
{
    if (!c) return;
    const cg_vectors_t *v = &c->v;
    memory_give(c->product, v->x), memory_give(c->product, v->r);
    memory_give(c->product, v->b), memory_give(c->product, v->inverse);
    recorded_close(c->graph);
    if (v->steps != c->history) free(c->history);
    memory_give(c->product, v->first);
    memory_give(c->product, v->steps), memory_give(c->product, v->partial);
    memory_give(c->product, v->arrived);
    free(c);
}

int cg_open(cg_t **out, product_t *product, const void *b, const void *inverse, const cg_options_t *o, err_t *err)
{
    cg_t *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c) return err_set(err, "out of memory");
    c->product = product;
    c->loops = product->on_card ? &CG_GPU : &CG_CPU;
    c->options = cg_defaults(o, product->type);
    if (product->records) c->options.look_every += c->options.look_every % 2;

    const size_t bytes = product->rows * dtype_size(product->type);
    const size_t all_bytes = (c->options.max_iterations + 1) * sizeof(cg_step_t);
    const size_t step_bytes = product->on_card ? (c->options.look_every + 1) * sizeof(cg_step_t) : all_bytes;
    void *d_b = memory_take(product, bytes, "b", err),
         *d_inverse = memory_take(product, bytes, "inverse diagonal", err);
    c->v = (cg_vectors_t){.rows = product->rows, .type = product->type, .tolerance = c->options.tolerance,
                          .x = memory_take(product, bytes, "x", err), .r = memory_take(product, bytes, "r", err),
                          .p = product->x, .ap = product->y, .b = d_b, .inverse = d_inverse,
                          .first = memory_take(product, sizeof(double), "a number", err), .stream = product->stream,
                          .steps = memory_take(product, step_bytes, "steps", err),
                          .partial = memory_take(product, 2 * SUM_BLOCKS * sizeof(double), "partial sums", err),
                          .arrived = memory_take(product, sizeof(unsigned), "arrived", err)};
    const cg_vectors_t *v = &c->v;
    c->history = product->on_card ? malloc(all_bytes) : v->steps;
    int failed = !v->x || !v->r || !v->b || !v->inverse || !v->steps || !v->first || !v->partial ||
                 !v->arrived;
    if (!failed && !c->history) failed = err_set(err, "out of memory for %zu steps", c->options.max_iterations);
    if (!failed && product->on_card) failed = device_ok(cudaMemset(v->arrived, 0, sizeof(unsigned)), "cudaMemset", err);
    if (!failed) failed = product->scatter(product, b, d_b, err) || product->scatter(product, inverse, d_inverse, err);
    if (failed) {
        cg_close(c);
        return -1;
    }
    *out = c;
    return 0;
}

/* ---- checking ----------------------------------------------------------------------------------- */

static int broken(err_t *err, size_t k, const char *what, double value, const char *why)
{
    err_set(err, "step %zu: %s is %g: %s", k, what, value, why);
    return 1;
}

/* Checks steps from .. to - 1, and |r| before step `to`; c->iterations is the step in which the method ended.  Returns
 * 1 if the method cannot continue (the same on every rank), -1 if the check failed. */
static int look(cg_t *c, size_t from, size_t to, bool *converged, err_t *err)
{
    cg_step_t *h = c->history;
    if (c->product->settle(c->product, err)) return -1;
    if (c->product->on_card && device_ok(cudaMemcpy(h + from, c->v.steps, (to + 1 - from) * sizeof *h,
                                                    cudaMemcpyDeviceToHost), "the steps' sums", err))
        return -1;
    const double target = c->options.tolerance * c->options.tolerance * h[0].rr;
    for (size_t k = from; k <= to; ++k) {
        c->iterations = k;
        if (!isfinite(h[k].rr))
            return broken(err, k, "r' r", h[k].rr,
                          "Inf or NaN in the matrix or the right side, or numbers too large");
        if ((*converged = h[k].rr <= target)) return 0;
        if (!(h[k].rz > 0))
            return broken(err, k, "r' M^-1 r", h[k].rz,
                          "the preconditioner is not positive definite, or numbers are too small");
        if (k == to) return 0; /* the product of this step has not been computed */
        if (!isfinite(h[k].pap))
            return broken(err, k, "p' A p", h[k].pap, "Inf or NaN in the matrix, or numbers too large");
        if (!(h[k].pap > 0))
            return broken(err, k, "p' A p", h[k].pap, h[k].pap < 0 ? "A is not positive definite"
                          : "A is not positive definite, or numbers are too small: raise --tolerance");
    }
    return 0;
}

/* ---- the method --------------------------------------------------------------------------------- */

/* Runs where the vectors are, on their stream. */
static int copy_here(const cg_t *c, void *to, const void *from, size_t bytes, err_t *err)
{
    if (c->product->on_card)
        return device_ok(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, c->v.stream), "a sum", err);
    memcpy(to, from, bytes);
    return 0;
}

/* Runs `count` steps; their sums are stored from steps[at] on. */
static int make_steps(cg_t *c, size_t at, size_t count, err_t *err)
{
    product_t *A = c->product;
    const cg_loops_t *loops = c->loops;
    const cg_vectors_t *v = &c->v;
    for (size_t k = at; k < at + count; ++k) {
        if (A->multiply(A, err)) return -1;
        if (loops->dot(v, k, err) || A->add_up(A, &v->steps[k].pap, 1, err)) return -1;
        if (loops->update(v, k, err) || A->add_up(A, &v->steps[k + 1].rz, 2, err)) return -1;
        if (loops->direction(v, k, err)) return -1;
    }
    return 0;
}

/* Runs steps done .. done + count - 1.  On a GPU their sums overwrite the earlier ones, and look_every steps are a
 * graph. */
static int run_steps(cg_t *c, size_t done, size_t count, err_t *err)
{
    product_t *A = c->product;
    if (!A->records) return make_steps(c, A->on_card ? 0 : done, count, err);
    if (count < c->options.look_every) /* the last; an even number of products */
        return make_steps(c, 0, count, err) || (count % 2 && A->multiply(A, err)) ? -1 : 0;
    cudaGraphExec_t graph = c->graph;
    if (!graph) {
        if (recorded_begin(c->v.stream, err)) return -1;
        if (recorded_end(&graph, c->v.stream, make_steps(c, 0, count, err), err)) return -1;
        c->graph = graph;
    }
    return recorded_run(graph, c->v.stream, err);
}

int cg_solve(cg_t *c, void *x, err_t *err)
{
    product_t *A = c->product;
    const cg_vectors_t *v = &c->v;
    const size_t most = c->options.max_iterations, every = A->on_card ? c->options.look_every : 1;
    bool converged = false;
    int failed = 0;

    c->iterations = 0;
    if (c->loops->start(v, err) || A->add_up(A, &v->steps[0].rz, 2, err)) return -1;
    if (copy_here(c, v->first, &v->steps[0].rr, sizeof *v->first, err)) return -1;
    if ((failed = look(c, 0, 0, &converged, err))) return failed;
    for (size_t done = 0; !converged && done < most;) {
        const size_t count = every < most - done ? every : most - done;
        if (run_steps(c, done, count, err)) return -1;
        if ((failed = look(c, done, done + count, &converged, err))) return failed;
        if (A->on_card && copy_here(c, &v->steps[0], &v->steps[count], sizeof *v->steps, err)) return -1;
        done += count;
    }
    const double found = clock_now();
    if (A->gather(A, v->x, x, err)) return -1;
    c->gather_us = 1e6 * (clock_now() - found);
    if (converged) return 0;
    err_set(err, "no convergence in %zu steps: |r| / |b| is %.3g, above %.3g: raise --max-iterations or "
                 "--tolerance", most,
            sqrt(c->history[most].rr / c->history[0].rr), c->options.tolerance);
    return 1;
}

/* ---- the preconditioner ------------------------------------------------------------------------- */

int cg_jacobi(const csr_t *A, double *inverse, err_t *err)
{
    if (A->rows != A->cols) return err_set(err, "the matrix is %zu x %zu, not square: CG needs a square one",
                                           A->rows, A->cols);
    csr_t *B = csr_transpose(A);
    if (!B) return err_set(err, "out of memory for the transpose");
    int failed = 0;
    for (size_t r = 0; r < A->rows && !failed; ++r) {
        const int64_t start = A->row_offsets[r], end = A->row_offsets[r + 1];
        double diagonal = 0;
        /* Row i and column i of a symmetric matrix are the same list. */
        if (B->row_offsets[r + 1] != end)
            failed = err_set(err, "the matrix is not symmetric: row %zu and column %zu have entries at different "
                                  "positions", r + 1, r + 1);
        for (int64_t nz = start; nz < end && !failed; ++nz) {
            const double a = A->values[nz], b = B->values[nz];
            const int32_t col = A->col_indices[nz];
            if (B->col_indices[nz] != col) {
                failed = err_set(err, "the matrix is not symmetric: row %zu and column %zu have entries at different "
                                      "positions", r + 1, r + 1);
            } else if (!(fabs(a - b) <= 1e-10 * fmax(fabs(a), fabs(b)))) {
                failed = err_set(err, "the matrix is not symmetric: the entry in row %zu and column %d is %g, its "
                                      "mirror image %g", r + 1, col + 1,
                                 a, b);
            }
            if ((size_t)col == r) diagonal = a;
        }
        if (!failed && !(diagonal > 0))
            failed = err_set(err, "row %zu: the diagonal is %g, so the matrix is not positive definite, and Jacobi "
                                  "cannot divide by it", r + 1,
                             diagonal);
        inverse[r] = 1 / diagonal;
    }
    csr_free(B);
    return failed;
}
