/* 04_spmv_scalar - the table of steps, and what the harness needs to run and judge them. */
#include <stdlib.h>
#include <string.h>

#include "spmv_peers.h"
#include "spmv_scalar.h"

/* A learner's own step, there only when built with STUDENT=file.cu. */
cudaError_t spmv_scalar_student(SPMV_SCALAR_ARGS) __attribute__((weak));

/* ---- the steps ---------------------------------------------------------------------------------- */

/* Which form a step takes its matrix in: one form, or the one with the least bytes of several. */
typedef enum choice { FIXED, BEST_BLOCK, CHOSEN } choice_t;

typedef struct spmv_scalar_step {
    step_t step;
    spmv_scalar_gpu_fn gpu;
    form_t form;
    choice_t choice;
} spmv_scalar_step_t;

static const spmv_scalar_step_t STEPS[] = {
    {{"v1", STEP_GPU, "CSR, a thread for a row"}, spmv_scalar_v1, FORM_CSR, FIXED},
    {{"v2", STEP_GPU, "COO, a thread for a nonzero, atomics"}, spmv_scalar_v2, FORM_COO, FIXED},
    {{"v3", STEP_GPU, "COO, rows summed in the warp first"}, spmv_scalar_v3, FORM_COO, FIXED},
    {{"v4", STEP_GPU, "ELL, a thread for a row"}, spmv_scalar_v4, FORM_ELL, FIXED},
    {{"v5", STEP_GPU, "DIA, a thread for a row"}, spmv_scalar_v5, FORM_DIA, FIXED},
    {{"v6", STEP_GPU, "HYB, ELL and the rest as COO"}, spmv_scalar_v6, FORM_HYB, FIXED},
    {{"v7", STEP_GPU, "BSR, a thread for a row"}, spmv_scalar_v7, FORM_BSR2, BEST_BLOCK},
    {{"v8", STEP_GPU, "BSR, a warp for a block row"}, spmv_scalar_v8, FORM_BSR2, BEST_BLOCK},
    {{"v8/2", STEP_GPU, "v8 with 2 x 2 blocks"}, spmv_scalar_v8, FORM_BSR2, FIXED},
    {{"v8/3", STEP_GPU, "v8 with 3 x 3 blocks"}, spmv_scalar_v8, FORM_BSR3, FIXED},
    {{"v8/4", STEP_GPU, "v8 with 4 x 4 blocks"}, spmv_scalar_v8, FORM_BSR4, FIXED},
    {{"v9", STEP_GPU, "the format chosen by its bytes"}, spmv_scalar_v9, FORM_CSR, CHOSEN},
    {{"student", STEP_GPU, "your own"}, spmv_scalar_student, FORM_ELL, FIXED},
};

static const step_t *step(size_t i)
{
    size_t cpu = 0;
    while (spmv_scalar_cpu_step(cpu)) ++cpu;
    if (i < cpu) return spmv_scalar_cpu_step(i);
    i -= cpu;
    for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS; ++k) {
        if (strcmp(STEPS[k].step.id, "student") == 0 && !spmv_scalar_student) continue;
        if (i-- == 0) return &STEPS[k].step;
    }
    return spmv_peer(i);
}

/* The steps of STEPS; the others belong to cpu.h and spmv_peers.h. */
static const spmv_scalar_step_t *own(const step_t *s)
{
    return s->kind == STEP_GPU ? (const spmv_scalar_step_t *)s : NULL;
}

static size_t limit_of(const spmv_data_t *data) { return form_limit(&data->A, data->options); }

static form_t form_of(const spmv_scalar_step_t *s, const spmv_data_t *data)
{
    const dtype_t type = data->host.value_type;
    if (s->choice == BEST_BLOCK) return form_best_block(&data->A, type);
    return s->choice == CHOSEN ? form_choose(&data->A, type, limit_of(data)) : s->form;
}

static const char *skip(const step_t *base, const problem_t *p)
{
    const spmv_scalar_step_t *s = own(base);
    const spmv_data_t *data = p->data;
    if (spmv_scalar_cpu_is(base)) return spmv_scalar_cpu_skip(base, p);
    if (!s) return spmv_peer_skip(base, p);
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    return form_refusal(&data->A, form_of(s, data), limit_of(data));
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static int setup(const step_t *base, const problem_t *p, void **state, err_t *err)
{
    const spmv_scalar_step_t *s = own(base);
    if (spmv_scalar_cpu_is(base)) return spmv_scalar_cpu_setup(base, p, state, err);
    if (!s) return spmv_peer_setup(base, p, state, err);
    if (s->choice == FIXED && s->form == FORM_CSR) return 0; /* as it is */
    card_matrix_t *m = calloc(1, sizeof *m);
    if (!m) return err_set(err, "out of memory");
    *state = m;
    return card_matrix_build(m, p->data, form_of(s, p->data), limit_of(p->data), err);
}

static void teardown(const step_t *base, const problem_t *p, void *state)
{
    if (spmv_scalar_cpu_is(base)) {
        spmv_scalar_cpu_teardown(base, p, state);
    } else if (!own(base)) {
        spmv_peer_teardown(base, p, state);
    } else if (state) {
        card_matrix_free(state);
        free(state);
    }
}

static int run(const step_t *base, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_scalar_step_t *s = own(base);
    const spmv_data_t *data = p->data;
    if (spmv_scalar_cpu_is(base)) return spmv_scalar_cpu_run(base, p, state, out, err);
    if (!s) return spmv_peer_run(base, p, state, out, err);
    spmv_scalar_matrix_t csr;
    if (!state) card_matrix_csr(&csr, data);
    return device_ok(s->gpu(state ? &((card_matrix_t *)state)->matrix : &csr, data->d_x, out, 0), base->id, err);
}

/* A term goes through all of its row at most, and what v3, v6 and v8 do beside: atomics of part sums, trees. */
static size_t depth(size_t length, const void *unused)
{
    enum { TREES = 16 };
    (void)unused;
    return length + TREES;
}

static int check(const step_t *base, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    if (spmv_scalar_cpu_is(base)) return spmv_judge(p, out, spmv_scalar_cpu_depth, base, err_over_tol, err);
    return spmv_judge(p, out, own(base) ? depth : spmv_peer_depth, NULL, err_over_tol, err);
}

const chapter_t SPMV_SCALAR = {
    .name = "04_spmv_scalar",
    .doc = "y = A x for a sparse matrix in every format: what each costs in bytes, and which matrices it is good for.",
    .step = step, .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check,
};
