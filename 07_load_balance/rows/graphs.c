/*
 * graphs.c - 07_graphs: libspmv and cuSPARSE in CUDA graphs, x in L2: `make graphs`.
 *
 * An iterative solver need not start each product from the host, because a CUDA graph can contain many products.  Below
 * half a million nonzeros the host's launches take longer than the products, so times without a graph hardly differ.
 * Each row captures PRODUCTS products, which one launch of its graph runs one after another; warm_us is the time per
 * product.
 *
 * --matrix FILE|RECIPE, otherwise the suite, every matrix of $MATRIX_DIR and families that these do not have, up to 5
 * million nonzeros.  graphs.awk sums up a results file.
 */
#include <cuda_runtime_api.h>
#include <math.h>

#ifdef COURSE_CUDA
#include <cusparse.h>
#endif

#include "lib_rows.h"
#include "lib_session.h"
#include "spmv_peers.h"

enum { PRODUCTS = 20, LIB_ROWS = 4 };

typedef struct captured {
    void *state; /* state of the row */
    void *out;   /* y in the graph; NULL: not captured yet */
    cudaGraphExec_t graph;
} captured_t;

#ifdef COURSE_CUDA
/* The linker replaces cusparseCreate by a wrapper (Makefile), because cuSPARSE's rows use the default stream, which
 * cannot be captured. */
cusparseStatus_t __real_cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t __wrap_cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t __wrap_cusparseCreate(cusparseHandle_t *handle)
{
    const cusparseStatus_t status = __real_cusparseCreate(handle);
    return status == CUSPARSE_STATUS_SUCCESS ? cusparseSetStream(*handle, (cudaStream_t)lib_stream) : status;
}
#endif

static const step_t *row_of(const step_t *s) { return s->how; }

/* A slice of 32 rows is padded to its longest row, so with a dense row a product would take seconds. */
static const char *skip(const step_t *s, const problem_t *p)
{
    if (strcmp(device_backend(), "cuda") != 0) return "needs a CUDA device";
    const csr_arrays_t *A = &((const spmv_data_t *)p->data)->host;
    const bool wide = A->offset_bits == 64;
    const int64_t *of_64 = A->row_offsets;
    const int32_t *of_32 = A->row_offsets;
    for (size_t r = 0; strcmp(s->id, "cusparse_sell") == 0 && r < A->rows; ++r) {
        const int64_t length = wide ? of_64[r + 1] - of_64[r] : of_32[r + 1] - of_32[r];
        if ((double)length * (double)A->rows > 32.0 * (double)(A->nnz + A->rows)) return "one row would pad its slice";
    }
    return row_of(s)->ops->skip ? row_of(s)->ops->skip(row_of(s), p) : NULL;
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    captured_t *c = calloc(1, sizeof *c);
    *state = c;
    if (!c) return err_set(err, "out of memory");
    if (row_of(s)->ops->setup(row_of(s), p, &c->state, err)) return -1;
    return device_ok(cudaStreamSynchronize((cudaStream_t)lib_stream), "set-up", err);
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    captured_t *c = state;
    if (!c) return;
    if (c->graph) cudaGraphExecDestroy(c->graph);
    row_of(s)->ops->teardown(row_of(s), p, c->state);
    free(c);
}

