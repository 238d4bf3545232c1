/* 06_spmv_lightspmv - the table of steps, and what the harness needs to run and judge them. */
#include "spmv_lightspmv.h"

#include <string.h>

#include "spmv_peers.h"

/* A learner's own step, there only when built with STUDENT=file.cu. */
cudaError_t spmv_lightspmv_student(SPMV_LIGHTSPMV_ARGS) __attribute__((weak));

/* ---- the steps ---------------------------------------------------------------------------------- */

typedef struct spmv_lightspmv_step {
    step_t step;
    spmv_lightspmv_gpu_fn gpu;
    const lanes_rule_t *(*rule)(void); /* lanes by the mean row */
    int lanes;                         /* lanes whatever the matrix; 0: --lanes, else by the rule */
    bool asks;                         /* has a counter */
    bool from_1;                       /* knows one lane a row */
} spmv_lightspmv_step_t;

static const lanes_rule_t *source_rule(void) { return LIGHTSPMV_LANES; }

#define SOURCE .rule = source_rule
#define TUNED(n) .gpu = spmv_lightspmv_v11, .lanes = n, .asks = true, .from_1 = true
#define TUNED_4(n) .gpu = spmv_lightspmv_v13, .lanes = n, .asks = true, .from_1 = true

static const spmv_lightspmv_step_t STEPS[] = {
    {{"v1", STEP_GPU, "rows dealt to vectors"}, .gpu = spmv_lightspmv_v1, SOURCE},
    {{"v2", STEP_GPU, "vectors ask for rows"}, .gpu = spmv_lightspmv_v2, SOURCE, .asks = true},
    {{"v3", STEP_GPU, "chunks dealt to blocks"}, .gpu = spmv_lightspmv_v3, SOURCE},
    {{"v4", STEP_GPU, "blocks ask for chunks"}, .gpu = spmv_lightspmv_v4, SOURCE, .asks = true},
    {{"v5", STEP_GPU, "stretches dealt to warps"}, .gpu = spmv_lightspmv_v5, SOURCE},
    {{"v6", STEP_GPU, "warps ask for stretches"}, .gpu = spmv_lightspmv_v6, SOURCE, .asks = true},
    {{"v7", STEP_GPU, "grid by occupancy and need"}, .gpu = spmv_lightspmv_v7, SOURCE, .asks = true},
    {{"v8", STEP_GPU, "the last to ask resets the counter"}, .gpu = spmv_lightspmv_v8, SOURCE, .asks = true},
    {{"v9", STEP_GPU, "the first stretch without asking"}, .gpu = spmv_lightspmv_v9, SOURCE, .asks = true},
    {{"v10", STEP_GPU, "hybrid table, as published"}, .gpu = spmv_lightspmv_v10, .rule = spmv_lightspmv_v10_rule,
     .asks = true, .from_1 = true},
    {{"v11", STEP_GPU, "hybrid table, tuned on this card"}, .gpu = spmv_lightspmv_v11, .rule = spmv_lightspmv_v11_rule,
     .asks = true, .from_1 = true},
    {{"v11/1", STEP_GPU, "v11 with 1 lane"}, TUNED(1)},
    {{"v11/2", STEP_GPU, "v11 with 2 lanes"}, TUNED(2)},
    {{"v11/4", STEP_GPU, "v11 with 4 lanes"}, TUNED(4)},
    {{"v11/8", STEP_GPU, "v11 with 8 lanes"}, TUNED(8)},
    {{"v11/16", STEP_GPU, "v11 with 16 lanes"}, TUNED(16)},
    {{"v11/32", STEP_GPU, "v11 with 32 lanes"}, TUNED(32)},
    {{"v12", STEP_GPU, "four nonzeros in flight in a lane"}, .gpu = spmv_lightspmv_v12, .rule = spmv_lightspmv_v12_rule,
     .asks = true, .from_1 = true},
    {{"v13", STEP_GPU, "larger tickets for many rows"}, .gpu = spmv_lightspmv_v13, .rule = spmv_lightspmv_v13_rule,
     .asks = true, .from_1 = true},
    {{"v13/1", STEP_GPU, "v13 with 1 lane"}, TUNED_4(1)},
    {{"v13/2", STEP_GPU, "v13 with 2 lanes"}, TUNED_4(2)},
    {{"v13/4", STEP_GPU, "v13 with 4 lanes"}, TUNED_4(4)},
    {{"v13/8", STEP_GPU, "v13 with 8 lanes"}, TUNED_4(8)},
    {{"v13/16", STEP_GPU, "v13 with 16 lanes"}, TUNED_4(16)},
    {{"v13/32", STEP_GPU, "v13 with 32 lanes"}, TUNED_4(32)},
    {{"student", STEP_GPU, "your own"}, .gpu = spmv_lightspmv_student, SOURCE, .asks = true},
};

