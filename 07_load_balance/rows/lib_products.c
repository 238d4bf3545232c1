/* lib_products.c - see lib_products.h */
#include "lib_products.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matgen.h"

#ifndef COURSE_CUDA /* cuSPARSE is not linked into a simt build, where the harness skips its rows */
#define products_cusparse_setup(data, alg, state, err) \
    ((void)(data), (void)(alg), (void)(state), err_set(err, "needs the cuda back end"))
#define products_cusparse_run(state, out, err) ((void)(state), (void)(out), err_set(err, "needs the cuda back end"))
#define products_cusparse_teardown(state) ((void)(state))
#endif

/* ---- problems ----------------------------------------------------------------------------------- */

static size_t place(const products_data_t *d, size_t rows, size_t i, int j)
{
    return d->by_columns ? i + (size_t)j * rows : i * (size_t)d->k + (size_t)j;
}

/* Computes y and its tolerance for one column x: A x, or A^T x.  length, abs_sum: [out] scratch. */
static void reference(products_data_t *d, dtype_t vector, const double *x, int j, double *abs_sum, size_t *length)
{
    const csr_t *A = &d->of->A;
    double *y = d->y + (size_t)j * d->out, *tolerance = d->tolerance + (size_t)j * d->out;
    for (size_t i = 0; i < d->out; ++i) y[i] = abs_sum[i] = 0, length[i] = 0;
    for (size_t r = 0; r < A->rows; ++r)
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            const size_t c = (size_t)A->col_indices[nz], to = d->transpose ? c : r;
            const double product = A->values[nz] * x[d->transpose ? r : c];
            y[to] += product;
            abs_sum[to] += fabs(product);
            ++length[to];
        }
    for (size_t i = 0; i < d->out; ++i)
        tolerance[i] = d->of->exact ? 0 : verify_tolerance(length[i] + 2, vector, abs_sum[i]);
}

/* Fills X and computes the right results. */
static int fill(products_data_t *d, const problem_t *of, err_t *err)
{
    const dtype_t vector = dtype_vector(of->dtype);
    const size_t size = dtype_size(vector), count = d->in * (size_t)d->k;
    double *x = malloc((d->in + 1) * sizeof *x), *abs_sum = calloc(d->out + 1, sizeof *abs_sum);
    size_t *length = calloc(d->out + 1, sizeof *length);
    d->x = malloc(count * size + 1);
    d->y = calloc(d->out * (size_t)d->k + 1, sizeof(double));
    d->tolerance = malloc((d->out * (size_t)d->k + 1) * sizeof(double));
    d->column = malloc(d->out * size + 1);
    int failed = !x || !abs_sum || !length || !d->x || !d->y || !d->tolerance || !d->column;
    if (failed) err_set(err, "out of memory for %d columns of %zu and %zu", d->k, d->in, d->out);
    for (int j = 0; j < d->k && !failed; ++j) {
        matgen_vector(x, d->in, 21 + (uint64_t)j, d->of->exact);
        for (size_t i = 0; i < d->in; ++i) {
            x[i] = dtype_round(vector, x[i]);
            dtype_from_double(vector, (char *)d->x + place(d, d->in, i, j) * size, &x[i], 1);
        }
        reference(d, vector, x, j, abs_sum, length);
    }
    if (!failed && of->gpu) failed = !(d->d_x = device_upload(d->x, count * size, "X", err));
    free(x), free(abs_sum), free(length);
    return failed ? -1 : 0;
}

static int open_problem(problem_t *p, const problem_t *of, products_data_t *d, err_t *err)
{
    const size_t vector = dtype_size(dtype_vector(of->dtype));
    *p = *of;
    p->data = d;
    p->name = d->name;
    p->bytes = of->bytes + (size_t)(d->k - 1) * (d->in + d->out) * vector;
    p->out_bytes = d->out * (size_t)d->k * vector;
    if (fill(d, of, err) == 0) return 0;
    products_close(p);
    return -1;
}

int products_many_open(problem_t *p, const problem_t *of, int k, bool by_columns, err_t *err)
{
    const spmv_data_t *data = of->data;
    products_data_t *d = calloc(1, sizeof *d);
    if (!d) return err_set(err, "out of memory");
    d->of = data, d->k = k, d->by_columns = by_columns, d->in = data->A.cols, d->out = data->A.rows;
    snprintf(d->name, sizeof d->name, "%s, %d by %s", of->name, k, by_columns ? "columns" : "rows");
    return open_problem(p, of, d, err);
}

int products_transpose_open(problem_t *p, const problem_t *of, err_t *err)
{
    const spmv_data_t *data = of->data;
    products_data_t *d = calloc(1, sizeof *d);
    if (!d) return err_set(err, "out of memory");
    d->of = data, d->k = 1, d->by_columns = d->transpose = true, d->in = data->A.rows, d->out = data->A.cols;
    snprintf(d->name, sizeof d->name, "%s, transposed", of->name);
    return open_problem(p, of, d, err);
}

void products_close(problem_t *p)
{
    products_data_t *d = (products_data_t *)p->data;
    if (!d) return;
    device_free(d->d_x);
    free(d->x), free(d->y), free(d->tolerance), free(d->column);
    free(d);
    p->data = NULL;
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const products_data_t *d = p->data;
    const dtype_t vector = dtype_vector(p->dtype);
    const size_t size = dtype_size(vector);
    (void)s;
    *err_over_tol = 0;
    for (int j = 0; j < d->k; ++j) {
        for (size_t i = 0; i < d->out; ++i)
            memcpy((char *)d->column + i * size, (const char *)out + place(d, d->out, i, j) * size, size);
        const verify_result_t v =
            verify(d->column, vector, d->out, d->y + (size_t)j * d->out, d->tolerance + (size_t)j * d->out);
        if (v.err_over_tol > *err_over_tol) *err_over_tol = v.err_over_tol;
        if (v.ok) continue;
        char text[200];
        verify_describe(&v, "y", text, sizeof text);
        return err_set(err, "column %d: %s", j, text);
    }
    return 0;
}

