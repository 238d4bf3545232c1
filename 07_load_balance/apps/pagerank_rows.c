/* pagerank_rows.c - see pagerank_rows.h */
#include "pagerank_rows.h"

#include <math.h>

#include "spmv_problem.h"

typedef struct pagerank_data {
    app_data_t app;     /* its vector is `dangling` in the product's type; its spmv has P */
    csr_t *P;
    double *lost;       /* [pages] dangling as doubles */
    double *x;          /* [pages] scratch of the check */
    bool right;         /* whether x holds ranks that passed the check */
} pagerank_data_t;

/* ---- the problem -------------------------------------------------------------------------------- */

static int make_graph(problem_t *p, const app_spec_t *spec, err_t *err)
{
    enum { VECTORS = 4 }; /* x twice, P x, dangling */
    const size_t n = spec->A->rows;
    pagerank_data_t *d = (pagerank_data_t *)p->data;
    double *dangling = d->app.memory;
    d->app.options = pagerank_defaults(&spec->options, spec->dtype);
    d->app.vectors[0] = dangling;
    d->lost = dangling + n, d->x = dangling + 2 * n;
    if (!(d->P = pagerank_matrix(spec->A, d->lost, err)) || app_data_matrix(p, spec, d->P, VECTORS, err)) return -1;
    dtype_from_double(spec->dtype, dangling, d->lost, n);
    return 0;
}

static void drop(void *data) { csr_free(((pagerank_data_t *)data)->P); }

int pagerank_problem_open(problem_t *p, const app_spec_t *spec, err_t *err)
{
    return app_problem_open(p, sizeof(pagerank_data_t), make_graph, drop, spec, err);
}

const double *pagerank_problem_ranks(const problem_t *p)
{
    const pagerank_data_t *d = p->data;
    return d->right ? d->x : NULL;
}

/* ---- the program -------------------------------------------------------------------------------- */

static double change_of(const method_t *m, size_t k) { return ((const pagerank_step_t *)m->history)[k].change; }

/* No reference is needed: the ranks are the only vector of sum 1 that a step does not change.  One more step in double
 * precision must not change them by more than the tolerance and the rounding error. */
static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    enum { LONGEST_CHAIN = 1024, OF_THE_LOOP = 4 };
    pagerank_data_t *d = (pagerank_data_t *)p->data;
    const csr_t *P = &((const spmv_data_t *)d->app.spmv.data)->A; /* as the products use it */
    const size_t n = P->rows;
    *err_over_tol = 0;
    d->right = false;
    if (n == 0) return 0;

    dtype_to_double(p->dtype, d->x, out, n);
    const double damping = d->app.options.damping;
    double dangling = 0, sum = 0, change = 0, rounding = 0;
    for (size_t i = 0; i < n; ++i) dangling += d->lost[i] * d->x[i], sum += d->x[i];
    for (size_t i = 0; i < n; ++i) {
        const int64_t start = P->row_offsets[i], end = P->row_offsets[i + 1];
        double px = 0;
        for (int64_t nz = start; nz < end; ++nz) px += P->values[nz] * d->x[P->col_indices[nz]];
        const double after = damping * px + (damping * dangling + 1 - damping) / (double)n;
        const double chain = end - start < LONGEST_CHAIN ? (double)(end - start) : LONGEST_CHAIN;
        change += fabs(after - d->x[i]);
        rounding += (chain + OF_THE_LOOP) * after;
        if (!(d->x[i] > 0)) return err_set(err, "page %zu: rank %g, expected more than 0", i + 1, d->x[i]);
    }
    rounding *= dtype_roundoff(p->dtype);
    const double most = d->app.options.tolerance + rounding;
    *err_over_tol = change / most;
    if (!(change <= most))
        return err_set(err, "one more step changes the ranks by %g, expected at most %g", change, most);
    /* The entries of P are rounded, too, and each step repeats this error. */
    const double lost = most / (1 - damping);
    if (!(fabs(sum - 1) <= lost)) return err_set(err, "the ranks sum to %.12g, expected 1 +- %g", sum, lost);
    d->right = true;
    return 0;
}

const solver_t PAGERANK_SOLVER = {&PAGERANK, pagerank_open, pagerank_run, pagerank_close, change_of, 1, check};

static const step_t *step(size_t i) { return app_row(i, &PAGERANK_SOLVER); }

const chapter_t PAGERANK = {
    .name = "07_pagerank",
    .doc = "Computes PageRank with any SpMV of the course, on a CPU, a GPU, or several of them.",
    .step = step,
};
