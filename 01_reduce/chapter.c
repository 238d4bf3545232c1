/* 01_reduce - the table of steps, the callbacks of the harness, and the problems. */
#include "reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "hostmem.h"
#include "matgen.h"

/* The steps and the library baselines.  They are declared here because every step includes chapter.h. */
#define CPU(id, name, ...) void reduce_cpu_##name(REDUCE_CPU_ARGS);
#define CPU_PEER(id, ...) void reduce_##id(REDUCE_CPU_ARGS);
#define STEP(id, ...) cudaError_t reduce_##id(REDUCE_ARGS);
#define PEER(id, ...) cudaError_t reduce_##id(REDUCE_ARGS);
#include "steps.def"

#ifdef COURSE_CUDA
#define ON_GPU(launcher) launcher
#else
#define ON_GPU(launcher) NULL /* GPU libraries are not linked into a simt build */
#endif

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t reduce_student(REDUCE_ARGS) __attribute__((weak));

/* The longest chain of additions in a step: `serial` additions in one thread, then a tree. */
typedef struct how {
    reduce_gpu_fn gpu;
    reduce_cpu_fn cpu;
    size_t (*serial)(size_t n);
} how_t;

/* CPU steps add in double: at most one chain of n additions. */
static size_t all(size_t n) { return n; }
static size_t one(size_t n) { return n > 0; }
static size_t two(size_t n) { return n > 0 ? 2 : 0; }
static size_t eight_each_pass(size_t n) { return n > 2048 ? 8 * 3 : 8; }
/* For a grid that fills the GPU with at least 1024 threads per SM; each thread adds one element at a time. */
static size_t gpu_by_one(size_t n)
{
    int sms = 1;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    return n / ((size_t)sms * 1024) + 32;
}
/* The same if each thread adds at least two elements at a time. */
static size_t gpu(size_t n) { return gpu_by_one(n) / 2 + 16; }

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static int run_cpu(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const reduce_data_t *data = p->data;
    (void)state, (void)err;
    how->cpu(p->dtype, data->in, data->n, out);
    return 0;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const reduce_data_t *data = p->data;
    (void)state;
    return device_ok(how->gpu(p->dtype, data->d_in, data->n, out, data->d_sums, data->d_words, 0), s->id, err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const how_t *how = s->how;
    const reduce_data_t *data = p->data;
    const size_t depth = how->serial(data->n) + (size_t)ceil(log2((double)data->n + 1)) + 4;
    double tolerance = 0;
    if (!data->exact && how->cpu) /* summed in double, rounded once */
        tolerance = verify_tolerance(depth, DTYPE_F64, data->abs_sum) + dtype_roundoff(p->dtype) * data->abs_sum;
    else if (!data->exact)
        tolerance = verify_tolerance(depth, p->dtype, data->abs_sum);
    return verify_verdict(verify(out, p->dtype, 1, &data->sum, &tolerance), "sum", err_over_tol, err);
}

/* The check of a student's step: against the function that its exercise asks for (asked.h). */
static int check_student(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const reduce_data_t *data = p->data;
    const asked_t asked = asked_of_student();
    if (asked == ASKED_STEP) return check(s, p, out, err_over_tol, err);
    double *x = malloc((data->n + 1) * sizeof *x);
    if (!x) return err_set(err, "out of memory for %zu numbers", data->n);
    dtype_to_double(p->dtype, x, data->in, data->n);
    asked_numbers(asked, x, data->n);
    reduce_data_t other = *data;
    other.exact = false;
    other.sum = reference_sum(x, data->n, &other.abs_sum);
    free(x);
    problem_t of_other = *p;
    of_other.data = &other;
    return check(s, &of_other, out, err_over_tol, err);
}

static const char *skip_thrust_omp(const step_t *s, const problem_t *p)
{
    (void)s, (void)p;
    return reduce_thrust_omp_present() ? NULL : "built without Thrust's headers";
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_CPU = {.run = run_cpu, .check = check};
static const step_ops_t THRUST_OMP = {.skip = skip_thrust_omp, .run = run_cpu, .check = check};
static const step_ops_t ON_GPU = {.run = run, .check = check};
static const step_ops_t STUDENTS = {.run = run, .check = check_student};

#define CPU(id, name, idea, serial) {#id, STEP_CPU, idea, &ON_CPU, &(const how_t){NULL, reduce_cpu_##name, serial}},
#define CPU_PEER(id, idea, serial) {#id, STEP_CPU_PEER, idea, &THRUST_OMP, &(const how_t){NULL, reduce_##id, serial}},
#define STEP(id, idea, serial) {#id, STEP_GPU, idea, &ON_GPU, &(const how_t){reduce_##id, NULL, serial}},
#define PEER(id, idea, serial) {#id, STEP_GPU_PEER, idea, &ON_GPU, &(const how_t){ON_GPU(reduce_##id), NULL, serial}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own", &STUDENTS, &(const how_t){reduce_student, NULL, gpu}};

static const step_t *step(size_t i)
{
    return chapter_row(i, STEPS, sizeof STEPS / sizeof *STEPS, reduce_student ? &STUDENT : NULL, NULL);
}

const chapter_t REDUCE = {
    .name = "01_reduce",
    .doc = "The sum of n numbers: thirteen kernels from a naive tree to one that reads at the GPU's peak bandwidth.",
    .step = step,
};

/* ---- problems ------------------------------------------------------------------------------------ */

int reduce_open(problem_t *p, const reduce_spec_t *spec, err_t *err)
{
    const size_t size = dtype_size(spec->dtype), offset = spec->misalign * size;
    *p = (problem_t){.name = NULL};
    if (hostmem_fits((double)(sizeof(double) + size) * (double)spec->n, "a sum of that many numbers", err)) return -1;

    reduce_data_t *data = calloc(1, sizeof *data);
    double *x = malloc((spec->n + 1) * sizeof *x);
    *p = (problem_t){.name = NULL,
                     .dtype = spec->dtype,
                     .bytes = reduce_bytes(spec->n, spec->dtype),
                     .reads_only = true,
                     .cpu = spec->cpu,
                     .gpu = spec->gpu,
                     .out_bytes = size,
                     .data = data};
    if (!data || !x) {
        err_set(err, "out of memory for %zu numbers", spec->n);
        goto fail;
    }
    snprintf(data->name, sizeof data->name, "n=%zu%s", spec->n, spec->exact ? " exact" : "");
    p->name = data->name;
    data->n = spec->n;
    data->exact = spec->exact;

    matgen_vector(x, spec->n, spec->seed, spec->exact);
    if (spec->exact) { /* at most 2^20 numbers of at most 8: all sums are exact in fp32, in any order */
        const size_t every = spec->n / (1u << 20) + 1;
        for (size_t i = 0; i < spec->n; ++i)
            if (i % every) x[i] = 0;
    } else { /* positive: the error bound is then relative to the sum */
        for (size_t i = 0; i < spec->n; ++i) x[i] = fabs(dtype_round(spec->dtype, x[i]));
    }
    data->sum = reference_sum(x, spec->n, &data->abs_sum);

    data->memory = aligned_alloc(64, (offset + (spec->n + 1) * size + 63) / 64 * 64);
    if (!data->memory) {
        err_set(err, "out of memory for %zu numbers", spec->n);
        goto fail;
    }
    data->in = (char *)data->memory + offset;
    dtype_from_double(spec->dtype, data->in, x, spec->n);
    free(x);
    x = NULL;

    if (spec->gpu) {
        data->d_memory = device_alloc(offset + spec->n * size, "d_in", err);
        data->d_sums = device_alloc(reduce_sums_count(spec->n) * size, "d_sums", err);
        data->d_words = device_alloc(REDUCE_WORDS * sizeof *data->d_words, "d_words", err);
        if (!data->d_memory || !data->d_sums || !data->d_words) goto fail;
        if (device_ok(cudaMemset(data->d_words, 0, REDUCE_WORDS * sizeof *data->d_words), "d_words", err)) goto fail;
        data->d_in = (char *)data->d_memory + offset;
        if (device_ok(cudaMemcpy(data->d_in, data->in, spec->n * size, cudaMemcpyHostToDevice), "d_in", err)) goto fail;
    }
    return 0;
fail:
    free(x);
    reduce_close(p);
    return -1;
}

void reduce_close(problem_t *p)
{
    reduce_data_t *data = (reduce_data_t *)p->data;
    if (!data) return;
    free(data->memory);
    device_free(data->d_memory);
    device_free(data->d_sums);
    device_free(data->d_words);
    free(data);
    p->data = NULL;
}
