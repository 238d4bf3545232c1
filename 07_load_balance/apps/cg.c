/* cg.c - see cg.h: the method, for vectors on the host or on the GPU. */
#include "cg.h"

#include <math.h>

method_options_t cg_defaults(const method_options_t *o, dtype_t type)
{
    method_options_t d = o ? *o : (method_options_t){0};
    if (!(d.tolerance > 0)) d.tolerance = type == DTYPE_F64 ? 1e-10 : 1e-5;
    if (d.look_every == 0) d.look_every = 25;
    return d;
}

double cg_residual(const method_t *m, size_t k)
{
    const cg_step_t *h = m->history;
    return h[0].rr > 0 ? sqrt(h[k].rr / h[0].rr) : 0;
}

/* ---- steps -------------------------------------------------------------------------------------- */

static int make_step(method_t *m, size_t k, err_t *err)
{
    product_t *A = m->product;
    const cg_t *c = (const cg_t *)m;
    const cg_vectors_t *v = &c->v;
    if (A->multiply(A, err)) return -1;
    if (c->loops->dot(v, k, err) || A->add_up(A, &v->steps[k].pap, 1, err)) return -1;
    if (c->loops->update(v, k, err) || A->add_up(A, &v->steps[k + 1].rz, 2, err)) return -1;
    return c->loops->direction(v, k, err);
}

static int broken(err_t *err, size_t k, const char *what, double value, const char *why)
{
    err_set(err, "step %zu: %s is %g: %s", k, what, value, why);
    return 1;
}

static int look(method_t *m, size_t from, size_t to, bool *converged, err_t *err)
{
    const cg_step_t *h = m->history;
    const double target = m->options.tolerance * m->options.tolerance * h[0].rr;
    for (size_t k = from; k <= to; ++k) {
        m->iterations = k;
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

static const method_ops_t OPS = {sizeof(cg_step_t), make_step, look};

/* ---- a solve ------------------------------------------------------------------------------------ */

void cg_close(method_t *m)
{
    if (!m) return;
    const product_t *A = m->product;
    const cg_vectors_t *v = &((cg_t *)m)->v;
    memory_give(A, v->x), memory_give(A, v->r), memory_give(A, v->b), memory_give(A, v->inverse);
    memory_give(A, v->first);
    method_close(m);
    free(m);
}

method_t *cg_open(product_t *product, const void *const vectors[2], const method_options_t *o, err_t *err)
{
    cg_t *c = calloc(1, sizeof *c);
    if (!c) return err_null(err, "out of memory");
    const method_options_t options = cg_defaults(o, product->type);
    method_t *m = &c->method;
    int failed = method_open(m, product, &OPS, &options, err);
    c->loops = product->on_gpu ? &CG_GPU : &CG_CPU;
    const size_t bytes = product->rows * dtype_size(product->type);
    void *d_b = memory_take(product, bytes, "b", err),
         *d_inverse = memory_take(product, bytes, "inverse diagonal", err);
    c->v = (cg_vectors_t){.rows = product->rows, .type = product->type, .tolerance = options.tolerance,
                          .x = memory_take(product, bytes, "x", err), .r = memory_take(product, bytes, "r", err),
                          .p = product->x, .ap = product->y, .b = d_b, .inverse = d_inverse,
                          .first = memory_take(product, sizeof(double), "a number", err), .stream = product->stream,
                          .steps = m->steps, .partial = m->partial, .arrived = m->arrived};
    failed = failed || !c->v.x || !c->v.r || !d_b || !d_inverse || !c->v.first;
    if (!failed) failed = product->scatter(product, vectors[0], d_b, err) ||
                          product->scatter(product, vectors[1], d_inverse, err);
    if (!failed) return m;
    cg_close(m);
    return NULL;
}

int cg_solve(method_t *m, void *x, err_t *err)
{
    const cg_t *c = (const cg_t *)m;
    product_t *A = m->product;
    const cg_vectors_t *v = &c->v;
    bool converged = false;
    m->iterations = 0;
    if (c->loops->start(v, 0, err) || A->add_up(A, &v->steps[0].rz, 2, err)) return -1;
    if (!A->on_gpu) *v->first = v->steps[0].rr;
    else if (device_ok(cudaMemcpyAsync(v->first, &v->steps[0].rr, sizeof *v->first, cudaMemcpyDeviceToDevice,
                                       v->stream), "a sum", err))
        return -1;
    int failed = method_look(m, 0, 0, &converged, err);
    if (!failed) failed = method_run(m, &converged, v->x, x, err);
    if (failed || converged) return failed;
    err_set(err, "no convergence in %zu steps: |r| / |b| is %.3g, above %.3g: raise --max-iterations or "
                 "--tolerance", m->options.max_iterations, cg_residual(m, m->options.max_iterations),
            m->options.tolerance);
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
