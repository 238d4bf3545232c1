/* lib_rows.c - see lib_rows.h */
#include "lib_rows.h"

typedef struct lib_row {
    step_t step;
    spmv_options_t options;
} lib_row_t;

void lib_on_openmp(void *none, int parts, void (*work)(void *context, int part), void *context)
{
    (void)none;
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int p = 0; p < parts; ++p) work(context, p);
}

/* The harness runs one row at a time: nothing of a plan ever overlaps. */
static const lib_row_t ROWS[] = {
    {{"libspmv_cpu", STEP_CPU, "libspmv on the CPU, with a plan"}, {.backend = SPMV_BACKEND_CPU, .run = lib_on_openmp}},
    {{"libspmv", STEP_GPU, "libspmv, no set-up"},
     {.backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE, .exclusive = 1}},
    {{"libspmv_look", STEP_GPU, "libspmv, after a look"},
     {.backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_LOOK, .exclusive = 1}},
    {{"libspmv_plan", STEP_GPU, "libspmv, with a plan"}, {.backend = SPMV_BACKEND_GPU, .exclusive = 1}},
    {{"libspmv_tuned", STEP_GPU, "libspmv, the fastest of a dozen ways"},
     {.backend = SPMV_BACKEND_GPU, .exclusive = 1, .tune = 1}},
};

const step_t *lib_row(size_t i) { return i < sizeof ROWS / sizeof *ROWS ? &ROWS[i].step : NULL; }

bool lib_is_row(const step_t *s)
{
    const lib_row_t *row = (const lib_row_t *)s;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; ++i)
        if (row == &ROWS[i]) return true;
    return false;
}

const char *lib_row_skip(const step_t *s, const problem_t *p)
{
    (void)s;
    return p->dtype == DTYPE_I8 ? "fp32, fp64, fp16 and bf16 only" : NULL;
}

int lib_row_setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const lib_row_t *row = (const lib_row_t *)s;
    const spmv_data_t *data = p->data;
    const bool cpu = s->kind == STEP_CPU;
    const spmv_csr_t A = cpu ? lib_csr(&data->host, SPMV_HOST) : lib_csr(&data->device, SPMV_DEVICE);
    spmv_plan_t *plan = NULL;
    const spmv_status_t status = spmv_create(&plan, &A, &row->options, NULL);
    *state = plan;
    return status == SPMV_OK ? 0 : err_set(err, "%s: %s", spmv_status_text(status), spmv_last_error());
}

int lib_row_run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    const spmv_status_t status = spmv_execute(state, 1, s->kind == STEP_CPU ? data->x : data->d_x, 0, out, NULL);
    return status == SPMV_OK ? 0 : err_set(err, "%s: %s", spmv_status_text(status), spmv_last_error());
}

void lib_row_teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    spmv_destroy(state);
}

size_t lib_row_depth(size_t length, const void *unused)
{
    (void)unused;
    return length / 4 + 16;
}
