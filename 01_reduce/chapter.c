/* 01_reduce - the table of steps, what the harness needs to run and judge them, and the problems. */
#include "reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostmem.h"
#include "matgen.h"

#ifdef COURSE_CUDA
#define ON_CARD(launcher) launcher
#else
#define ON_CARD(launcher) NULL /* libraries for the card are not linked into a simt build */
#endif

/* A learner's own step, there only when built with STUDENT=file.cu. */
cudaError_t reduce_student(REDUCE_ARGS) __attribute__((weak));

/* Terms in the longest chain of additions a step makes: `serial` of them in one thread, and a tree. */
typedef struct reduce_step {
    step_t step;
    reduce_gpu_fn gpu;
    reduce_cpu_fn cpu;
    size_t (*serial)(size_t n);
} reduce_step_t;

/* CPU steps add in double: one chain of n, with room to spare. */
static size_t all(size_t n) { return n; }
static size_t one(size_t n) { return n > 0; }
static size_t two(size_t n) { return n > 0 ? 2 : 0; }
static size_t eight_each_pass(size_t n) { return n > 2048 ? 8 * 3 : 8; }
/* A grid that fills the card, 1024 threads an SM or more, each lane adding one at a time, ... */
static size_t card_by_one(size_t n)
{
    int sms = 1;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    return n / ((size_t)sms * 1024) + 32;
}
/* ... or at least two at a time. */
static size_t card(size_t n) { return card_by_one(n) / 2 + 16; }

static const reduce_step_t STEPS[] = {
    {{"c1", STEP_CPU, "one accumulator"}, .cpu = reduce_cpu_serial, .serial = all},
    {{"c2", STEP_CPU, "eight accumulators"}, .cpu = reduce_cpu_accumulators, .serial = all},
    {{"c3", STEP_CPU, "SIMD, eight vectors"}, .cpu = reduce_cpu_simd, .serial = all},
    {{"c4", STEP_CPU, "OpenMP, each thread as c3"}, .cpu = reduce_cpu_openmp, .serial = all},
    {{"thrust_omp", STEP_CPU_PEER, "thrust::reduce, OpenMP back end"}, .cpu = reduce_thrust_omp, .serial = all},
    {{"v1", STEP_GPU, "interleaved pairs by modulo"}, .gpu = reduce_v1, .serial = one},
    {{"v2", STEP_GPU, "interleaved pairs, neighbouring threads"}, .gpu = reduce_v2, .serial = one},
    {{"v3", STEP_GPU, "sequential addressing"}, .gpu = reduce_v3, .serial = one},
    {{"v4", STEP_GPU, "first add during load"}, .gpu = reduce_v4, .serial = two},
    {{"v5", STEP_GPU, "last warp on its own"}, .gpu = reduce_v5, .serial = two},
    {{"v6", STEP_GPU, "fully unrolled (template)"}, .gpu = reduce_v6, .serial = two},
    {{"v7", STEP_GPU, "8 per thread, contiguous"}, .gpu = reduce_v7, .serial = eight_each_pass},
    {{"v8", STEP_GPU, "8 per thread, a block apart"}, .gpu = reduce_v8, .serial = eight_each_pass},
    {{"v9", STEP_GPU, "warp shuffles"}, .gpu = reduce_v9, .serial = eight_each_pass},
    {{"v10", STEP_GPU, "a grid sized to the card"}, .gpu = reduce_v10, .serial = card_by_one},
    {{"v11", STEP_GPU, "16-byte loads"}, .gpu = reduce_v11, .serial = card},
    {{"v12", STEP_GPU, "one launch: the last block finishes"}, .gpu = reduce_v12, .serial = card},
    {{"v13", STEP_GPU, "a sum that carries its own flag"}, .gpu = reduce_v13, .serial = card},
    {{"student", STEP_GPU, "your own"}, .gpu = reduce_student, .serial = card},
    {{"thrust", STEP_GPU_PEER, "thrust::reduce"}, .gpu = ON_CARD(reduce_thrust), .serial = card},
    {{"cub", STEP_GPU_PEER, "cub::DeviceReduce::Sum"}, .gpu = ON_CARD(reduce_cub), .serial = card},
};

static const step_t *step(size_t i)
{
    for (size_t k = 0; k < sizeof STEPS / sizeof *STEPS; ++k) {
        if (strcmp(STEPS[k].step.id, "student") == 0 && !reduce_student) continue;
        if (i-- == 0) return &STEPS[k].step;
    }
    return NULL;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const reduce_step_t *r = (const reduce_step_t *)s;
    const reduce_data_t *data = p->data;
    if (r->cpu) {
        r->cpu(p->dtype, data->in, data->n, out);
        return 0;
    }
    (void)state;
    return device_ok(r->gpu(p->dtype, data->d_in, data->n, out, data->d_sums, data->d_words, 0), s->id, err);
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const reduce_step_t *r = (const reduce_step_t *)s;
    const reduce_data_t *data = p->data;
    const size_t depth = r->serial(data->n) + (size_t)ceil(log2((double)data->n + 1)) + 4;
    double tolerance = 0;
    if (!data->exact && r->cpu) /* summed in double, rounded once */
        tolerance = verify_tolerance(depth, DTYPE_F64, data->abs_sum) + dtype_roundoff(p->dtype) * data->abs_sum;
    else if (!data->exact)
        tolerance = verify_tolerance(depth, p->dtype, data->abs_sum);
    const verify_result_t v = verify(out, p->dtype, 1, &data->sum, &tolerance);
    *err_over_tol = v.err_over_tol;
    if (v.ok) return 0;
    char text[200];
    verify_describe(&v, "sum", text, sizeof text);
    return err_set(err, "%s", text);
}

static const char *skip(const step_t *s, const problem_t *p)
{
    (void)p;
    const reduce_step_t *r = (const reduce_step_t *)s;
    return r->cpu == reduce_thrust_omp && !reduce_thrust_omp_present() ? "built without Thrust's headers" : NULL;
}

const chapter_t REDUCE = {
    .name = "01_reduce",
    .doc = "The sum of n numbers: thirteen kernels from a naive tree to one that reads as fast as the card can.",
    .step = step, .skip = skip, .run = run, .check = check,
};

/* ---- problems ------------------------------------------------------------------------------------ */

int reduce_open(problem_t *p, const reduce_spec_t *spec, err_t *err)
{
    const size_t size = dtype_size(spec->dtype), offset = spec->misalign * size;
    *p = (problem_t){.name = NULL};
    if (hostmem_fits((double)(sizeof(double) + size) * (double)spec->n, "a sum of that many numbers", err)) return -1;

    reduce_data_t *data = calloc(1, sizeof *data);
    double *x = malloc((spec->n + 1) * sizeof *x);
    *p = (problem_t){.name = NULL, .dtype = spec->dtype, .bytes = reduce_bytes(spec->n, spec->dtype), .reads_only = true,
                     .cpu = spec->cpu, .gpu = spec->gpu, .out_bytes = size, .data = data};
    if (!data || !x) {
        err_set(err, "out of memory for %zu numbers", spec->n);
        goto fail;
    }
    snprintf(data->name, sizeof data->name, "n=%zu%s", spec->n, spec->exact ? " exact" : "");
    p->name = data->name;
    data->n = spec->n;
    data->exact = spec->exact;

    matgen_vector(x, spec->n, spec->seed, spec->exact);
    if (spec->exact) { /* at most 2^20 numbers of at most 8: every sum of them, in any order, is exact in fp32 */
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
