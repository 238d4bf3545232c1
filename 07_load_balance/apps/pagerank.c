/* pagerank.c - see pagerank.h: the method, for vectors on the host or on the GPU. */
#include "pagerank.h"

#include <math.h>
method_options_t pagerank_defaults(const method_options_t *o, dtype_t type)
{
    method_options_t d = o ? *o : (method_options_t){0};
    if (!(d.damping > 0)) d.damping = 0.85;
    if (!(d.tolerance > 0)) d.tolerance = type == DTYPE_F64 ? 1e-10 : 1e-6;
    if (d.look_every == 0) d.look_every = 10;
    return d;
}

csr_t *pagerank_matrix(const csr_t *links, double *dangling, err_t *err)
{
    if (links->rows != links->cols)
        return err_null(err, "the matrix is %zu x %zu, not square: links between pages need a square one", links->rows,
                        links->cols);
    csr_t *share = csr_copy(links), *P = NULL;
    for (size_t i = 0; share && i < links->rows; ++i) {
        const int64_t start = links->row_offsets[i], end = links->row_offsets[i + 1];
        dangling[i] = start == end;
        for (int64_t nz = start; nz < end; ++nz) share->values[nz] = 1 / (double)(end - start);
    }
    if (share) P = csr_transpose(share);
    if (!P) err_set(err, "out of memory for %zu links", links->nnz);
    csr_free(share);
    return P;
}

static int make_step(method_t *m, size_t k, err_t *err)
{
    product_t *P = m->product;
    const pagerank_t *p = (const pagerank_t *)m;
    if (P->multiply(P, err) || p->loops->step(&p->v, k, err)) return -1;
    return P->add_up(P, &p->v.steps[k + 1].dangling, 2, err);
}

static int look(method_t *m, size_t from, size_t to, bool *ended, err_t *err)
{
    const pagerank_step_t *h = m->history;
    for (size_t k = from; k <= to && !*ended; ++k) {
        m->iterations = k;
        if (!isfinite(h[k].change)) {
            err_set(err, "step %zu: the change is %g", k, h[k].change);
            return 1;
        }
        *ended = pagerank_ends(h, k, m->options.tolerance);
    }
    return 0;
}

static const method_ops_t OPS = {sizeof(pagerank_step_t), make_step, look};

void pagerank_close(method_t *m)
{
    if (!m) return;
    memory_give(m->product, ((pagerank_t *)m)->v.dangling);
    method_close(m);
    free(m);
}

method_t *pagerank_open(product_t *product, const void *const vectors[2], const method_options_t *o, err_t *err)
{
    pagerank_t *p = calloc(1, sizeof *p);
    if (!p) return err_null(err, "out of memory");
    const method_options_t options = pagerank_defaults(o, product->type);
    method_t *m = &p->method;
    int failed = method_open(m, product, &OPS, &options, err);
    p->loops = product->on_gpu ? &PAGERANK_GPU : &PAGERANK_CPU;
    void *d_dangling = memory_take(product, product->rows * dtype_size(product->type), "dangling", err);
    p->v = (pagerank_vectors_t){.pages = product->n, .rows = product->rows, .type = product->type,
                                .damping = options.damping, .tolerance = options.tolerance, .x = product->x,
                                .px = product->y, .dangling = d_dangling, .stream = product->stream,
                                .steps = m->steps, .partial = m->partial, .arrived = m->arrived};
    failed = failed || !d_dangling || product->scatter(product, vectors[0], d_dangling, err);
    if (!failed) return m;
    pagerank_close(m);
    return NULL;
}

int pagerank_run(method_t *m, void *x, err_t *err)
{
    const pagerank_t *p = (const pagerank_t *)m;
    product_t *P = m->product;
    bool ended = p->v.pages == 0;
    m->iterations = 0;
    if (p->loops->start(&p->v, 0, err) || P->add_up(P, &p->v.steps[0].dangling, 2, err)) return -1;
    const int failed = method_run(m, &ended, p->v.x, x, err);
    if (failed || ended) return failed;
    err_set(err, "no convergence in %zu steps: the last step changed the ranks by %.3g, more than %.3g: raise "
                 "--max-iterations or --tolerance",
            m->options.max_iterations, ((const pagerank_step_t *)m->history)[m->options.max_iterations].change,
            m->options.tolerance);
    return 1;
}
