/* 02_memcpy_vectorized - the table of steps, what the harness needs to run and judge them, and the problems. */
#include "copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostmem.h"
#include "rng.h"

#ifdef COURSE_CUDA
#define ON_CARD(launcher) launcher
#else
#define ON_CARD(launcher) NULL /* the driver's own copy is not linked into a simt build */
#endif

/* A learner's own step, there only when built with STUDENT=file.cu. */
cudaError_t memcpy_student(MEMCPY_ARGS) __attribute__((weak));

typedef struct copy_step {
    step_t step;
    memcpy_gpu_fn gpu;
    memcpy_cpu_fn cpu;
    bool bulk; /* needs the bulk copy engine */
} copy_step_t;

static void libc_memcpy(void *to, const void *from, size_t bytes, size_t unit_bytes)
{
    (void)unit_bytes;
    memcpy(to, from, bytes);
}

static const copy_step_t STEPS[] = {
    {{"c1", STEP_CPU, "one unit a turn"}, .cpu = memcpy_cpu_loop},
    {{"c2", STEP_CPU, "SIMD, 16 bytes an instruction"}, .cpu = memcpy_cpu_simd},
    {{"c3", STEP_CPU, "stores that pass the caches by"}, .cpu = memcpy_cpu_nontemporal},
    {{"c4", STEP_CPU, "OpenMP, each thread as c3"}, .cpu = memcpy_cpu_openmp},
    {{"memcpy", STEP_CPU_PEER, "memcpy of the C library"}, .cpu = libc_memcpy},
    {{"v1", STEP_GPU, "one unit per thread"}, .gpu = memcpy_v1},
    {{"v2", STEP_GPU, "through shared memory (loses)"}, .gpu = memcpy_v2},
    {{"v3", STEP_GPU, "4 bytes per thread"}, .gpu = memcpy_v3},
    {{"v4", STEP_GPU, "8 bytes per thread"}, .gpu = memcpy_v4},
    {{"v5", STEP_GPU, "16 bytes per thread"}, .gpu = memcpy_v5},
    {{"v6", STEP_GPU, "4 vectors in flight, grid sized to the card"}, .gpu = memcpy_v6},
    {{"v7", STEP_GPU, "streaming hints"}, .gpu = memcpy_v7},
    {{"v8", STEP_GPU, "head peeled off, where both addresses are alike"}, .gpu = memcpy_v8},
    {{"v9", STEP_GPU, "any alignment: source realigned in registers"}, .gpu = memcpy_v9},
    {{"v10", STEP_GPU, "the way out by the bulk copy engine"}, .gpu = memcpy_v10, .bulk = true},
    {{"v11", STEP_GPU, "in and out by the engine, a tile at a time"}, .gpu = memcpy_v11, .bulk = true},
    {{"v12", STEP_GPU, "the engine, several chunks on their way"}, .gpu = memcpy_v12, .bulk = true},
    {{"v13", STEP_GPU, "a shape for each size"}, .gpu = memcpy_v13},
    {{"v14", STEP_GPU, "hints for each size, too"}, .gpu = memcpy_v14},
    {{"v15", STEP_GPU, "nothing but the copy, small blocks"}, .gpu = memcpy_v15},
    {{"v16", STEP_GPU, "nothing but the copy, a shape for each size"}, .gpu = memcpy_v16},
    {{"official", STEP_GPU_PEER, "cudaMemcpyAsync"}, .gpu = ON_CARD(memcpy_official)},
    {{"student", STEP_GPU, "your own step"}, .gpu = memcpy_student}, /* the last: see step() */
};

static const step_t *step(size_t i)
{
    const size_t count = sizeof STEPS / sizeof *STEPS - (STEPS[sizeof STEPS / sizeof *STEPS - 1].gpu == NULL);
    return i < count ? &STEPS[i].step : NULL;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const copy_step_t *c = (const copy_step_t *)s;
    const copy_data_t *data = p->data;
    void *to = (char *)out + data->target;
    (void)state;
    if (c->cpu) {
        c->cpu(to, data->in, data->bytes, data->unit_bytes);
        return 0;
    }
    return device_ok(c->gpu(to, data->d_in, data->bytes, data->unit_bytes, 0), s->id, err);
}

/* Every byte equal, and those before the target still poisoned (the harness looks at those after it). */
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

static const char *skip(const step_t *s, const problem_t *p)
{
    (void)p;
    const copy_step_t *c = (const copy_step_t *)s;
    int major = 0;
    if (!c->bulk) return NULL;
    if (strcmp(device_backend(), "cuda") != 0) return "needs a CUDA device: the bulk copy engine is not modelled";
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    return major < 9 ? "needs sm_90: older cards have no bulk copy engine" : NULL;
}

const chapter_t MEMCPY = {
    .name = "02_memcpy_vectorized",
    .doc = "A copy within the card's memory: from one unit per thread to any size and alignment at the speed of the memory.",
    .step = step, .skip = skip, .run = run, .check = check,
};

/* ---- problems ------------------------------------------------------------------------------------ */

/* The record's `dtype`: a value type with that many bytes.  A copy does not look at what the bytes mean. */
static dtype_t unit_type(size_t unit_bytes)
{
    return unit_bytes == 1 ? DTYPE_I8 : unit_bytes == 2 ? DTYPE_F16 : unit_bytes == 4 ? DTYPE_F32 : DTYPE_F64;
}

/* Random bytes.  None is 0xFF, which an unwritten byte of the output is. */
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

    /* the source, the copy of the output that the harness judges, and on the CPU the output itself */
    if (hostmem_fits((spec->cpu ? 3.0 : 2.0) * (double)spec->bytes, "a copy of that size, and its check,", err)) goto fail;
    data->memory = aligned_alloc(64, (source_bytes + 64) / 64 * 64);
    if (!data->memory) {
        err_set(err, "out of memory for %zu bytes", spec->bytes);
        goto fail;
    }
    data->in = (unsigned char *)data->memory + spec->misalign_from;
    fill(data->in, spec->bytes, spec->seed);

    if (spec->gpu) { /* exactly as long as it has to be: on simt a byte more or less is out of bounds */
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