static const step_t *step(size_t i)
{
    for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS; ++k) {
        if (strcmp(STEPS[k].step.id, "student") == 0 && !spmv_lightspmv_student) continue;
        if (i-- == 0) return &STEPS[k].step;
    }
    return spmv_peer(i);
}

static int lanes_of(const spmv_lightspmv_step_t *s, const spmv_data_t *data)
{
    const spmv_lightspmv_options_t *options = data->options;
    if (s->lanes) return s->lanes;
    return options && options->lanes ? options->lanes : lanes_by_rule(s->rule(), data->mean_row);
}

void spmv_lightspmv_describe(const char *name, const csr_t *A)
{
    const csr_stats_t s = csr_stats(A);
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f a row (%zu to %zu); lanes by mean: v1-v9 %d, v10 %d, v11 %d, v12-v13 %d\n",
            name, A->rows, A->cols, A->nnz, s.mean_row, s.min_row, s.max_row, lanes_by_rule(LIGHTSPMV_LANES, s.mean_row),
            lanes_by_rule(PUBLISHED_LANES, s.mean_row), lanes_by_rule(RETUNED_LANES, s.mean_row),
            lanes_by_rule(RETUNED_LANES_4, s.mean_row));
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *base, const problem_t *p)
{
    if (spmv_is_peer(base)) return spmv_peer_skip(base, p);
    const spmv_lightspmv_step_t *s = (const spmv_lightspmv_step_t *)base;
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    if (lanes_of(s, p->data) == 1 && !s->from_1) return "one lane a row: v10 and later";
    return NULL;
}

/* The counter, zero.  From v8 on it is left so by every run. */
static int setup(const step_t *base, const problem_t *p, void **state, err_t *err)
{
    if (spmv_is_peer(base)) return spmv_peer_setup(base, p, state, err);
    const spmv_lightspmv_step_t *s = (const spmv_lightspmv_step_t *)base;
    if (!s->asks) return 0;
    const uint32_t zero = 0;
    *state = device_upload(&zero, sizeof zero, "counter", err);
    return *state ? 0 : -1;
}

static void teardown(const step_t *base, const problem_t *p, void *state)
{
    if (spmv_is_peer(base)) spmv_peer_teardown(base, p, state);
    else device_free(state);
}

static int run(const step_t *base, const problem_t *p, void *state, void *out, err_t *err)
{
    if (spmv_is_peer(base)) return spmv_peer_run(base, p, state, out, err);
    const spmv_lightspmv_step_t *s = (const spmv_lightspmv_step_t *)base;
    const spmv_data_t *data = p->data;
    return device_ok(s->gpu(&data->device, data->d_x, out, state, lanes_of(s, data), 0), base->id, err);
}

/* Longest chain of additions a term of a row of that length goes through: a lane's share and the tree. */
static size_t lanes_depth(size_t length, const void *lanes)
{
    enum { TREE = 5 };
    const size_t n = *(const size_t *)lanes;
    return (length + n - 1) / n + TREE;
}

static int check(const step_t *base, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    if (spmv_is_peer(base)) return spmv_judge(p, out, spmv_peer_depth, NULL, err_over_tol, err);
    const size_t lanes = (size_t)lanes_of((const spmv_lightspmv_step_t *)base, p->data);
    return spmv_judge(p, out, lanes_depth, &lanes, err_over_tol, err);
}

const chapter_t SPMV_LIGHTSPMV = {
    .name = "06_spmv_lightspmv",
    .doc = "y = A x for a sparse matrix: rows handed out to vectors, warps or blocks as they become free.",
    .step = step, .skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check,
};
