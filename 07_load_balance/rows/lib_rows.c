/* lib_rows.c - see lib_rows.h */
#include "lib_rows.h"

#include <stdio.h>
#include <string.h>

// region: on_openmp
void lib_on_openmp(void *none, int parts, void (*work)(void *context, int part), void *context)
{
    (void)none;
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int p = 0; p < parts; ++p) work(context, p);
}
// end: on_openmp

void *lib_stream;

static const char *skip(const step_t *s, const problem_t *p)
{
    (void)s;
    return p->dtype == DTYPE_I8 ? "fp32, fp64, fp16 and bf16 only" : NULL;
}

int lib_row_plan(const step_t *s, const spmv_options_t *options, const spmv_data_t *data, void **state, err_t *err)
{
    const spmv_csr_t A = s->kind == STEP_CPU ? lib_csr(&data->host, SPMV_HOST) : lib_csr(&data->device, SPMV_DEVICE);
    spmv_plan_t *plan = NULL;
    const spmv_status_t status = spmv_create(&plan, &A, options, NULL);
    *state = plan;
    return lib_failed(status, err);
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    return lib_row_plan(s, s->how, p->data, state, err);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const spmv_data_t *data = p->data;
    const spmv_status_t status = spmv_execute(state, 1, s->kind == STEP_CPU ? data->x : data->d_x, 0, out, lib_stream);
    return lib_failed(status, err);
}

void lib_row_teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    spmv_destroy(state);
}

/* The depth of the sum of a row, which has at least four chains of additions. */
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

/* Writes why a kernel of the GPU back end suits the matrix, using the numbers in the line of spmv_describe(). */
static void put_reason(const char *kernel, const char *line, char *text, size_t size)
{
    double mean = 0, longest = 0, stand = 0, near = 0, diagonals = 0, sectors = 0, alike = 0;
    const int seen = sscanf(line, "%*[^,], for %lf nonzeros per row (longest %lf); slots per nonzero: "
                            "%lf with one lane per row, %lf with more lanes for longer rows; "
                            "diagonals in %lf %% of the slices; %lf new sectors of x per nonzero; "
                            "%lf %% of the rows like the next",
                            &mean, &longest, &stand, &near, &diagonals, &sectors, &alike);
    if (seen < 7) snprintf(text, size, "%.1f nonzeros per row", mean);
    else if (!strncmp(kernel, "bundle", 6)) snprintf(text, size, "%.0f %% of the rows are like the next", alike);
    else if (!strncmp(kernel, "in_order", 8) && diagonals > 0)
        snprintf(text, size, "%.0f %% of the slices are diagonals", diagonals);
    else if (!strncmp(kernel, "hot", 3) || !strncmp(kernel, "tiles", 5) || !strncmp(kernel, "wide", 4))
        snprintf(text, size, "%.2f new sectors of x for each nonzero", sectors);
    else if (!strncmp(kernel, "sort", 4) || !strncmp(kernel, "even", 4) || !strncmp(kernel, "in_order", 8))
        snprintf(text, size, "slices with %.2f slots per nonzero", !strncmp(kernel, "sort", 4) ? near : stand);
    else if (!strncmp(kernel, "granules", 8))
        snprintf(text, size, "equal shares of rows of %.1f nonzeros, longest %.0f", mean, longest);
    else snprintf(text, size, "CSR as it is for %.1f nonzeros per row, longest %.0f", mean, longest);
}

/* Notes which kernel of the GPU back end runs, and why. */
static void note(const step_t *s, const problem_t *p, void *state, report_row_t *row)
{
    static char idea[200];
    char text[4096] = "", kernel[32] = "", reason[120];
    (void)p;
    if (s->kind != STEP_GPU || spmv_describe(state, text, sizeof text) != SPMV_OK) return;
    const char *line = strstr(text, ", for ");
    while (line && line > text && line[-1] != '\n') --line;
    if (!line || sscanf(line, "%31[a-z0-9_]", kernel) != 1) return; /* an empty matrix has no such line */
    put_reason(kernel, line, reason, sizeof reason);
    snprintf(idea, sizeof idea, "%s: %s, %s", s->idea, kernel, reason);
    row->idea = idea;
}

const step_ops_t LIB_ROW = {
    .skip = skip, .setup = setup, .teardown = lib_row_teardown, .run = run, .check = lib_row_check, .note = note};

#define ROW(id, kind, idea, ...) {id, kind, idea, &LIB_ROW, &(const spmv_options_t){__VA_ARGS__}}

/* exclusive: the harness runs one row at a time, so the products of a plan never overlap. */
static const step_t ROWS[] = {
    ROW("libspmv_cpu", STEP_CPU, "libspmv on the CPU, with a plan", .backend = SPMV_BACKEND_CPU, .run = lib_on_openmp),
    ROW("libspmv", STEP_GPU, "libspmv, no set-up", .backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_NONE,
        .exclusive = 1),
    ROW("libspmv_look", STEP_GPU, "libspmv, after an inspection", .backend = SPMV_BACKEND_GPU, .setup = SPMV_SETUP_LOOK,
        .exclusive = 1),
    ROW("libspmv_plan", STEP_GPU, "libspmv, with a plan", .backend = SPMV_BACKEND_GPU, .exclusive = 1),
    ROW("libspmv_tuned", STEP_GPU, "libspmv, the fastest of all variants", .backend = SPMV_BACKEND_GPU, .exclusive = 1,
        .tune = 1),
    ROW("libspmv_values", STEP_GPU, "libspmv, with a plan that inspects values", .backend = SPMV_BACKEND_GPU,
        .exclusive = 1, .values = 1),
    ROW("libspmv_reorder", STEP_GPU, "libspmv, with a plan in a better order", .backend = SPMV_BACKEND_GPU,
        .exclusive = 1, .reorder = 1),
};

const step_t *lib_row(size_t i) { return i < sizeof ROWS / sizeof *ROWS ? &ROWS[i] : NULL; }

static const step_t CPU_ROWS[] = {
    ROW("libspmv_cpu_tuned", STEP_CPU, "libspmv on the CPU, the fastest of some variants", .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp, .tune = 1),
    ROW("libspmv_cpu_own", STEP_CPU, "libspmv on the CPU, on threads of its own", .backend = SPMV_BACKEND_CPU),
    ROW("libspmv_cpu_values", STEP_CPU, "libspmv on the CPU, inspects values", .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp, .values = 1),
    ROW("libspmv_cpu_reorder", STEP_CPU, "libspmv on the CPU, in a better order", .backend = SPMV_BACKEND_CPU,
        .run = lib_on_openmp, .exclusive = 1, .reorder = 1),
};

const step_t *lib_cpu_row(size_t i) { return i < sizeof CPU_ROWS / sizeof *CPU_ROWS ? &CPU_ROWS[i] : NULL; }

bool lib_is_large(const char *which)
{
    static const char *const LARGE[] = {
        "mip1", "Si41Ge41H72", "Ga41As41H72", "consph", "pwtk", "circuit5M", "eu-2005", "in-2004", "web-Google",
        "ldoor", "bone010", "rail4284", "poisson2d:2000,2000", "poisson3d:150,150,150", "stencil27:154,154,154",
        "rmat:20,16", "random:1000000,1000000,16000000",
    };
    for (size_t i = 0; i < sizeof LARGE / sizeof *LARGE; ++i)
        if (strcmp(which, LARGE[i]) == 0) return true;
    return false;
}
