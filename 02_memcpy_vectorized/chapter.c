/* 02_memcpy_vectorized - the table of steps, the callbacks of the harness, and the problems. */
#include "copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostmem.h"
#include "rng.h"

/* The steps and the library baselines.  They are declared here because every step includes chapter.h. */
#define CPU(id, name, ...) void memcpy_cpu_##name(MEMCPY_CPU_ARGS);
#define STEP(id, ...) cudaError_t memcpy_##id(MEMCPY_ARGS);
#define PEER(id, ...) cudaError_t memcpy_##id(MEMCPY_ARGS);
#include "steps.def"

#ifdef COURSE_CUDA
#define ON_GPU(launcher) launcher
#else
#define ON_GPU(launcher) NULL /* the driver's own copy is not linked into a simt build */
#endif

/* A student's step, which exists only in a build with STUDENT=file.cu. */
cudaError_t memcpy_student(MEMCPY_ARGS) __attribute__((weak));

typedef struct how {
    memcpy_gpu_fn gpu;
    memcpy_cpu_fn cpu;
} how_t;

static void libc_memcpy(MEMCPY_CPU_ARGS)
{
    (void)unit_bytes;
    memcpy(to, from, bytes);
}

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static int run_cpu(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const copy_data_t *data = p->data;
    (void)state, (void)err;
    how->cpu((char *)out + data->target, data->in, data->bytes, data->unit_bytes);
    return 0;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const copy_data_t *data = p->data;
    (void)state;
    return device_ok(how->gpu((char *)out + data->target, data->d_in, data->bytes, data->unit_bytes, 0), s->id, err);
}

/* Checks that every byte is equal and the bytes before the target are unchanged (the harness checks those after it). */
static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const copy_data_t *data = p->data;
    const unsigned char *got = (const unsigned char *)out + data->target;
    (void)s;
    if (!verify_untouched(out, data->target)) return err_set(err, "wrote before the start of the target");
    if (memcmp(got, data->in, data->bytes)) {
        size_t i = 0;
        while (got[i] == data->in[i]) ++i;
        return err_set(err, "byte %zu of %zu: got 0x%02x, expected 0x%02x", i, data->bytes, got[i], data->in[i]);
    }
    *err_over_tol = 0;
    return 0;
}

/* The check of a student's step: against the bytes that its exercise asks for (asked.h). */
static int check_student(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    const copy_data_t *data = p->data;
    const asked_t asked = asked_of_student();
    if (asked == ASKED_STEP) return check(s, p, out, err_over_tol, err);
    copy_data_t other = *data;
    other.in = malloc(data->bytes + 1);
    if (!other.in) return err_set(err, "out of memory for %zu bytes", data->bytes);
    memcpy(other.in, data->in, data->bytes);
    asked_bytes(asked, other.in, data->bytes);
    problem_t of_other = *p;
    of_other.data = &other;
    const int failed = check(s, &of_other, out, err_over_tol, err);
    free(other.in);
    return failed;
}

