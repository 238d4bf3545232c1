/* cg_rows.c - see cg_rows.h */
#include "cg_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "direct.h"
#include "matgen.h"
#include "ranks.h"
#include "rows.h"
#include "spmv_problem.h"

typedef struct cg_data {
    problem_t spmv;     /* matrix, on the GPU too; its x and y are the products' */
    cg_options_t options;
    FILE *history;
    void *b, *inverse;  /* [n] of the type */
    double *exact_b;    /* b as doubles */
    double *direct;     /* CHOLMOD's x, or NULL */
    double direct_residual, inverse_norm;
    char direct_text[200]; /* the reason if direct is NULL */
    double *scratch;    /* [n] */
    size_t iterations;  /* of the last solve */
    results_t results;
} cg_data_t;

static const csr_t *matrix_of(const cg_data_t *d) { return &((const spmv_data_t *)d->spmv.data)->A; }

/* Values and vectors that one step moves at least: the product's, and 2 + 7 + 4 of the three loops. */
static size_t bytes_of_a_step(const problem_t *spmv, size_t rows)
{
    enum { VECTORS = 13 };
    return spmv->bytes + VECTORS * rows * dtype_size(spmv->dtype);
}

static double norm(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += v[i] * v[i];
    return sqrt(sum);
}

/* ---- the problem -------------------------------------------------------------------------------- */

static int solve_directly(cg_data_t *d, double max_flops, err_t *err)
{
    const csr_t *A = matrix_of(d);
    err_t why = {{0}};
    d->direct = malloc((A->rows + 1) * sizeof *d->direct);
    if (!d->direct) return err_set(err, "out of memory for a direct solve");
    const int failed = direct_solve(A, d->exact_b, max_flops, d->direct, &d->inverse_norm, &why);
    if (failed) {
        free(d->direct);
        d->direct = NULL;
        snprintf(d->direct_text, sizeof d->direct_text, "%.150s: checked only by b - A x", why.text);
        return 0; /* CG reports it, too, if the matrix is not positive definite */
    }
    d->direct_residual = direct_residual(A, d->exact_b, d->direct);
    snprintf(d->direct_text, sizeof d->direct_text, "compared with CHOLMOD's direct solve; ||A^-1|| is about %.2g",
             d->inverse_norm);
    return 0;
}

int cg_problem_open(problem_t *p, const cg_problem_spec_t *spec, err_t *err)
{
    const csr_t *A = spec->A;
    const size_t n = A->rows;
    p->data = NULL;
    if (spec->dtype != DTYPE_F32 && spec->dtype != DTYPE_F64)
        return err_set(err, "%s: fp32 and fp64 only", dtype_name(spec->dtype));
    cg_data_t *d = calloc(1, sizeof *d);
    if (!d) return err_set(err, "out of memory");
    *p = (problem_t){.name = spec->name, .dtype = spec->dtype, .cpu = spec->cpu, .gpu = spec->gpu,
                     .out_bytes = n * dtype_size(spec->dtype), .data = d};
    d->options = cg_defaults(&spec->options, spec->dtype);
    d->history = spec->history;
    d->b = malloc((n + 1) * sizeof(double));
    d->inverse = malloc((n + 1) * sizeof(double));
    d->exact_b = malloc((n + 1) * sizeof(double));
    d->scratch = malloc((n + 1) * sizeof(double));
    const spmv_spec_t spmv = {.A = A, .name = spec->name, .dtype = spec->dtype, .seed = spec->seed, .cpu = spec->cpu,
                              .gpu = spec->gpu, .offset_bits = A->nnz > INT32_MAX ? 64 : 32};
    int failed = !d->b || !d->inverse || !d->exact_b || !d->scratch;
    if (failed) err_set(err, "out of memory for vectors of %zu", n);
    if (!failed) failed = cg_jacobi(A, d->scratch, err) || spmv_problem_open(&d->spmv, &spmv, err);
    if (failed) {
        cg_problem_close(p);
        return -1;
    }
    p->bytes = bytes_of_a_step(&d->spmv, n);
    for (size_t i = 0; i < n && spec->no_preconditioner; ++i) d->scratch[i] = 1;
    dtype_from_double(spec->dtype, d->inverse, d->scratch, n);
    matgen_vector(d->exact_b, n, spec->seed + 1, 0);
    for (size_t i = 0; i < n; ++i) d->exact_b[i] = dtype_round(spec->dtype, d->exact_b[i]);
    dtype_from_double(spec->dtype, d->b, d->exact_b, n);

    snprintf(d->direct_text, sizeof d->direct_text, "checked by b - A x");
    if (spec->max_flops > 0 && solve_directly(d, spec->max_flops, err)) {
        cg_problem_close(p);
        return -1;
    }
    return 0;
}

void cg_problem_close(problem_t *p)
{
    cg_data_t *d = (cg_data_t *)p->data;
    if (!d) return;
    spmv_problem_close(&d->spmv);
    free(d->b), free(d->inverse), free(d->exact_b), free(d->direct), free(d->scratch);
    free(d);
    p->data = NULL;
}

const results_t *cg_problem_results(const problem_t *p) { return &((const cg_data_t *)p->data)->results; }

const char *cg_problem_direct(const problem_t *p) { return ((const cg_data_t *)p->data)->direct_text; }

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *s, const problem_t *p)
{
    return app_row_skip(s, &((const cg_data_t *)p->data)->spmv);
}

