/* spmv_peers.c - see spmv_peers.h */
#include "spmv_peers.h"

#include "spmv_peers_impl.h"

#ifndef COURSE_CUDA /* cuSPARSE is not linked into a simt build, where the harness skips its rows */
#define cusparse_lacks(form) ((void)(form), (const char *)NULL)
#define cusparse_setup(form, data, state, err) \
    ((void)(form), (void)(data), (void)(state), err_set(err, "needs the cuda back end"))
#define cusparse_run(state, out, err) ((void)(state), (void)(out), err_set(err, "needs the cuda back end"))
#define cusparse_teardown(state) ((void)(state))
const char *spmv_cusparse_version(void) { return "none"; }
#endif

/* Returns the longest chain of additions.  No library documents its order of additions; the chain is at most as long as
 * the row, and no library sums very long rows in one chain. */
static size_t depth(size_t length, const void *unused)
{
    enum { LONGEST_CHAIN = 1024 };
    (void)unused;
    return length < LONGEST_CHAIN ? length : LONGEST_CHAIN;
}

int library_check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    return spmv_judge(p, out, depth, NULL, err_over_tol, err);
}

const char *library_skip(const problem_t *p)
{
    const spmv_data_t *data = p->data;
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    if (data->host.offset_bits == 64) return "32-bit offsets only";
    if (data->A.rows == 0 || data->A.cols == 0 || data->A.nnz == 0) return "the library takes no empty matrix";
    return NULL;
}

/* ---- cuSPARSE ------------------------------------------------------------------------------------ */

static const char *form_skip(const step_t *s, const problem_t *p)
{
    const char *reason = library_skip(p);
    return reason ? reason : cusparse_lacks(s->how);
}

static int form_setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    return cusparse_setup(s->how, p->data, state, err);
}

static int form_run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    (void)s, (void)p;
    return cusparse_run(state, out, err);
}

static void form_teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    cusparse_teardown(state);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t CUSPARSE = {.skip = form_skip, .setup = form_setup, .teardown = form_teardown, .run = form_run,
                                    .check = library_check};

#define RSB_STEP(id, idea, tune) {id, STEP_CPU_PEER, idea, &librsb_ops, &(const bool){tune}}
#define CUSPARSE_STEP(id, idea, ...)                                                             \
    {                                                                                            \
        id, STEP_GPU_PEER, "cuSPARSE " idea, &CUSPARSE, &(const cusparse_form_t) { __VA_ARGS__ } \
    }

static const step_t PEERS[] = {
    RSB_STEP("librsb", "librsb, recursive blocks", false),
    RSB_STEP("librsb_tuned", "librsb after rsb_tune_spmm", true),
    CUSPARSE_STEP("cusparse_csr", "CSR", CUSPARSE_CSR, 0, false),
    CUSPARSE_STEP("cusparse_csr_alg1", "CSR, ALG1", CUSPARSE_CSR, 1, false),
    CUSPARSE_STEP("cusparse_csr_alg2", "CSR, ALG2", CUSPARSE_CSR, 2, false),
    CUSPARSE_STEP("cusparse_csr_pre", "CSR, preprocessed", CUSPARSE_CSR, 0, true),
    CUSPARSE_STEP("cusparse_csr_alg1_pre", "CSR, ALG1, preprocessed", CUSPARSE_CSR, 1, true),
    CUSPARSE_STEP("cusparse_csr_alg2_pre", "CSR, ALG2, preprocessed", CUSPARSE_CSR, 2, true),
    CUSPARSE_STEP("cusparse_op_alg1", "SpMVOp, ALG1", CUSPARSE_OP, 1, false),
    CUSPARSE_STEP("cusparse_op_alg2", "SpMVOp, ALG2", CUSPARSE_OP, 2, false),
    CUSPARSE_STEP("cusparse_coo_alg1", "COO, ALG1", CUSPARSE_COO, 1, true),
    CUSPARSE_STEP("cusparse_coo_alg2", "COO, ALG2", CUSPARSE_COO, 2, true),
    CUSPARSE_STEP("cusparse_sell", "sliced ELL, slices of 32", CUSPARSE_SELL, 1, true),
    CUSPARSE_STEP("cusparse_bsr", "BSR, blocks of 2 x 2", CUSPARSE_BSR, 1, true),
};

const step_t *spmv_peer(size_t i) { return i < sizeof PEERS / sizeof *PEERS ? &PEERS[i] : NULL; }
