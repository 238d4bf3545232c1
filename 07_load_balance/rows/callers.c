/*
 * callers.c - 07_callers: libspmv's other products (not y = A x), compared with cuSPARSE.
 *
 *     07_callers --record many.tsv                   Y = A X for 2 to 32 columns, in both orders
 *     07_callers --transpose --record transpose.tsv  y = A^T x
 *
 * --matrix FILE|RECIPE, otherwise the whole suite and every matrix of $MATRIX_DIR; the simulator counts samples.
 */
#include <stdio.h>

#include "lib_products.h"
#include "lib_session.h"
#include "spmv_peers.h"

typedef struct extra {
    bool transpose;
    int columns; /* 0: 2, 4, 8, 16 and 32 */
} extra_t;

enum { OPT_TRANSPOSE = 4000, OPT_COLUMNS, STAND_IN_NNZ = 5000 };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"transpose", OPT_TRANSPOSE, 0, 0, "y = A^T x instead of several right-hand sides", 0},
    {"columns", OPT_COLUMNS, "K", 0, "K right-hand sides only", 0},
    {0},
};

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *extra = state->input;
    char rest;
    switch (key) {
    case OPT_TRANSPOSE: extra->transpose = true; return 0;
    case OPT_COLUMNS:
        if (sscanf(arg, "%d%c", &extra->columns, &rest) != 1 || extra->columns < 2 || extra->columns > 1000)
            argp_error(state, "--columns: \"%s\" must be a whole number from 2 to 1000", arg);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static extra_t extra;

static const step_t *step(size_t i) { return extra.transpose ? products_transpose_row(i) : products_many_row(i); }

static const chapter_t PRODUCTS = {
    .name = "07_callers", .doc = "libspmv's several right-hand sides, and its transpose.", .step = step,
    .cusparse = spmv_cusparse_version};

static int run_many(const spmv_session_t *s, const problem_t *of, int k, err_t *err)
{
    for (int by_columns = 0; by_columns < 2; ++by_columns) {
        problem_t p;
        if (products_many_open(&p, of, k, by_columns, err)) return -1;
        harness_run(s->h, &p);
        products_close(&p);
    }
    return 0;
}

static int run_all(const spmv_session_t *s, const problem_t *of, err_t *err)
{
    int failed = 0;
    if (extra.transpose) {
        problem_t p;
        if (products_transpose_open(&p, of, err)) return -1;
        harness_run(s->h, &p);
        products_close(&p);
        return 0;
    }
    if (extra.columns) return run_many(s, of, extra.columns, err);
    for (int k = 2; k <= 32 && !failed; k *= 2) failed = run_many(s, of, k, err);
    return failed;
}

/* Opens the problems and runs the rows.  0, or -1 and *err. */
static int rows_of(const spmv_session_t *s, const csr_t *A, const char *name, bool cpu, bool gpu, err_t *err)
{
    int failed = 0;
    for (dtype_t t = DTYPE_F32; t <= DTYPE_F64 && !failed; ++t) {
        if (s->o->dtype_set && t != s->o->dtype) continue;
        problem_t p;
        const spmv_spec_t spec = {.A = A, .name = name, .dtype = t, .offset_bits = A->nnz > INT32_MAX ? 64 : 32,
                                  .seed = s->o->seed, .exact = s->o->exact, .cpu = cpu, .gpu = gpu};
        failed = spmv_problem_open(&p, &spec, err);
        if (failed) break;
        failed = run_all(s, &p, err);
        spmv_problem_close(&p);
    }
    return failed;
}

/* Runs all rows; without a GPU, those of the GPU on a sample.  Frees A; if it is NULL, *err says why.  -1 after a
 * message on stderr. */
static int all_rows(const spmv_session_t *s, csr_t *A, char *name, err_t *err)
{
    int failed = A ? rows_of(s, A, name, true, s->gpu, err) : -1;
    if (!failed && !s->gpu) {
        A = spmv_matrix_sample(A, STAND_IN_NNZ, name, err);
        failed = A ? rows_of(s, A, name, false, true, err) : -1;
    }
    csr_free(A);
    if (failed) err_say("%s: %s", name, err->text);
    return failed;
}

static int rows(const spmv_session_t *s, const char *which)
{
    err_t err;
    char name[SPMV_NAME];
    csr_t *A = spmv_matrix_asked(s->o, which, name, &err);
    return all_rows(s, A, name, &err);
}

int main(int argc, char **argv)
{
    options_t o;
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    const spmv_session_t s = lib_session(&PRODUCTS, &o, argc, argv, &extra_argp, &extra);
    const int failed = o.matrix ? rows(&s, NULL) : spmv_session_suite(&s, 0, 0, rows);
    const int status = harness_close(s.h);
    return failed ? EXIT_BAD_INPUT : status;
}
