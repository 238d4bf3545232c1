/* pagerank.c - see pagerank.h: the method, for vectors on the host or on the GPU. */
#include "pagerank.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"
#include "memory.h"
#include "recorded.h"
#include "sums.h"

enum { MAX_ITERATIONS = 10000, LOOK_EVERY = 10 };

pagerank_options_t pagerank_defaults(const pagerank_options_t *o, dtype_t type)
{
    pagerank_options_t d = o ? *o : (pagerank_options_t){0};
    if (!(d.damping > 0)) d.damping = 0.85;
    if (!(d.tolerance > 0)) d.tolerance = type == DTYPE_F64 ? 1e-10 : 1e-6;
    if (d.max_iterations == 0) d.max_iterations = MAX_ITERATIONS;
    if (d.look_every == 0) d.look_every = LOOK_EVERY;
    return d;
}

csr_t *pagerank_matrix(const csr_t *links, double *dangling, err_t *err)
{
    if (links->rows != links->cols) {
        err_set(err, "the matrix is %zu x %zu, not square: links between pages need a square one", links->rows,
                links->cols);
        return NULL;
    }
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

void pagerank_close(pagerank_t *p)
{
    if (!p) return;
    const pagerank_vectors_t *v = &p->v;
    recorded_close(p->graph);
    if (v->steps != p->history) free(p->history);
    memory_give(p->product, v->dangling), memory_give(p->product, v->steps);
    memory_give(p->product, v->partial), memory_give(p->product, v->arrived);
    free(p);
}

int pagerank_open(pagerank_t **out, product_t *product, const void *dangling, const pagerank_options_t *o, err_t *err)
{
    pagerank_t *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p) return err_set(err, "out of memory");
    p->product = product;
    p->loops = product->on_card ? &PAGERANK_GPU : &PAGERANK_CPU;
    p->options = pagerank_defaults(o, product->type);
    if (product->records) p->options.look_every += p->options.look_every % 2;

    const size_t all_bytes = (p->options.max_iterations + 1) * sizeof(pagerank_step_t);
    const size_t step_bytes = product->on_card ? (p->options.look_every + 1) * sizeof(pagerank_step_t) : all_bytes;
    void *d_dangling = memory_take(product, product->rows * dtype_size(product->type), "dangling", err);
    p->v = (pagerank_vectors_t){.pages = product->n, .rows = product->rows, .type = product->type,
                                .damping = p->options.damping, .tolerance = p->options.tolerance, .x = product->x,
                                .px = product->y, .dangling = d_dangling, .stream = product->stream,
                                .steps = memory_take(product, step_bytes, "steps", err),
                                .partial = memory_take(product, 2 * SUM_BLOCKS * sizeof(double), "partial sums", err),
                                .arrived = memory_take(product, sizeof(unsigned), "arrived", err)};
    const pagerank_vectors_t *v = &p->v;
    p->history = product->on_card ? malloc(all_bytes) : v->steps;
    int failed = !v->dangling || !v->steps || !v->partial || !v->arrived;
    if (!failed && !p->history) failed = err_set(err, "out of memory for %zu steps", p->options.max_iterations);
    if (!failed && product->on_card) failed = device_ok(cudaMemset(v->arrived, 0, sizeof(unsigned)), "cudaMemset", err);
    if (!failed) failed = product->scatter(product, dangling, d_dangling, err);
    if (failed) {
        pagerank_close(p);
        return -1;
    }
    *out = p;
    return 0;
}

/* Checks the method before step `to`; p->iterations is the step in which it ended.  Returns 1 if the method cannot
 * continue (the same on every rank), -1 if the check failed. */
static int look(pagerank_t *p, size_t from, size_t to, bool *ended, err_t *err)
{
    pagerank_step_t *h = p->history;
    if (p->product->settle(p->product, err)) return -1;
    if (p->product->on_card && device_ok(cudaMemcpy(h + from, p->v.steps, (to + 1 - from) * sizeof *h,
                                                    cudaMemcpyDeviceToHost), "the steps' sums", err))
        return -1;
    for (size_t k = from; k <= to && !*ended; ++k) {
        p->iterations = k;
        if (!isfinite(h[k].change)) {
            err_set(err, "step %zu: the change is %g", k, h[k].change);
            return 1;
        }
        *ended = pagerank_ends(h, k, p->options.tolerance);
    }
    return 0;
}

/* Runs `count` steps; the sums before them are at steps[at]. */
static int make_steps(pagerank_t *p, size_t at, size_t count, err_t *err)
{
    product_t *P = p->product;
    const pagerank_vectors_t *v = &p->v;
    for (size_t k = at; k < at + count; ++k) {
        if (P->multiply(P, err)) return -1;
        if (p->loops->step(v, k, err) || P->add_up(P, &v->steps[k + 1].dangling, 2, err)) return -1;
    }
    return 0;
}

/* As in cg.c. */
static int run_steps(pagerank_t *p, size_t done, size_t count, err_t *err)
{
    product_t *P = p->product;
    if (!P->records) return make_steps(p, P->on_card ? 0 : done, count, err);
    if (count < p->options.look_every)
        return make_steps(p, 0, count, err) || (count % 2 && P->multiply(P, err)) ? -1 : 0;
    cudaGraphExec_t graph = p->graph;
    if (!graph) {
        if (recorded_begin(p->v.stream, err)) return -1;
        if (recorded_end(&graph, p->v.stream, make_steps(p, 0, count, err), err)) return -1;
        p->graph = graph;
    }
    return recorded_run(graph, p->v.stream, err);
}

int pagerank_run(pagerank_t *p, void *x, err_t *err)
{
    product_t *P = p->product;
    const pagerank_vectors_t *v = &p->v;
    const size_t most = p->options.max_iterations, every = P->on_card ? p->options.look_every : 1;
    bool ended = v->pages == 0;
    int failed = 0;

    p->iterations = 0;
    if (p->loops->start(v, err) || P->add_up(P, &v->steps[0].dangling, 2, err)) return -1;
    for (size_t done = 0; !ended && done < most;) {
        const size_t count = every < most - done ? every : most - done;
        if (run_steps(p, done, count, err)) return -1;
        if ((failed = look(p, done, done + count, &ended, err))) return failed;
        if (P->on_card && device_ok(cudaMemcpyAsync(&v->steps[0], &v->steps[count], sizeof *v->steps,
                                                    cudaMemcpyDeviceToDevice, v->stream), "sums", err))
            return -1;
        done += count;
    }
    const double found = clock_now();
    if (P->gather(P, v->x, x, err)) return -1;
    p->gather_us = 1e6 * (clock_now() - found);
    if (ended) return 0;
    err_set(err, "no convergence in %zu steps: the last step changed the ranks by %.3g, more than %.3g: raise "
                 "--max-iterations or --tolerance",
            most, p->history[most].change, p->options.tolerance);
    return 1;
}
