/* 00_topic - the table of steps, the callbacks of the harness, and the problem. */
#include "topic.h"

#include <stdio.h>
#include <stdlib.h>

#include "hostmem.h"
#include "matgen.h"

/* The steps are declared here because every step includes chapter.h. */
#define STEP(id, ...) cudaError_t topic_##id(TOPIC_ARGS);
#include "steps.def"

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t topic_student(TOPIC_ARGS) __attribute__((weak));

typedef struct how {
    topic_fn gpu;
} how_t;

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const topic_data_t *data = p->data;
    (void)state;
    return device_ok(how->gpu(data->d_x, data->n, out, 0), s->id, err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const topic_data_t *data = p->data;
    (void)s;
    return verify_verdict(verify(out, p->dtype, data->n, data->right, data->tolerance), "y", err_over_tol, err);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_GPU = {.run = run, .check = check};

#define STEP(id, idea) {#id, STEP_GPU, idea, &ON_GPU, &(const how_t){topic_##id}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own", &ON_GPU, &(const how_t){topic_student}};

static const step_t *step(size_t i)
{
    return chapter_row(i, STEPS, sizeof STEPS / sizeof *STEPS, topic_student ? &STUDENT : NULL, NULL);
}

const chapter_t TOPIC = {
    .name = "00_topic",
    .doc = "Twice each of n numbers.",
    .step = step,
};

/* ---- the problem -------------------------------------------------------------------------------- */

int topic_open(problem_t *p, size_t n, uint64_t seed, err_t *err)
{
    *p = (problem_t){.name = NULL};
    if (hostmem_fits(28.0 * (double)n, "that many numbers", err)) return -1;
    topic_data_t *data = calloc(1, sizeof *data);
    float *x = malloc((n + 1) * sizeof *x);
    if (data) {
        snprintf(data->name, sizeof data->name, "n=%zu", n);
        data->n = n;
        data->right = malloc((n + 1) * sizeof *data->right);
        data->tolerance = calloc(n + 1, sizeof *data->tolerance); /* exact */
        *p = (problem_t){.name = data->name, .dtype = DTYPE_F32, .bytes = 2 * n * sizeof *x, .gpu = true,
                         .out_bytes = n * sizeof *x, .data = data};
    }
    if (!data || !x || !data->right || !data->tolerance) {
        err_set(err, "out of memory for %zu numbers", n);
    } else {
        matgen_vector(data->right, n, seed, false);
        dtype_from_double(DTYPE_F32, x, data->right, n);
        for (size_t i = 0; i < n; ++i) data->right[i] = 2.0 * x[i];
        data->d_x = device_upload(x, n * sizeof *x, "d_x", err);
    }
    free(x);
    if (data && data->d_x) return 0;
    topic_close(p);
    return -1;
}

void topic_close(problem_t *p)
{
    topic_data_t *data = (topic_data_t *)p->data;
    if (!data) return;
    free(data->right);
    free(data->tolerance);
    device_free(data->d_x);
    free(data);
    p->data = NULL;
}
