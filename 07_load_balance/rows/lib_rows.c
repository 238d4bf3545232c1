/* lib_rows.c - see lib_rows.h */
#include "lib_rows.h"

// region: on_openmp
void lib_on_openmp(void *none, int parts, void (*work)(void *context, int part), void *context)
{
    (void)none;
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int p = 0; p < parts; ++p) work(context, p);
}
// end: on_openmp

static const char *skip(const step_t *s, const problem_t *p)
{
    (void)s;
    return p->dtype == DTYPE_I8 ? "fp32, fp64, fp16 and bf16 only" : NULL;
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const spmv_options_t *options = s->how;
    const spmv_data_t *data = p->data;
    const spmv_csr_t A = s->kind == STEP_CPU ? lib_csr(&data->host, SPMV_HOST) : lib_csr(&data->device, SPMV_DEVICE);
    spmv_plan_t *plan = NULL;
    const spmv_status_t status = spmv_create(&plan, &A, options, NULL);
    *state = plan;
    return status == SPMV_OK ? 0 : err_set(err, "%s: %s", spmv_status_text(status), spmv_last_error());
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    const spmv_status_t status = spmv_execute(state, 1, s->kind == STEP_CPU ? data->x : data->d_x, 0, out, NULL);
    return status == SPMV_OK ? 0 : err_set(err, "%s: %s", spmv_status_text(status), spmv_last_error());
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    spmv_destroy(state);
}

/* At least four chains of additions per row. */
static size_t depth(size_t length, const void *unused)
{
    (void)unused;
    return length / 4 + 16;
}

int lib_row_check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    return spmv_judge(p, out, depth, NULL, err_over_tol, err);
}

const step_ops_t LIB_ROW = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = lib_row_check};

#define ROW(id, kind, idea, ...) {id, kind, idea, &LIB_ROW, &(const spmv_options_t){__VA_ARGS__}}

/* The harness runs one row at a time: nothing of a plan ever overlaps. */
static const step_t ROWS[] = {
    ROW("libspmv_cpu", STEP_CPU, "libspmv on the CPU, with a plan", .backend = SPMV_BACKEND_CPU, .run = lib_on_openmp),
    ROW("libspmv", STEP_GPU, "libspmv, no set-up", .backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE,
        .exclusive = 1),
    ROW("libspmv_look", STEP_GPU, "libspmv, after a look", .backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_LOOK,
        .exclusive = 1),
    ROW("libspmv_plan", STEP_GPU, "libspmv, with a plan", .backend = SPMV_BACKEND_GPU, .exclusive = 1),
    ROW("libspmv_tuned", STEP_GPU, "libspmv, the fastest of all ways", .backend = SPMV_BACKEND_GPU, .exclusive = 1,
        .tune = 1),
    ROW("libspmv_values", STEP_GPU, "libspmv, with a plan that looks at values", .backend = SPMV_BACKEND_GPU,
        .exclusive = 1, .values = 1),
    ROW("libspmv_reorder", STEP_GPU, "libspmv, with a plan in a better order", .backend = SPMV_BACKEND_GPU,
        .exclusive = 1, .reorder = 1),
};

const step_t *lib_row(size_t i) { return i < sizeof ROWS / sizeof *ROWS ? &ROWS[i] : NULL; }

static const step_t CPU_ROWS[] = {
    ROW("libspmv_cpu_tuned", STEP_CPU, "libspmv on the CPU, the fastest of some ways", .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp, .tune = 1),
    ROW("libspmv_cpu_own", STEP_CPU, "libspmv on the CPU, on threads of its own", .backend = SPMV_BACKEND_CPU),
    ROW("libspmv_cpu_values", STEP_CPU, "libspmv on the CPU, looks at values", .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp, .values = 1),
    ROW("libspmv_cpu_reorder", STEP_CPU, "libspmv on the CPU, in a better order", .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp, .exclusive = 1, .reorder = 1),
};

const step_t *lib_cpu_row(size_t i) { return i < sizeof CPU_ROWS / sizeof *CPU_ROWS ? &CPU_ROWS[i] : NULL; }
