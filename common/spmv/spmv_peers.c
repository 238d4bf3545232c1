/* spmv_peers.c - see spmv_peers.h */
#include "spmv_peers.h"

#include "spmv_peers_impl.h"

#ifndef COURSE_CUDA /* cuSPARSE is not linked into a simt build, where the harness skips its rows */
#define cusparse_lacks(form) ((void)(form), (const char *)NULL)
#define cusparse_setup(form, data, state, err) (err_set(err, "needs the cuda back end"))
#define cusparse_run(state, out, err) (err_set(err, "needs the cuda back end"))
#define cusparse_teardown(state) ((void)(state))
#endif

typedef struct spmv_peer {
    step_t step;
    bool tune;            /* librsb: rsb_tune_spmm in set-up */
    cusparse_form_t form; /* cuSPARSE */
} spmv_peer_t;

static const spmv_peer_t PEERS[] = {
    {{"librsb", STEP_CPU_PEER, "librsb, recursive blocks"}, .tune = false},
    {{"librsb_tuned", STEP_CPU_PEER, "librsb after rsb_tune_spmm"}, .tune = true},
    {{"cusparse_csr", STEP_GPU_PEER, "cuSPARSE CSR"}, .form = {CUSPARSE_CSR, 0, false}},
    {{"cusparse_csr_alg1", STEP_GPU_PEER, "cuSPARSE CSR, ALG1"}, .form = {CUSPARSE_CSR, 1, false}},
    {{"cusparse_csr_alg2", STEP_GPU_PEER, "cuSPARSE CSR, ALG2"}, .form = {CUSPARSE_CSR, 2, false}},
    {{"cusparse_csr_pre", STEP_GPU_PEER, "cuSPARSE CSR, preprocessed"}, .form = {CUSPARSE_CSR, 0, true}},
    {{"cusparse_csr_alg1_pre", STEP_GPU_PEER, "cuSPARSE CSR, ALG1, preprocessed"}, .form = {CUSPARSE_CSR, 1, true}},
    {{"cusparse_csr_alg2_pre", STEP_GPU_PEER, "cuSPARSE CSR, ALG2, preprocessed"}, .form = {CUSPARSE_CSR, 2, true}},
    {{"cusparse_coo_alg1", STEP_GPU_PEER, "cuSPARSE COO, ALG1"}, .form = {CUSPARSE_COO, 1, true}},
    {{"cusparse_coo_alg2", STEP_GPU_PEER, "cuSPARSE COO, ALG2"}, .form = {CUSPARSE_COO, 2, true}},
    {{"cusparse_sell", STEP_GPU_PEER, "cuSPARSE sliced ELL, slices of 32"}, .form = {CUSPARSE_SELL, 1, true}},
    {{"cusparse_bsr", STEP_GPU_PEER, "cuSPARSE BSR, blocks of 2 x 2"}, .form = {CUSPARSE_BSR, 1, true}},
};

const step_t *spmv_peer(size_t i) { return i < sizeof PEERS / sizeof *PEERS ? &PEERS[i].step : NULL; }

bool spmv_is_peer(const step_t *s) { return s->kind == STEP_CPU_PEER || s->kind == STEP_GPU_PEER; }

const char *spmv_peer_skip(const step_t *s, const problem_t *p)
{
    const spmv_data_t *data = p->data;
    if (s->kind == STEP_CPU_PEER && !librsb_present()) return "built without librsb";
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    if (data->host.offset_bits == 64) return "32-bit offsets only";
    if (data->A.rows == 0 || data->A.cols == 0 || data->A.nnz == 0) return "the library takes no empty matrix";
    return s->kind == STEP_GPU_PEER ? cusparse_lacks(&((const spmv_peer_t *)s)->form) : NULL;
}

int spmv_peer_setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const spmv_peer_t *peer = (const spmv_peer_t *)s;
    if (s->kind == STEP_CPU_PEER) return librsb_setup(p->data, peer->tune, state, err);
    return cusparse_setup(&peer->form, p->data, state, err);
}

int spmv_peer_run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    return s->kind == STEP_CPU_PEER ? librsb_run(state, data->x, out, err) : cusparse_run(state, out, err);
}

void spmv_peer_teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)p;
    if (s->kind == STEP_CPU_PEER) librsb_teardown(state);
    else cusparse_teardown(state);
}

size_t spmv_peer_depth(size_t length, const void *unused)
{
    enum { LONGEST_CHAIN = 1024 };
    (void)unused;
    return length < LONGEST_CHAIN ? length : LONGEST_CHAIN;
}