static int capture(const step_t *s, const problem_t *p, captured_t *c, void *out, err_t *err)
{
    if (c->graph) cudaGraphExecDestroy(c->graph);
    c->graph = NULL;
    if (device_ok(cudaStreamBeginCapture((cudaStream_t)lib_stream, cudaStreamCaptureModeRelaxed), "capture", err))
        return -1;
    int failed = 0;
    for (int i = 0; i < PRODUCTS && !failed; ++i) failed = row_of(s)->ops->run(row_of(s), p, c->state, out, err);
    failed = device_graph(failed, (cudaStream_t)lib_stream, &c->graph, err);
    c->out = failed ? NULL : out;
    return failed;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    captured_t *c = state;
    if (c->out != out && capture(s, p, c, out, err)) return -1;
    return device_ok(cudaGraphLaunch(c->graph, 0), "cudaGraphLaunch", err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    return row_of(s)->ops->check(row_of(s), p, out, err_over_tol, err);
}

/* All products but the first find x in L2, so there is no cold time. */
static void note(const step_t *s, const problem_t *p, void *state, report_row_t *row)
{
    (void)s, (void)p, (void)state;
    row->warm_us /= PRODUCTS;
    row->cold_us = row->cold_gbps = row->pct_ceiling = row->efficiency = row->spread_pct = NAN;
}

static bool is_compared(const char *id)
{
    static const char *const FORMS[] = {"cusparse_csr", "cusparse_csr_alg1", "cusparse_csr_pre",
                                        "cusparse_csr_alg1_pre", "cusparse_csr_alg2_pre", "cusparse_coo_alg1",
                                        "cusparse_sell", "cusparse_op_alg1", "cusparse_op_alg2"};
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; ++i)
        if (strcmp(id, FORMS[i]) == 0) return true;
    return false;
}

static const step_t *step(size_t i)
{
    static const step_ops_t OPS = {
        .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check, .note = note};
    static step_t rows[LIB_ROWS + 9]; /* is_compared() knows 9 forms */
    const step_t *of = i < LIB_ROWS ? lib_row(i + 1) : NULL;
    for (size_t j = 0, seen = LIB_ROWS; i >= LIB_ROWS && !of && spmv_peer(j); ++j)
        if (is_compared(spmv_peer(j)->id) && seen++ == i) of = spmv_peer(j);
    if (!of || i >= sizeof rows / sizeof *rows) return NULL;
    rows[i] = *of;
    rows[i].ops = &OPS;
    rows[i].how = of;
    return &rows[i];
}

static const chapter_t GRAPHS = {.name = "07_graphs",
                                 .doc = "libspmv and cuSPARSE in CUDA graphs, with warm x.",
                                 .step = step,
                                 .cusparse = spmv_cusparse_version};

static int but_large(const spmv_session_t *s, const char *which)
{
    return lib_is_large(which) ? 0 : spmv_session_kernels(s, which);
}

static int suite_and_families(const spmv_session_t *s)
{
    static const char *const LARGE[] = {"scattered:500000,4001,40", "scattered:2000000,50,9", "scattered:200000,200,60",
                                        "scattered:1000000,1000,6", "scrambled:rmat:20,16", "scrambled:band:200000,15",
                                        "even:8000000,64,3", "even:3000000,60,3", "program:1000000,1000000,8",
                                        "elements:200000,3,14", "elements:60000,6,8", "elements:300000,2,9",
                                        "transposed:even:3000000,60,3", "transposed:random:5000,1000000,10000000"};
    int failed = spmv_session_suite(s, 0, 0, but_large);
    for (size_t i = 0; SPMV_FAMILIES[i] && !failed; ++i) {
        bool large = false;
        for (size_t k = 0; k < sizeof LARGE / sizeof *LARGE; ++k) large |= strcmp(SPMV_FAMILIES[i], LARGE[k]) == 0;
        if (!large) failed = spmv_session_kernels(s, SPMV_FAMILIES[i]);
    }
    return failed;
}

int main(int argc, char **argv)
{
    options_t o;
    const spmv_session_t s = lib_session(&GRAPHS, &o, argc, argv, NULL, NULL);
    cudaStream_t stream;
    err_t err;
    if (device_ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags", &err)) {
        err_say("%s: %s", GRAPHS.name, err.text);
        return EXIT_FAILURE;
    }
    lib_stream = stream;
    const int failed = o.matrix ? spmv_session_matrix(&s) : suite_and_families(&s);
    const int status = harness_close(s.h);
    return failed ? EXIT_BAD_INPUT : status;
}
