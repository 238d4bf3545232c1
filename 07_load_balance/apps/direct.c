/* direct.c - see direct.h */
#include "direct.h"

#include <suitesparse/cholmod.h>
#include <math.h>
#include <string.h>

#include "matgen.h"

double direct_residual(const csr_t *A, const double *b, const double *x)
{
    double sum = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        double rest = b[r];
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz)
            rest -= A->values[nz] * x[A->col_indices[nz]];
        sum += rest * rest;
    }
    return sqrt(sum);
}

/* The lower triangle of A; its rows in CSR are the columns of the upper triangle. */
static cholmod_sparse *lower_triangle(const csr_t *A, cholmod_common *c)
{
    size_t nnz = 0;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) nnz += (size_t)A->col_indices[nz] >= r;
    cholmod_sparse *L = cholmod_l_allocate_sparse(A->rows, A->rows, nnz, 1, 1, -1, CHOLMOD_REAL, c);
    if (!L) return NULL;
    SuiteSparse_long *starts = L->p, *rows = L->i, kept = 0;
    double *values = L->x;
    for (size_t r = 0; r < A->rows; ++r) {
        starts[r] = kept;
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            if ((size_t)A->col_indices[nz] < r) continue;
            rows[kept] = A->col_indices[nz];
            values[kept++] = A->values[nz];
        }
    }
    starts[A->rows] = kept;
    return L;
}

/* ||A^-1|| by inverse iteration: v becomes A^-1 v / |v| repeatedly, and |A^-1 v| / |v| converges to it from below. */
static double inverse_norm_of(cholmod_factor *F, size_t n, cholmod_common *c)
{
    enum { ROUNDS = 20 };
    double norm = 0;
    cholmod_dense *v = cholmod_l_allocate_dense(n, 1, n, CHOLMOD_REAL, c);
    if (v) matgen_vector(v->x, n, 1, 0);
    for (int round = 0; v && round < ROUNDS; ++round) {
        const double before = cholmod_l_norm_dense(v, 2, c);
        for (size_t i = 0; i < n; ++i) ((double *)v->x)[i] /= before;
        cholmod_dense *w = cholmod_l_solve(CHOLMOD_A, F, v, c);
        cholmod_l_free_dense(&v, c);
        v = w;
        if (v) norm = cholmod_l_norm_dense(v, 2, c);
    }
    cholmod_l_free_dense(&v, c);
    return norm;
}

int direct_solve(const csr_t *A, const double *b, double max_flops, double *x, double *inverse_norm, err_t *err)
{
    const size_t n = A->rows;
    *inverse_norm = 0;
    if (n == 0) return 0;

    cholmod_common c;
    cholmod_l_start(&c);
    c.print = 0;
    c.final_ll = 1; /* L L' fails if A is not positive definite; L D L' would continue */
    int failed = 0;
    cholmod_dense *right = NULL, *answer = NULL;
    cholmod_sparse *L = lower_triangle(A, &c);
    cholmod_factor *F = L ? cholmod_l_analyze(L, &c) : NULL;
    if (F && c.fl > max_flops) {
        failed = 1;
        err_set(err, "a direct solution needs %.2g operations, more than the limit of %.2g", c.fl, max_flops);
    }
    if (!failed && F) cholmod_l_factorize(L, F, &c);
    if (!failed && F && c.status == CHOLMOD_NOT_POSDEF)
        failed = err_set(err, "CHOLMOD: the matrix is not positive definite (column %lld)", (long long)F->minor + 1);
    if (!failed) right = cholmod_l_allocate_dense(n, 1, n, CHOLMOD_REAL, &c);
    if (right) {
        memcpy(right->x, b, n * sizeof *b);
        answer = cholmod_l_solve(CHOLMOD_A, F, right, &c);
    }
    if (answer) {
        memcpy(x, answer->x, n * sizeof *x);
        *inverse_norm = inverse_norm_of(F, n, &c);
    } else if (!failed) {
        failed = err_set(err, "CHOLMOD failed with status %d (out of memory, or the matrix is too large)", c.status);
    }
    cholmod_l_free_dense(&right, &c);
    cholmod_l_free_dense(&answer, &c);
    cholmod_l_free_factor(&F, &c);
    cholmod_l_free_sparse(&L, &c);
    cholmod_l_finish(&c);
    return failed;
}
