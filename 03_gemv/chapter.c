/* 03_gemv - the table of steps, the callbacks of the harness, and the problems. */
#include "gemv.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostmem.h"
#include "matgen.h"
#include "rng.h"

/* The steps and the library baselines.  They are declared here because every step includes chapter.h. */
#define CPU(id, name, ...) void gemv_cpu_##name(GEMV_CPU_ARGS);
#define CPU_PEER(id, ...) void gemv_##id(GEMV_CPU_ARGS);
#define STEP(id, ...) cudaError_t gemv_##id(GEMV_ARGS);
#include "steps.def"

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t gemv_student(GEMV_ARGS) __attribute__((weak));

typedef enum takes { BOTH, ROW_ONLY, COL_ONLY } takes_t;

typedef struct how {
    gemv_gpu_fn gpu;
    gemv_cpu_fn cpu;
    gemv_cublas_form_t form; /* of a GPU library */
    takes_t takes;
    size_t (*serial)(const gemv_data_t *); /* sequential terms in the longest chain of additions */
} how_t;

static size_t all(const gemv_data_t *d) { return d->cols; }
static size_t warp(const gemv_data_t *d) { return d->cols / 32 + 1; }
/* Each lane loads vectors of up to 4 elements.  Short rows have at least 4 lanes, longer rows at least 32. */
static size_t lanes(const gemv_data_t *d) { return d->cols / 32 + 8; }
static size_t by_shape(const gemv_data_t *d) { return d->layout == GEMV_ROW ? lanes(d) : all(d); }

/* ---- callbacks of the harness ------------------------------------------------------------------- */

#ifndef COURSE_CUDA
/* GPU libraries are not linked into a simt build, and the harness skips their rows there. */
int gemv_cublas_setup(void **state, err_t *err) { return (void)state, err_set(err, "needs a CUDA device"); }
void gemv_cublas_teardown(void *state) { (void)state; }
int gemv_cublas_run(gemv_cublas_form_t form, void *state, dtype_t dtype, const gemv_data_t *data, void *d_y, err_t *err)
{
    (void)form, (void)state, (void)dtype, (void)data, (void)d_y;
    return err_set(err, "needs a CUDA device");
}
#endif

static int setup_cublas(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    (void)s, (void)p;
    return gemv_cublas_setup(state, err);
}

static void teardown_cublas(const step_t *s, const problem_t *p, void *state)
{
    (void)s, (void)p;
    gemv_cublas_teardown(state);
}

static int run_cublas(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    return gemv_cublas_run(how->form, state, p->dtype, p->data, out, err);
}

