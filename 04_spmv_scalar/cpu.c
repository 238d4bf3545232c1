/* cpu.c - the table of CPU steps, and their callbacks of the harness; see cpu.h */
#include "cpu.h"

#include <stdio.h>

#include "cpu_steps.h"
#include "formats.h"
#include "spmv_mkl.h"

/* The processor features that a step needs. */
typedef enum cpu_needs { ANY, NEON, AVX2, AVX512 } cpu_needs_t;

typedef struct how {
    spmv_scalar_cpu_fn run;
    cpu_needs_t needs;
    size_t chains; /* a row's sum consists of at least that many chains of additions */
    spmv_scalar_cpu_open_fn open; /* NULL: the step uses CSR */
    void (*close)(void *format);
} how_t;

/* ---- callbacks of the harness ------------------------------------------------------------------- */

static bool here(cpu_needs_t needs)
{
    switch (needs) {
    case NEON: return spmv_scalar_neon_built;
#ifdef __x86_64__
    case AVX2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case AVX512: return __builtin_cpu_supports("avx512f");
#else
    case AVX2:
    case AVX512: return false;
#endif
    default: return true;
    }
}

static const char *skip(const step_t *s, const problem_t *p)
{
    static const char *const NEEDS[] = {"", "needs NEON, or SIMDe 0.7.4 to build it without",
                                        "needs a processor with AVX2 and FMA", "needs a processor with AVX-512"};
    const how_t *how = s->how;
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    return here(how->needs) ? NULL : NEEDS[how->needs];
}

static double threshold_of(const spmv_data_t *data)
{
    const spmv_scalar_options_t *options = data->options;
    return options ? options->csrl_threshold : SPMV_SCALAR_CSRL_THRESHOLD;
}

static int setup(const step_t *s, const problem_t *p, void **state, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    return how->open ? how->open(&data->A, &data->host, threshold_of(data), state, err) : 0;
}

static int run(const step_t *s, const problem_t *p, void *state, void *out, err_t *err)
{
    const how_t *how = s->how;
    const spmv_data_t *data = p->data;
    (void)err;
    how->run(&data->host, data->x, out, state);
    return 0;
}

static void teardown(const step_t *s, const problem_t *p, void *state)
{
    const how_t *how = s->how;
    (void)p;
    if (how->close) how->close(state);
}

size_t spmv_scalar_cpu_depth(size_t length, const void *step)
{
    enum { ENDS_AND_TREE = 7 + 4, LONGEST_OF_A_LIBRARY = 1024 };
    const step_t *s = step;
    const how_t *how = s->how;
    if (s->kind == STEP_CPU_PEER) return length < LONGEST_OF_A_LIBRARY ? length : LONGEST_OF_A_LIBRARY;
    return how->chains > 1 ? length / how->chains + ENDS_AND_TREE : length;
}

static int check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err)
{
    return spmv_judge(p, out, spmv_scalar_cpu_depth, s, err_over_tol, err);
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const step_ops_t ON_CPU = {.skip = skip, .setup = setup, .teardown = teardown, .run = run, .check = check};

#define CPU(id, name, idea, needs, chains) \
    {id, STEP_CPU, idea, &ON_CPU, &(const how_t){spmv_scalar_##name, needs, chains, NULL, NULL}},
#define FORMAT(id, name, idea, made) \
    {id, STEP_CPU, idea, &ON_CPU, \
     &(const how_t){spmv_scalar_##name, ANY, 1, spmv_scalar_##made##_open, spmv_scalar_##name##_close}},
static const step_t STEPS[] = {
#include "cpu_steps.def"
};

const step_t *spmv_scalar_cpu_step(size_t i)
{
    enum { COUNT = sizeof STEPS / sizeof *STEPS };
    static step_t optimized;
    if (i < COUNT) return &STEPS[i];
    const step_t *row = spmv_mkl(i - COUNT);
    if (i - COUNT != 1) return row;
    optimized = *row; /* under the name that it has in this chapter */
    optimized.id = "mkl_optimized";
    optimized.idea = "MKL after hint and optimize";
    return &optimized;
}

void spmv_scalar_cpu_describe(const char *name, const csr_t *A)
{
    const double nnz = (double)A->nnz, runs = (double)csr_nzseg(A), offsets = 4 * ((double)A->rows + 1);
    if (A->nnz)
        fprintf(stderr, "%s: nzseg/nnz %.2f; CSRL holds %.0f %% of CSR's bytes (fp32)\n", name, runs / nnz,
                100 * (4 * nnz + 8 * runs + offsets) / (8 * nnz + offsets));
}