/* The order to the other ranks, if the row uses them. */
static void order(const step_t *s, ranks_what_t what, dtype_t type, const cg_options_t *options)
{
    ranks_order_t o = {.what = what, .place = app_row_place(s), .type = type};
    _Static_assert(sizeof *options <= sizeof o.options, "an order has room for the options");
    if (options) memcpy(o.options, options, sizeof *options);
    if (app_row_is_ranks(s)) ranks_give(&o);
}

static void close_solver(void *state)
{
    cg_t *c = state;
    product_t *product = c->product;
    cg_close(c);
    product->close(product);
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const cg_data_t *d = p->data;
    cg_t *c = NULL;
    order(s, RANKS_OPEN, p->dtype, &d->options);
    product_t *product = app_row_open(s, &d->spmv, err);
    if (product && cg_open(&c, product, d->b, d->inverse, &d->options, err)) {
        if (app_row_is_ranks(s)) ranks_end_all(product, err);
        order(s, RANKS_CLOSE, p->dtype, NULL);
        product->close(product);
    }
    *state = c;
    return c ? 0 : -1;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    order(s, RANKS_CLOSE, p->dtype, NULL);
    close_solver(state);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    cg_t *c = state;
    order(s, RANKS_RUN, p->dtype, NULL);
    const int failed = cg_solve(c, out, err);
    if (failed < 0 && app_row_is_ranks(s)) ranks_end_all(c->product, err);
    ((cg_data_t *)p->data)->iterations = c->iterations;
    return failed;
}

/* The rounding error of b - A x: that of the product in each row, and that of each step's update of r, which never
 * computes b - A x again (A. Greenbaum, Estimating the Attainable Accuracy of Recursively Computed Residual Methods,
 * 1997). */
static double rounding(const cg_data_t *d, const double *x, dtype_t type)
{
    enum { LONGEST_CHAIN = 1024 };
    const csr_t *A = matrix_of(d);
    double sum = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        const int64_t length = A->row_offsets[r + 1] - A->row_offsets[r];
        double size = fabs(d->exact_b[r]);
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            size += fabs(A->values[nz] * x[A->col_indices[nz]]);
        size *= (double)(length < LONGEST_CHAIN ? length : LONGEST_CHAIN) + 4 * (double)d->iterations;
        sum += size * size;
    }
    return dtype_roundoff(type) * sqrt(sum);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    cg_data_t *d = (cg_data_t *)p->data;
    const csr_t *A = matrix_of(d);
    const size_t n = A->rows;
    double *x = d->scratch;
    *err_over_tol = 0;
    if (n == 0) return 0;
    dtype_to_double(p->dtype, x, out, n);
    const double residual = direct_residual(A, d->exact_b, x);
    const double most = d->options.tolerance * norm(d->exact_b, n) + rounding(d, x, p->dtype);
    *err_over_tol = residual / most;
    if (!(residual <= most)) return err_set(err, "|b - A x| is %g, expected at most %g", residual, most);
    if (!d->direct) return 0;

    /* The error of each x is A^-1 times its residual. */
    const double apart = 2 * d->inverse_norm * (residual + d->direct_residual);
    for (size_t i = 0; i < n; ++i) x[i] -= d->direct[i];
    const double difference = norm(x, n);
    if (difference / apart > *err_over_tol) *err_over_tol = difference / apart;
    if (!(difference <= apart)) return err_set(err, "|x - CHOLMOD's x| is %g, expected at most %g", difference, apart);
    return 0;
}

static void note(const step_t *s, const problem_t *p, void *state, report_row_t *row)
{
    cg_data_t *d = (cg_data_t *)p->data;
    const cg_t *c = state;
    const cg_step_t *h = c->history;
    row->iterations = (double)c->iterations;
    row->after_us = c->gather_us;
    row->residual = h[0].rr > 0 ? sqrt(h[c->iterations].rr / h[0].rr) : 0;
    row->bytes *= row->iterations;
    row->cold_gbps *= row->iterations; /* NAN stays NAN */
    row->pct_ceiling *= row->iterations;
    row->efficiency = NAN;
    if (app_row_is_ranks(s)) ranks_note(c->product, row);
    results_add(&d->results, row);
    for (size_t k = 0; d->history && k <= c->iterations; ++k)
        fprintf(d->history, "07_cg\t%s\t%s\t%s\t%s\t%zu\t%.4g\n", s->id, row->kind, p->name, dtype_name(p->dtype), k,
                h[0].rr > 0 ? sqrt(h[k].rr / h[0].rr) : 0.0);
}

static const step_t *step(size_t i)
{
    static const step_ops_t OPS = {
        .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check, .note = note,
    };
    return app_row(i, &OPS);
}

const chapter_t CG = {
    .name = "07_cg",
    .doc = "Solves A x = b by conjugate gradients, with any SpMV of the course, on a CPU, a GPU, or several of them.",
    .step = step,
};

/* ---- the other ranks ---------------------------------------------------------------------------- */

void cg_serve(void)
{
    cg_t *c = NULL;
    for (;;) {
        const ranks_order_t o = ranks_take();
        err_t err; /* rank 0 prints an error that all ranks have */
        cg_options_t options;
        if (o.what == RANKS_END) return;
        if (o.what == RANKS_OPEN) {
            memcpy(&options, o.options, sizeof options);
            product_t *product = product_of_ranks(o.place, o.type, NULL, &err);
            if (product && cg_open(&c, product, NULL, NULL, &options, &err)) ranks_end_all(product, &err);
        } else if (o.what == RANKS_RUN && c) {
            if (cg_solve(c, NULL, &err) < 0) ranks_end_all(c->product, &err);
        } else if (o.what == RANKS_CLOSE && c) {
            close_solver(c);
            c = NULL;
        }
    }
}