static int run_cpu(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const gemv_data_t *d = p->data;
    (void)state, (void)err;
    how->cpu(p->dtype, d->layout, d->rows, d->cols, d->A, d->x, out);
    return 0;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const gemv_data_t *d = p->data;
    (void)state;
    return device_ok(how->gpu(p->dtype, d->layout, d->rows, d->cols, d->d_A, d->d_x, out, d->d_sums, d->d_words, 0),
                     s->id, err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const how_t *how = s->how;
    const gemv_data_t *d = p->data;
    const size_t depth = how->serial(d) + (size_t)ceil(log2((double)d->cols + 1)) + 4;
    for (size_t r = 0; r < d->rows; ++r)
        d->tolerance[r] = d->exact ? 0 : verify_tolerance(depth, p->dtype, d->abs_sum[r]);
    return verify_verdict(verify(out, p->dtype, d->rows, d->y, d->tolerance), "y", err_over_tol, err);
}

/* The check of a student's step: against the product that its exercise asks for (asked.h). */
static int check_student(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const gemv_data_t *d = p->data;
    const asked_t asked = asked_of_student();
    if (asked == ASKED_STEP) return check(s, p, out, err_over_tol, err);
    gemv_data_t other = *d;
    double *x = malloc((d->cols + 1) * sizeof *x);
    other.exact = false;
    other.y = calloc(2 * d->rows + 1, sizeof *other.y);
    other.abs_sum = other.y ? other.y + d->rows : NULL;
    int failed = x && other.y ? 0 : err_set(err, "out of memory for vectors of %zu and %zu", d->cols, d->rows);
    if (!failed) {
        dtype_to_double(p->dtype, x, d->x, d->cols);
        asked_numbers(asked, x, d->cols);
#pragma omp parallel for schedule(static)
        for (size_t r = 0; r < d->rows; ++r)
            for (size_t c = 0; c < d->cols; ++c) {
                const size_t at = d->layout == GEMV_ROW ? r * d->cols + c : c * d->rows + r;
                const double a = p->dtype == DTYPE_F64 ? ((const double *)d->A)[at] : (double)((const float *)d->A)[at];
                other.y[r] += a * x[c];
                other.abs_sum[r] += fabs(a * x[c]);
            }
        problem_t of_other = *p;
        of_other.data = &other;
        failed = check(s, &of_other, out, err_over_tol, err);
    }
    free(x);
    free(other.y);
    return failed;
}

static const char *skip(const step_t *s, const problem_t *p)
{
    const how_t *how = s->how;
    const gemv_data_t *d = p->data;
    if (how->takes == ROW_ONLY && d->layout == GEMV_COL) return "row-major only";
    if (how->takes == COL_ONLY && d->layout == GEMV_ROW) return "column-major only";
    return NULL;
}

/* Inputs that no BLAS supports. */
static const char *skip_blas(const step_t *s, const problem_t *p)
{
    const gemv_data_t *d = p->data;
    (void)s;
    if (d->rows == 0 || d->cols == 0) return "BLAS leaves an empty product as it is";
    if (d->rows > INT_MAX || d->cols > INT_MAX) return "rows and cols are int in BLAS";
    return NULL;
}

static const char *skip_openblas(const step_t *s, const problem_t *p)
{
    return gemv_openblas_present() ? skip_blas(s, p) : "built without OpenBLAS";
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_CPU = {.run = run_cpu, .check = check};
static const step_ops_t OPENBLAS = {.skip = skip_openblas, .run = run_cpu, .check = check};
static const step_ops_t ON_GPU = {.skip = skip, .run = run, .check = check};
static const step_ops_t STUDENTS = {.skip = skip, .run = run, .check = check_student};
static const step_ops_t CUBLAS = {
    .skip = skip_blas, .setup = setup_cublas, .teardown = teardown_cublas, .run = run_cublas, .check = check};

#define CPU(id, name, idea, serial) \
    {#id, STEP_CPU, idea, &ON_CPU, &(const how_t){NULL, gemv_cpu_##name, 0, BOTH, serial}},
#define CPU_PEER(id, idea, serial) \
    {#id, STEP_CPU_PEER, idea, &OPENBLAS, &(const how_t){NULL, gemv_##id, 0, BOTH, serial}},
#define STEP(id, idea, takes, serial) {#id, STEP_GPU, idea, &ON_GPU, &(const how_t){gemv_##id, NULL, 0, takes, serial}},
#define PEER(id, idea, form) {#id, STEP_GPU_PEER, idea, &CUBLAS, &(const how_t){NULL, NULL, form, BOTH, all}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own step", &STUDENTS,
                               &(const how_t){.gpu = gemv_student, .serial = all}};

static const step_t *step(size_t i)
{
    return chapter_row(i, STEPS, sizeof STEPS / sizeof *STEPS, gemv_student ? &STUDENT : NULL, NULL);
}

const chapter_t GEMV = {
    .name = "03_gemv",
    .doc = "y = A x for a dense matrix of any shape: tall, wide, square, by rows and by columns.",
    .step = step,
};

/* ---- problems ------------------------------------------------------------------------------------ */

/* Element (r, c) depends on the seed and on r * cols + c only: the same matrix in both layouts, made in any order. */
static double element(uint64_t seed, size_t index, bool exact)
{
    rng_t rng = {seed + 0x9e3779b97f4a7c15u * index};
    if (!exact) return rng_value(&rng);
    const int k = (int)(rng_next(&rng) >> 60); /* -8..8 without 0 */
    return k < 8 ? k - 8 : k - 7;
}

/* Makes A and, from its stored (rounded) elements, y and abs_sum; x has been rounded before. */
#define FILL(T)                                                                                              \
    do {                                                                                                     \
        T *A = d->A;                                                                                         \
        _Pragma("omp parallel for schedule(static)") for (size_t tile = 0; tile < rows; tile += TILE)        \
        {                                                                                                    \
            const size_t end = tile + TILE < rows ? tile + TILE : rows;                                      \
            double sum[TILE] = {0}, absolute[TILE] = {0};                                                    \
            for (size_t c = 0; c < cols; ++c)                                                                \
                for (size_t r = tile; r < end; ++r) {                                                        \
                    const T a = (T)element(seed, r * cols + c, d->exact);                                    \
                    const double product = (double)a * x[c];                                                 \
                    A[d->layout == GEMV_ROW ? r * cols + c : c * rows + r] = a;                              \
                    sum[r - tile] += product;                                                                \
                    absolute[r - tile] += fabs(product);                                                     \
                }                                                                                            \
            for (size_t r = tile; r < end; ++r) d->y[r] = sum[r - tile], d->abs_sum[r] = absolute[r - tile]; \
        }                                                                                                    \
    } while (0)

static void fill(gemv_data_t *d, dtype_t dtype, const double *x, uint64_t seed)
{
    enum { TILE = 16 }; /* rows at a time: a cache line in either layout */
    const size_t rows = d->rows, cols = d->cols;
    if (dtype == DTYPE_F64) FILL(double);
    else FILL(float);
}

/* Makes x.  If results must be exact, only so many elements are not zero that all sums are exact in fp32. */
static void make_x(double *x, size_t cols, dtype_t dtype, uint64_t seed, bool exact)
{
    matgen_vector(x, cols, seed + 1, exact);
    const size_t every = exact ? cols / (1u << 18) + 1 : 1; /* 2^18 products of at most 64 */
    for (size_t c = 0; c < cols; ++c) x[c] = c % every ? 0 : dtype_round(dtype, x[c]);
}

static int to_gpu(gemv_data_t *d, size_t size, size_t misalign, err_t *err)
{
    const size_t a_bytes = d->rows * d->cols * size, x_bytes = d->cols * size, offset = misalign * size;
    d->d_memory[0] = device_alloc(a_bytes + offset, "d_A", err);
    if (!d->d_memory[0]) return -1;
    d->d_memory[1] = device_alloc(x_bytes + offset, "d_x", err);
    if (!d->d_memory[1]) return -1;
    d->d_sums = device_alloc(gemv_sums_count(d->rows) * size, "d_sums", err);
    if (!d->d_sums) return -1;
    d->d_words = device_alloc(GEMV_WORDS * sizeof *d->d_words, "d_words", err);
    if (!d->d_words) return -1;
    d->d_A = (char *)d->d_memory[0] + offset;
    d->d_x = (char *)d->d_memory[1] + offset;
    return device_ok(cudaMemset(d->d_words, 0, GEMV_WORDS * sizeof *d->d_words), "d_words", err) ||
                   device_ok(cudaMemcpy(d->d_A, d->A, a_bytes, cudaMemcpyHostToDevice), "d_A", err) ||
                   device_ok(cudaMemcpy(d->d_x, d->x, x_bytes, cudaMemcpyHostToDevice), "d_x", err)
               ? -1
               : 0;
}

/* Allocates count elements, `misalign` elements after a 64-byte boundary; *memory is the pointer to free. */
static void *host_array(void **memory, size_t count, size_t size, size_t misalign)
{
    *memory = aligned_alloc(64, ((count + misalign + 1) * size + 63) / 64 * 64);
    return *memory ? (char *)*memory + misalign * size : NULL;
}

int gemv_open(problem_t *p, const gemv_spec_t *spec, err_t *err)
{
    const size_t size = dtype_size(spec->dtype), rows = spec->rows, cols = spec->cols;
    *p =
        (problem_t){.dtype = spec->dtype,
                    .bytes = gemv_bytes(rows, cols, spec->dtype),
                    .cpu = spec->cpu,
                    .gpu = spec->gpu,
                    /* The higher of the two peaks, although y may be 6 % of the bytes (16 columns). */
                    .reads_only = true,
                    .out_bytes = rows * size};
    char what[96];
    snprintf(what, sizeof what, "a %zu x %zu matrix", rows, cols);
    /* y, abs_sum, tolerance and x in double; a step's output and the copy that is checked */
    const double typed = (double)rows * (double)cols + 2.0 * (double)rows + (double)cols;
    const double reference = 3.0 * (double)rows + (double)cols;
    if (hostmem_fits(typed * (double)size + reference * sizeof(double), what, err)) return -1;

    gemv_data_t *d = calloc(1, sizeof *d);
    double *x = malloc((cols + 1) * sizeof *x);
    p->data = d;
    if (!d || !x) goto no_memory;
    snprintf(d->name, sizeof d->name, "%zux%zu:%s%s", rows, cols, spec->layout == GEMV_ROW ? "row" : "col",
             spec->exact ? ":exact" : "");
    p->name = d->name;
    d->layout = spec->layout;
    d->rows = rows;
    d->cols = cols;
    d->exact = spec->exact;
    d->A = host_array(&d->memory[0], rows * cols, size, spec->misalign);
    d->x = host_array(&d->memory[1], cols, size, spec->misalign);
    d->y = malloc((rows + 1) * sizeof *d->y);
    d->abs_sum = malloc((rows + 1) * sizeof *d->abs_sum);
    d->tolerance = malloc((rows + 1) * sizeof *d->tolerance);
    if (!d->A || !d->x || !d->y || !d->abs_sum || !d->tolerance) goto no_memory;

    make_x(x, cols, spec->dtype, spec->seed, spec->exact);
    dtype_from_double(spec->dtype, d->x, x, cols);
    fill(d, spec->dtype, x, spec->seed);
    free(x);
    if (spec->gpu && to_gpu(d, size, spec->misalign, err)) {
        gemv_close(p);
        return -1;
    }
    return 0;

no_memory:
    err_set(err, "out of memory for %s", what);
    free(x);
    gemv_close(p);
    return -1;
}

void gemv_close(problem_t *p)
{
    gemv_data_t *d = (gemv_data_t *)p->data;
    if (!d) return;
    for (int i = 0; i < 2; ++i) {
        free(d->memory[i]);
        device_free(d->d_memory[i]);
    }
    free(d->y);
    free(d->abs_sum);
    free(d->tolerance);
    device_free(d->d_sums);
    device_free(d->d_words);
    free(d);
    p->data = NULL;
}
