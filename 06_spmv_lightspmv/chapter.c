/* 06_spmv_lightspmv - the table of steps, and the callbacks of the harness. */
#include "spmv_lightspmv.h"

#include <string.h>

#include "spmv_peers.h"

/* The steps are declared here because every step includes chapter.h. */
#define STEP(id, ...) cudaError_t spmv_lightspmv_##id(SPMV_LIGHTSPMV_ARGS);
#define STEP_RULE(id, ...)                                   \
    cudaError_t spmv_lightspmv_##id(SPMV_LIGHTSPMV_ARGS);    \
    const struct lanes_rule *spmv_lightspmv_##id##_rule(void);
#include "steps.def"

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t spmv_lightspmv_student(SPMV_LIGHTSPMV_ARGS) __attribute__((weak));

/* ---- the steps ---------------------------------------------------------------------------------- */

typedef struct how {
    spmv_lightspmv_gpu_fn gpu;
    const lanes_rule_t *(*rule)(void); /* lanes by the mean row */
    int lanes;                         /* fixed number of lanes; 0: --lanes, else by the rule */
    bool asks;                         /* takes rows from a counter */
    bool from_1;                       /* supports one lane per row */
} how_t;

static const lanes_rule_t *source_rule(void) { return LIGHTSPMV_LANES; }

static int lanes_of(const how_t *how, const spmv_data_t *data)
{
    const spmv_lightspmv_options_t *options = data->options;
    if (how->lanes) return how->lanes;
    return options && options->lanes ? options->lanes : lanes_by_rule(how->rule(), data->mean_row);
}

void spmv_lightspmv_describe(const char *name, const csr_t *A)
{
    const csr_stats_t s = csr_stats(A);
    fprintf(stderr, "%s: %zu x %zu, %zu nonzeros, %.1f per row (%zu to %zu)\n", name, A->rows, A->cols, A->nnz,
            s.mean_row, s.min_row, s.max_row);
    fprintf(stderr,
            "    lanes per row, chosen from the mean row length: v1 to v9: %d, v10: %d, v11: %d, v12, v13: %d\n",
            lanes_by_rule(LIGHTSPMV_LANES, s.mean_row), lanes_by_rule(PUBLISHED_LANES, s.mean_row),
            lanes_by_rule(RETUNED_LANES, s.mean_row), lanes_by_rule(RETUNED_LANES_4, s.mean_row));
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *s, const problem_t *p)
{
    const how_t *how = s->how;
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    if (lanes_of(how, p->data) == 1 && !how->from_1) return "one lane a row: v10 and later";
    return NULL;
}

/* Allocates the counter, with value 0.  From v8 on every run leaves it at 0. */
static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const how_t *how = s->how;
    const uint32_t zero = 0;
    (void)p;
    if (!how->asks) return 0;
    *state = device_upload(&zero, sizeof zero, "counter", err);
    return *state ? 0 : -1;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    device_free(state);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    return device_ok(how->gpu(&data->device, data->d_x, out, state, lanes_of(how, data), 0), s->id, err);
}

/* The longest chain of additions in a row of that length: a lane's share and the tree. */
static size_t lanes_depth(size_t length, const void *lanes)
{
    enum { TREE = 5 };
    const size_t n = *(const size_t *)lanes;
    return (length + n - 1) / n + TREE;
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const size_t lanes = (size_t)lanes_of(s->how, p->data);
    return (strcmp(s->id, "student") ? spmv_judge : spmv_judge_student)(p, out, lanes_depth, &lanes, err_over_tol, err);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_GPU = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check};

#define STEP(id, idea, ...) {#id, STEP_GPU, idea, &ON_GPU, &(const how_t){.gpu = spmv_lightspmv_##id, __VA_ARGS__}},
#define STEP_RULE(id, idea, ...) \
    {#id, STEP_GPU, idea, &ON_GPU, \
     &(const how_t){.gpu = spmv_lightspmv_##id, .rule = spmv_lightspmv_##id##_rule, __VA_ARGS__}},
#define SAME(id, variant, idea, ...) \
    {#id "/" #variant, STEP_GPU, idea, &ON_GPU, &(const how_t){.gpu = spmv_lightspmv_##id, __VA_ARGS__}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own", &ON_GPU,
                               &(const how_t){.gpu = spmv_lightspmv_student, .rule = source_rule, .asks = true}};

static const step_t *step(size_t i)
{
    return chapter_row(i, STEPS, sizeof STEPS / sizeof *STEPS, spmv_lightspmv_student ? &STUDENT : NULL, spmv_peer);
}

const chapter_t SPMV_LIGHTSPMV = {
    .name = "06_spmv_lightspmv",
    .doc = "y = A x for a sparse matrix: dynamic scheduling assigns rows to vectors, warps or blocks.",
    .step = step,
    .cusparse = spmv_cusparse_version,
};