static const char *skip_without_engine(const step_t *s, const problem_t *p)
{
    int major = 0;
    (void)s, (void)p;
    if (strcmp(device_backend(), "cuda") != 0) return "needs a CUDA device: the bulk copy engine is not modelled";
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    return major < 9 ? "needs sm_90: older GPUs have no bulk copy engine" : NULL;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_CPU = {.run = run_cpu, .check = check};
static const step_ops_t ANY_GPU = {.run = run, .check = check};
static const step_ops_t STUDENTS = {.run = run, .check = check_student};
static const step_ops_t BULK_ENGINE = {.skip = skip_without_engine, .run = run, .check = check};

#define CPU(id, name, idea) {#id, STEP_CPU, idea, &ON_CPU, &(const how_t){.cpu = memcpy_cpu_##name}},
#define CPU_PEER(id, idea) {#id, STEP_CPU_PEER, idea, &ON_CPU, &(const how_t){.cpu = libc_##id}},
#define STEP(id, idea, needs) {#id, STEP_GPU, idea, &needs, &(const how_t){.gpu = memcpy_##id}},
#define PEER(id, idea) {#id, STEP_GPU_PEER, idea, &ANY_GPU, &(const how_t){.gpu = ON_GPU(memcpy_##id)}},
static const step_t STEPS[] = {
#include "steps.def"
};
static const step_t STUDENT = {"student", STEP_GPU, "your own step", &STUDENTS, &(const how_t){.gpu = memcpy_student}};

static const step_t *step(size_t i)
{
    return chapter_row(i, STEPS, sizeof STEPS / sizeof *STEPS, memcpy_student ? &STUDENT : NULL, NULL);
}

const chapter_t MEMCPY = {
    .name = "02_memcpy_vectorized",
    .doc =
        "A copy within GPU memory: from one unit per thread to any size and alignment at the speed of the memory.",
    .step = step,
};

/* ---- problems ------------------------------------------------------------------------------------ */

/* The `dtype` in the results file: a value type with that many bytes.  For a copy only the size matters. */
static dtype_t unit_type(size_t unit_bytes)
{
    return unit_bytes == 1 ? DTYPE_I8 : unit_bytes == 2 ? DTYPE_F16 : unit_bytes == 4 ? DTYPE_F32 : DTYPE_F64;
}

/* Random bytes other than 0xFF, the value of unwritten bytes of the output. */
static void fill(unsigned char *in, size_t bytes, uint64_t seed)
{
#pragma omp parallel for
    for (size_t i = 0; i < bytes; i += 8) {
        rng_t r = rng_stream(seed, 2, i);
        const uint64_t random = rng_next(&r), word = random & ~(random >> 7 & 0x0101010101010101u);
        memcpy(in + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

static void name_case(copy_data_t *data, const copy_spec_t *spec)
{
    const int length = spec->name ? snprintf(data->name, sizeof data->name, "%s", spec->name)
                                  : snprintf(data->name, sizeof data->name, "%zux%zu", spec->bytes / spec->unit_bytes,
                                             spec->unit_bytes);
    if (spec->name || (spec->misalign_from == 0 && spec->misalign_to == 0)) return;
    snprintf(data->name + length, sizeof data->name - (size_t)length, "/from+%zu/to+%zu", spec->misalign_from,
             spec->misalign_to);
}

int copy_open(problem_t *p, const copy_spec_t *spec, err_t *err)
{
    const size_t source_bytes = spec->misalign_from + spec->bytes;
    copy_data_t *data = calloc(1, sizeof *data);
    *p = (problem_t){.dtype = unit_type(spec->unit_bytes), .bytes = memcpy_bytes(spec->bytes), .cpu = spec->cpu,
                     .gpu = spec->gpu, .out_bytes = COPY_MARGIN + spec->misalign_to + spec->bytes, .data = data};
    if (!data) return err_set(err, "out of memory");
    name_case(data, spec);
    p->name = data->name;
    data->bytes = spec->bytes;
    data->unit_bytes = spec->unit_bytes;
    data->target = COPY_MARGIN + spec->misalign_to;

    /* the source, the copy of the output that the harness checks, and on the CPU the output itself */
    if (hostmem_fits((spec->cpu ? 3.0 : 2.0) * (double)spec->bytes, "a copy of that size, and its check,", err))
        goto fail;
    data->memory = aligned_alloc(64, (source_bytes + 64) / 64 * 64);
    if (!data->memory) {
        err_set(err, "out of memory for %zu bytes", spec->bytes);
        goto fail;
    }
    data->in = (unsigned char *)data->memory + spec->misalign_from;
    fill(data->in, spec->bytes, spec->seed);

    if (spec->gpu) { /* of exact size, so that the simulator detects any access out of bounds */
        data->d_memory = device_alloc(source_bytes, "d_from", err);
        if (!data->d_memory) goto fail;
        data->d_in = (unsigned char *)data->d_memory + spec->misalign_from;
        if (device_ok(cudaMemcpy(data->d_in, data->in, spec->bytes, cudaMemcpyHostToDevice), "d_from", err)) goto fail;
    }
    return 0;
fail:
    copy_close(p);
    return -1;
}

void copy_close(problem_t *p)
{
    copy_data_t *data = (copy_data_t *)p->data;
    if (!data) return;
    free(data->memory);
    device_free(data->d_memory);
    free(data);
    p->data = NULL;
}
