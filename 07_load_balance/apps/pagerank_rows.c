/* pagerank_rows.c - see pagerank_rows.h */
#include "pagerank_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "rows.h"
#include "spmv_problem.h"

typedef struct pagerank_data {
    problem_t spmv;     /* of P, on the GPU too; its x and y are the products' */
    csr_t *P;
    pagerank_options_t options;
    FILE *history;
    void *dangling;     /* [pages] of the type */
    double *lost;       /* dangling as doubles */
    double *x, *px;     /* [pages] of the check */
    bool right;         /* x holds ranks that have been checked */
    results_t results;
} pagerank_data_t;

/* Values and vectors that one step moves at least: the product's, and x twice, P x, dangling. */
static size_t bytes_of_a_step(const problem_t *spmv, size_t rows)
{
    enum { VECTORS = 4 };
    return spmv->bytes + VECTORS * rows * dtype_size(spmv->dtype);
}

/* ---- the problem -------------------------------------------------------------------------------- */

int pagerank_problem_open(problem_t *p, const pagerank_problem_spec_t *spec, err_t *err)
{
    const size_t n = spec->links->rows;
    p->data = NULL;
    if (spec->dtype != DTYPE_F32 && spec->dtype != DTYPE_F64)
        return err_set(err, "%s: fp32 and fp64 only", dtype_name(spec->dtype));
    pagerank_data_t *d = calloc(1, sizeof *d);
    if (!d) return err_set(err, "out of memory");
    *p = (problem_t){.name = spec->name, .dtype = spec->dtype, .cpu = spec->cpu, .gpu = spec->gpu,
                     .out_bytes = n * dtype_size(spec->dtype), .data = d};
    d->options = pagerank_defaults(&spec->options, spec->dtype);
    d->history = spec->history;
    d->dangling = malloc((n + 1) * sizeof(double));
    d->lost = malloc((n + 1) * sizeof(double));
    d->x = malloc((n + 1) * sizeof(double));
    d->px = malloc((n + 1) * sizeof(double));
    int failed = !d->dangling || !d->lost || !d->x || !d->px;
    if (failed) err_set(err, "out of memory for vectors of %zu", n);
    if (!failed) failed = !(d->P = pagerank_matrix(spec->links, d->lost, err));
    if (!failed) {
        const spmv_spec_t spmv = {.A = d->P, .name = spec->name, .dtype = spec->dtype, .cpu = spec->cpu,
                                  .gpu = spec->gpu, .offset_bits = d->P->nnz > INT32_MAX ? 64 : 32};
        failed = spmv_problem_open(&d->spmv, &spmv, err);
    }
    if (failed) {
        pagerank_problem_close(p);
        return -1;
    }
    p->bytes = bytes_of_a_step(&d->spmv, n);
    dtype_from_double(spec->dtype, d->dangling, d->lost, n);
    return 0;
}

void pagerank_problem_close(problem_t *p)
{
    pagerank_data_t *d = (pagerank_data_t *)p->data;
    if (!d) return;
    spmv_problem_close(&d->spmv);
    csr_free(d->P);
    free(d->dangling), free(d->lost), free(d->x), free(d->px);
    free(d);
    p->data = NULL;
}

const results_t *pagerank_problem_results(const problem_t *p) { return &((const pagerank_data_t *)p->data)->results; }

const double *pagerank_problem_ranks(const problem_t *p)
{
    const pagerank_data_t *d = p->data;
    return d->right ? d->x : NULL;
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *s, const problem_t *p)
{
    return app_row_skip(s, &((const pagerank_data_t *)p->data)->spmv);
}

/* The order to the other ranks, if the row uses them. */
static void order(const step_t *s, ranks_what_t what, dtype_t type, const pagerank_options_t *options)
{
    ranks_order_t o = {.what = what, .place = app_row_place(s), .type = type};
    _Static_assert(sizeof *options <= sizeof o.options, "an order has room for the options");
    if (options) memcpy(o.options, options, sizeof *options);
    if (app_row_is_ranks(s)) ranks_give(&o);
}

static void close_ranking(void *state)
{
    pagerank_t *r = state;
    product_t *product = r->product;
    pagerank_close(r);
    product->close(product);
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const pagerank_data_t *d = p->data;
    pagerank_t *r = NULL;
    order(s, RANKS_OPEN, p->dtype, &d->options);
    product_t *product = app_row_open(s, &d->spmv, err);
    if (product && pagerank_open(&r, product, d->dangling, &d->options, err)) {
        if (app_row_is_ranks(s)) ranks_end_all(product, err);
        order(s, RANKS_CLOSE, p->dtype, NULL);
        product->close(product);
    }
    *state = r;
    return r ? 0 : -1;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    order(s, RANKS_CLOSE, p->dtype, NULL);
    close_ranking(state);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    order(s, RANKS_RUN, p->dtype, NULL);
    const int failed = pagerank_run(state, out, err);
    if (failed < 0 && app_row_is_ranks(s)) ranks_end_all(((const pagerank_t *)state)->product, err);
    return failed;
}

