/* 04_spmv_scalar - the table of steps, and the callbacks of the harness. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv_peers.h"
#include "spmv_scalar.h"

/* The steps are declared here because every step includes chapter.h. */
#define STEP(id, ...) cudaError_t spmv_scalar_##id(SPMV_SCALAR_ARGS);
#include "steps.def"

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t spmv_scalar_student(SPMV_SCALAR_ARGS) __attribute__((weak));

/* ---- the steps ---------------------------------------------------------------------------------- */

/* The format of a step's matrix: one format, or the smallest of several. */
typedef enum choice { FIXED, BEST_BLOCK, CHOSEN } choice_t;

typedef struct how {
    spmv_scalar_gpu_fn gpu;
    form_t form;
    choice_t choice;
} how_t;

static size_t limit_of(const spmv_data_t *data) { return form_limit(&data->A, data->options); }

static form_t form_of(const how_t *how, const spmv_data_t *data)
{
    const dtype_t type = data->host.value_type;
    if (how->choice == BEST_BLOCK) return form_best_block(&data->A, type);
    return how->choice == CHOSEN ? form_choose(&data->A, type, limit_of(data)) : how->form;
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static const char *skip(const step_t *s, const problem_t *p)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    return form_refusal(&data->A, form_of(how, data), limit_of(data));
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const how_t *how = s->how;
    if (how->choice == FIXED && how->form == FORM_CSR) return 0; /* CSR needs no conversion */
    gpu_matrix_t *m = calloc(1, sizeof *m);
    if (!m) return err_set(err, "out of memory");
    *state = m;
    return gpu_matrix_build(m, p->data, form_of(how, p->data), limit_of(p->data), err);
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    if (state) gpu_matrix_free(state);
    free(state);
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    const gpu_matrix_t *m = state;
    spmv_scalar_matrix_t csr;
    if (!m) gpu_matrix_csr(&csr, data);
    return device_ok(how->gpu(m ? &m->matrix : &csr, data->d_x, out, 0), s->id, err);
}

/* The chain of additions of a term: at most its whole row, and the atomics and trees of v3, v6 and v8. */
static size_t depth(size_t length, const void *unused)
{
    enum { TREES = 16 };
    (void)unused;
    return length + TREES;
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    (void)s;
    return (strcmp(s->id, "student") ? spmv_judge : spmv_judge_student)(p, out, depth, NULL, err_over_tol, err);
}

/* The row of v9 names the format that it chose. */
static void note(const step_t *s, const problem_t *p, void *state, report_row_t *row)
{
    static char idea[64];
    const how_t *how = s->how;
    (void)state;
    if (how->choice != CHOSEN) return;
    snprintf(idea, sizeof idea, "%s: %s", s->idea, form_name(form_of(how, p->data)));
    row->idea = idea;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_GPU = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check,
                                   .note = note};

#define STEP(id, idea, form, choice) {#id, STEP_GPU, idea, &ON_GPU, &(const how_t){spmv_scalar_##id, form, choice}},
#define SAME(id, variant, idea, form, choice) \
    {#id "/" #variant, STEP_GPU, idea, &ON_GPU, &(const how_t){spmv_scalar_##id, form, choice}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own", &ON_GPU,
                               &(const how_t){spmv_scalar_student, FORM_ELL, FIXED}};

static const step_t *step(size_t i)
{
    size_t cpu = 0;
    while (spmv_scalar_cpu_step(cpu)) ++cpu;
    if (i < cpu) return spmv_scalar_cpu_step(i);
    return chapter_row(i - cpu, STEPS, sizeof STEPS / sizeof *STEPS, spmv_scalar_student ? &STUDENT : NULL, spmv_peer);
}

const chapter_t SPMV_SCALAR = {
    .name = "04_spmv_scalar",
    .doc = "y = A x for a sparse matrix in every format: what each costs in bytes, and which matrices it is good for.",
    .step = step,
    .cusparse = spmv_cusparse_version,
};
