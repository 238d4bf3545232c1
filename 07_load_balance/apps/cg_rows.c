/* cg_rows.c - see cg_rows.h */
#include "cg_rows.h"

#include <math.h>
#include <stdlib.h>

#include "direct.h"
#include "matgen.h"
#include "spmv_problem.h"

typedef struct cg_data {
    app_data_t app;     /* its vectors are b and the diagonal's inverse */
    double *exact_b;    /* b as doubles */
    double *scratch;    /* [n] */
    double *direct;     /* CHOLMOD's x, or NULL */
    double direct_residual, inverse_norm;
    char direct_text[200]; /* the reason if direct is NULL */
} cg_data_t;

static const csr_t *matrix_of(const cg_data_t *d) { return &((const spmv_data_t *)d->app.spmv.data)->A; }

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

static int make_system(problem_t *p, const app_spec_t *spec, err_t *err)
{
    enum { VECTORS = 2 + 7 + 4 }; /* of the three loops */
    const csr_t *A = spec->A;
    const size_t n = A->rows;
    cg_data_t *d = (cg_data_t *)p->data;
    double *b = d->app.memory, *inverse = b + n;
    d->app.options = cg_defaults(&spec->options, spec->dtype);
    d->app.vectors[0] = b, d->app.vectors[1] = inverse;
    d->exact_b = b + 2 * n, d->scratch = b + 3 * n;
    if (cg_jacobi(A, d->scratch, err) || app_data_matrix(p, spec, A, VECTORS, err)) return -1;
    for (size_t i = 0; i < n && spec->no_preconditioner; ++i) d->scratch[i] = 1;
    dtype_from_double(spec->dtype, inverse, d->scratch, n);
    matgen_vector(d->exact_b, n, spec->seed + 1, 0);
    for (size_t i = 0; i < n; ++i) d->exact_b[i] = dtype_round(spec->dtype, d->exact_b[i]);
    dtype_from_double(spec->dtype, b, d->exact_b, n);
    snprintf(d->direct_text, sizeof d->direct_text, "checked by b - A x");
    return spec->max_flops > 0 ? solve_directly(d, spec->max_flops, err) : 0;
}

static void drop(void *data) { free(((cg_data_t *)data)->direct); }

int cg_problem_open(problem_t *p, const app_spec_t *spec, err_t *err)
{
    return app_problem_open(p, sizeof(cg_data_t), make_system, drop, spec, err);
}

const char *cg_problem_direct(const problem_t *p) { return ((const cg_data_t *)p->data)->direct_text; }

/* ---- the program -------------------------------------------------------------------------------- */

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
        size *= (double)(length < LONGEST_CHAIN ? length : LONGEST_CHAIN) + 4 * (double)d->app.iterations;
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
    const double rest = direct_residual(A, d->exact_b, x);
    const double most = d->app.options.tolerance * norm(d->exact_b, n) + rounding(d, x, p->dtype);
    *err_over_tol = rest / most;
    if (!(rest <= most)) return err_set(err, "|b - A x| is %g, expected at most %g", rest, most);
    if (!d->direct) return 0;

    /* The error of each x is A^-1 times its residual. */
    const double apart = 2 * d->inverse_norm * (rest + d->direct_residual);
    for (size_t i = 0; i < n; ++i) x[i] -= d->direct[i];
    const double difference = norm(x, n);
    if (difference / apart > *err_over_tol) *err_over_tol = difference / apart;
    if (!(difference <= apart)) return err_set(err, "|x - CHOLMOD's x| is %g, expected at most %g", difference, apart);
    return 0;
}

const solver_t CG_SOLVER = {&CG, cg_open, cg_solve, cg_close, cg_residual, 0, check};

static const step_t *step(size_t i) { return app_row(i, &CG_SOLVER); }

const chapter_t CG = {
    .name = "07_cg",
    .doc = "Solves A x = b by conjugate gradients, with any SpMV of the course, on a CPU, a GPU, or several of them.",
    .step = step,
};