/* No reference is needed: the ranks are the only vector of sum 1 that a step does not change.  One more step in double
 * precision must change them by no more than the tolerance and the rounding error. */
static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    enum { LONGEST_CHAIN = 1024, OF_THE_LOOP = 4 };
    pagerank_data_t *d = (pagerank_data_t *)p->data;
    const csr_t *P = &((const spmv_data_t *)d->spmv.data)->A; /* as the products see it */
    const size_t n = P->rows;
    *err_over_tol = 0;
    d->right = false;
    if (n == 0) return 0;

    dtype_to_double(p->dtype, d->x, out, n);
    double dangling = 0, sum = 0, change = 0, rounding = 0;
    for (size_t i = 0; i < n; ++i) dangling += d->lost[i] * d->x[i], sum += d->x[i];
    for (size_t i = 0; i < n; ++i) {
        const int64_t start = P->row_offsets[i], end = P->row_offsets[i + 1];
        double px = 0;
        for (int64_t nz = start; nz < end; ++nz) px += P->values[nz] * d->x[P->col_indices[nz]];
        const double after =
            d->options.damping * px + (d->options.damping * dangling + 1 - d->options.damping) / (double)n;
        const double chain = end - start < LONGEST_CHAIN ? (double)(end - start) : LONGEST_CHAIN;
        change += fabs(after - d->x[i]);
        rounding += (chain + OF_THE_LOOP) * after;
        if (!(d->x[i] > 0)) return err_set(err, "page %zu: rank %g, expected more than 0", i + 1, d->x[i]);
    }
    rounding *= dtype_roundoff(p->dtype);
    const double most = d->options.tolerance + rounding;
    *err_over_tol = change / most;
    if (!(change <= most))
        return err_set(err, "one more step changes the ranks by %g, expected at most %g", change, most);
    /* The entries of P are rounded, too, and each step repeats that error. */
    const double lost = most / (1 - d->options.damping);
    if (!(fabs(sum - 1) <= lost)) return err_set(err, "the ranks sum to %.12g, expected 1 +- %g", sum, lost);
    d->right = true;
    return 0;
}

static void note(const step_t *s, const problem_t *p, void *state, report_row_t *row)
{
    pagerank_data_t *d = (pagerank_data_t *)p->data;
    const pagerank_t *r = state;
    row->iterations = (double)r->iterations;
    row->after_us = r->gather_us;
    row->residual = r->history[r->iterations].change;
    row->bytes *= row->iterations;
    row->cold_gbps *= row->iterations; /* NAN stays NAN */
    row->pct_ceiling *= row->iterations;
    row->efficiency = NAN;
    if (app_row_is_ranks(s)) ranks_note(r->product, row);
    results_add(&d->results, row);
    for (size_t k = 1; d->history && k <= r->iterations; ++k)
        fprintf(d->history, "07_pagerank\t%s\t%s\t%s\t%s\t%zu\t%.4g\n", s->id, row->kind, p->name, dtype_name(p->dtype),
                k, r->history[k].change);
}

static const step_t *step(size_t i)
{
    static const step_ops_t OPS = {
        .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check, .note = note,
    };
    return app_row(i, &OPS);
}

const chapter_t PAGERANK = {
    .name = "07_pagerank",
    .doc = "Computes PageRank with any SpMV of the course, on a CPU, a GPU, or several of them.",
    .step = step,
};

/* ---- the other ranks ---------------------------------------------------------------------------- */

void pagerank_serve(void)
{
    pagerank_t *r = NULL;
    for (;;) {
        const ranks_order_t o = ranks_take();
        err_t err; /* rank 0 prints an error that all ranks have */
        pagerank_options_t options;
        if (o.what == RANKS_END) return;
        if (o.what == RANKS_OPEN) {
            memcpy(&options, o.options, sizeof options);
            product_t *product = product_of_ranks(o.place, o.type, NULL, &err);
            if (product && pagerank_open(&r, product, NULL, &options, &err)) ranks_end_all(product, &err);
        } else if (o.what == RANKS_RUN && r) {
            if (pagerank_run(r, NULL, &err) < 0) ranks_end_all(r->product, &err);
        } else if (o.what == RANKS_CLOSE && r) {
            close_ranking(r);
            r = NULL;
        }
    }
}