/* ---- libspmv ------------------------------------------------------------------------------------ */

typedef struct how {
    bool one_by_one; /* one product for each column */
    spmv_options_t options;
} how_t;

static const char *skip(const step_t *s, const problem_t *p)
{
    const how_t *how = s->how;
    const products_data_t *d = p->data;
    if (p->dtype == DTYPE_I8) return "fp32, fp64, fp16 and bf16 only";
    return how->one_by_one && !d->by_columns ? "needs columns without gaps" : NULL;
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    return lib_row_plan(s, &((const how_t *)s->how)->options, ((const products_data_t *)p->data)->of, state, err);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const products_data_t *d = p->data;
    const char *x = s->kind == STEP_CPU ? d->x : d->d_x;
    const size_t size = dtype_size(dtype_vector(p->dtype));
    if (!how->one_by_one && d->k > 1) {
        const spmv_order_t order = d->by_columns ? SPMV_COL_MAJOR : SPMV_ROW_MAJOR;
        const int64_t ldx = d->by_columns ? (int64_t)d->in : d->k, ldy = d->by_columns ? (int64_t)d->out : d->k;
        return lib_failed(spmv_execute_many(state, d->k, order, 1, x, ldx, 0, out, ldy, NULL), err);
    }
    spmv_status_t status = SPMV_OK;
    for (int j = 0; j < d->k && status == SPMV_OK; ++j)
        status = spmv_execute(state, 1, x + (size_t)j * d->in * size, 0, (char *)out + (size_t)j * d->out * size, NULL);
    return lib_failed(status, err);
}

static const step_ops_t LIB = {.skip = skip, .setup = setup, .teardown = lib_row_teardown, .run = run, .check = check};

/* ---- cuSPARSE ----------------------------------------------------------------------------------- */

static const char *peer_skip(const step_t *s, const problem_t *p)
{
    const products_data_t *d = p->data;
    (void)s;
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    if (d->of->host.offset_bits == 64) return "32-bit offsets only";
    if (d->in == 0 || d->out == 0 || d->of->A.nnz == 0) return "the library takes no empty matrix";
    return NULL;
}

static int peer_setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    return products_cusparse_setup(p->data, *(const int *)s->how, state, err);
}

static int peer_run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    (void)s, (void)p;
    return products_cusparse_run(state, out, err);
}

static void peer_teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    products_cusparse_teardown(state);
}

static const step_ops_t PEER = {
    .skip = peer_skip, .setup = peer_setup, .teardown = peer_teardown, .run = peer_run, .check = check};

/* ---- the tables --------------------------------------------------------------------------------- */

#define ROW(id, kind, idea, one_by_one, ...) {id, kind, idea, &LIB, &(const how_t){one_by_one, {__VA_ARGS__}}}
#define PEER_ROW(id, idea, alg) {id, STEP_GPU_PEER, "cuSPARSE " idea, &PEER, &(const int){alg}}

static const step_t MANY[] = {
    ROW("libspmv_cpu_one_by_one", STEP_CPU, "libspmv on the CPU, one product per column", true,
        .backend = SPMV_BACKEND_CPU, .run = lib_on_openmp),
    ROW("libspmv_cpu_many", STEP_CPU, "libspmv on the CPU, all columns at once", false, .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp),
    ROW("libspmv_one_by_one", STEP_GPU, "libspmv with a plan, one product per column", true,
        .backend = SPMV_BACKEND_GPU, .exclusive = 1),
    ROW("libspmv_many", STEP_GPU, "libspmv with a plan, as the library chooses", false,
        .backend = SPMV_BACKEND_GPU, .exclusive = 1, .many = 1),
    ROW("libspmv_many_bare", STEP_GPU, "libspmv, no inspection, no memory of its own", false,
        .backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE),
    ROW("libspmv_many_unseen", STEP_GPU, "libspmv, no inspection, memory for all columns", false,
        .backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE, .exclusive = 1, .many = 1),
    PEER_ROW("cusparse_spmm", "SpMM, CSR", 0),
    PEER_ROW("cusparse_spmm_alg2", "SpMM, CSR, ALG2", 2),
};

static const step_t TRANSPOSE[] = {
    ROW("libspmv_cpu_transpose", STEP_CPU, "libspmv on the CPU, a plan for A^T", false, .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp, .transpose = 1),
    ROW("libspmv_transpose", STEP_GPU, "libspmv, a plan for A^T", false, .backend = SPMV_BACKEND_GPU, .exclusive = 1,
        .transpose = 1),
    ROW("libspmv_transpose_csr", STEP_GPU, "libspmv, A^T in CSR", false, .backend = SPMV_BACKEND_GPU,
        .setup = SPMV_SETUP_NONE, .exclusive = 1, .transpose = 1),
    PEER_ROW("cusparse_transpose", "SpMV of the transpose, CSR", 0),
};

const step_t *products_many_row(size_t i) { return i < sizeof MANY / sizeof *MANY ? &MANY[i] : NULL; }
const step_t *products_transpose_row(size_t i)
{
    return i < sizeof TRANSPOSE / sizeof *TRANSPOSE ? &TRANSPOSE[i] : NULL;
}
