/* spmv_librsb.c - the library baseline on a CPU: librsb (M. Martone, recursive sparse blocks). */
#include "spmv_peers_impl.h"

#ifdef HAVE_RSB
#include <rsb.h>
#include <stdlib.h>

typedef struct librsb {
    struct rsb_mtx_t *matrix;
} librsb_t;

static int rsb_ok(rsb_err_t status, const char *what, err_t *err)
{
    char text[200] = "unknown error";
    if (status == RSB_ERR_NO_ERROR) return 0;
    rsb_strerror_r(status, text, sizeof text);
    return err_set(err, "%s: %s", what, text);
}

/* Initialises the library at the first call; it stays initialised until the program ends. */
static int rsb_start(err_t *err)
{
    static bool started;
    if (started) return 0;
    if (rsb_ok(rsb_lib_init(RSB_NULL_INIT_OPTIONS), "rsb_lib_init", err)) return -1;
    started = true;
    return 0;
}

/* Tunes the matrix.  rsb_tune_spmm needs an x and a y for its trials. */
static int tune_matrix(librsb_t *rsb, const spmv_data_t *data, err_t *err)
{
    const bool is_double = data->host.value_type == DTYPE_F64;
    const double one_d = 1, zero_d = 0;
    const float one_f = 1, zero_f = 0;
    void *y = calloc(data->host.rows + 1, dtype_size(data->host.value_type));
    if (!y) return err_set(err, "out of memory");
    const rsb_err_t status =
        rsb_tune_spmm(&rsb->matrix, NULL, NULL, 0, 0, RSB_TRANSPOSITION_N, is_double ? (void *)&one_d : (void *)&one_f,
                      NULL, 1, RSB_FLAG_WANT_COLUMN_MAJOR_ORDER, data->x, (rsb_nnz_idx_t)data->host.cols,
                      is_double ? (void *)&zero_d : (void *)&zero_f, y, (rsb_nnz_idx_t)data->host.rows);
    free(y);
    return rsb_ok(status, "rsb_tune_spmm", err);
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const spmv_data_t *data = p->data;
    const csr_arrays_t *A = &data->host;
    const bool *tune = s->how;
    rsb_err_t status = RSB_ERR_NO_ERROR;
    if (rsb_start(err)) return -1;
    librsb_t *rsb = calloc(1, sizeof *rsb);
    if (!rsb) return err_set(err, "out of memory");
    rsb->matrix = rsb_mtx_alloc_from_csr_const(
        A->values, A->row_offsets, A->col_indices, (rsb_nnz_idx_t)A->nnz,
        A->value_type == DTYPE_F64 ? RSB_NUMERICAL_TYPE_DOUBLE : RSB_NUMERICAL_TYPE_FLOAT, (rsb_coo_idx_t)A->rows,
        (rsb_coo_idx_t)A->cols, RSB_DEFAULT_ROW_BLOCKING, RSB_DEFAULT_COL_BLOCKING, RSB_FLAG_NOFLAGS, &status);
    *state = rsb;
    if (rsb_ok(status, "rsb_mtx_alloc_from_csr_const", err)) return -1;
    return *tune ? tune_matrix(rsb, data, err) : 0;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    /* alpha NULL means 1; with beta 0, y is not read.  0.0f and 0.0 have the same bytes. */
    static const double zero = 0;
    const librsb_t *rsb = state;
    const spmv_data_t *data = p->data;
    (void)s;
    return rsb_ok(rsb_spmv(RSB_TRANSPOSITION_N, NULL, rsb->matrix, data->x, 1, &zero, out, 1), "rsb_spmv", err);
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    librsb_t *rsb = state;
    (void)s, (void)p;
    if (rsb) rsb_mtx_free(rsb->matrix);
    free(rsb);
}

static const char *skip(const step_t *s, const problem_t *p) { return (void)s, library_skip(p); }

const step_ops_t librsb_ops = {
    .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = library_check};
#else
static const char *skip(const step_t *s, const problem_t *p)
{
    return (void)s, (void)p, "built without librsb: install librsb-dev and run make again";
}

const step_ops_t librsb_ops = {.skip = skip, .check = library_check};
#endif
