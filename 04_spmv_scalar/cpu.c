/* cpu.c - the table of CPU steps, and what the harness needs to run them; see cpu.h */
#include "cpu.h"

#include <stdio.h>

#include "cpu_steps.h"
#include "formats.h"
#include "peer_mkl.h"

/* What a processor must have for a step. */
typedef enum cpu_needs { ANY, NEON, AVX2, AVX512 } cpu_needs_t;

typedef enum matrix_form { CSR, CSRL, BCOO_8, BCOO_16, MIXED } matrix_form_t;

typedef struct cpu_step {
    step_t step;
    spmv_scalar_cpu_fn run;
    cpu_needs_t needs;
    matrix_form_t form;
    size_t chains; /* a row's sum is at least that many chains of additions; 0: one */
    bool mkl, optimize;
} cpu_step_t;

static const cpu_step_t STEPS[] = {
    {{"c1", STEP_CPU, "one core, row by row (-O3, as all)"}, .run = spmv_scalar_naive_course},
    {{"c1/O0", STEP_CPU, "c1 with -O0"}, .run = spmv_scalar_naive_O0},
    {{"c1/O1", STEP_CPU, "c1 with -O1"}, .run = spmv_scalar_naive_O1},
    {{"c1/O2", STEP_CPU, "c1 with -O2"}, .run = spmv_scalar_naive_O2},
    {{"c1/avx2", STEP_CPU, "c1 with -O3 -mavx2 -mfma"}, .run = spmv_scalar_naive_avx2, .needs = AVX2},
    {{"c1/avx512", STEP_CPU, "c1 with -O3 -mavx512f"}, .run = spmv_scalar_naive_avx512, .needs = AVX512},
    {{"c1/fast", STEP_CPU, "c1 with -O3 -ffast-math"}, .run = spmv_scalar_naive_fast},
    {{"c1/fast-avx2", STEP_CPU, "c1 with -O3 -ffast-math -mavx2 -mfma"},
     .run = spmv_scalar_naive_fast_avx2, .needs = AVX2},
    {{"c1/fast-avx512", STEP_CPU, "c1 with -O3 -ffast-math -mavx512f"},
     .run = spmv_scalar_naive_fast_avx512, .needs = AVX512},
    {{"c2", STEP_CPU, "unrolled by four"}, .run = spmv_scalar_unrolled, .chains = 4},
    {{"c3", STEP_CPU, "NEON, x entry by entry"}, .run = spmv_scalar_neon, .needs = NEON, .chains = 4},
    {{"c4", STEP_CPU, "SIMD, the widest that is here"}, .run = spmv_scalar_widest, .chains = 4},
    {{"c4/avx2", STEP_CPU, "AVX2, x by gathers"}, .run = spmv_scalar_avx2, .needs = AVX2, .chains = 4},
    {{"c4/avx512", STEP_CPU, "AVX-512, x by gathers, masked ends"},
     .run = spmv_scalar_avx512, .needs = AVX512, .chains = 8},
    {{"c5", STEP_CPU, "OpenMP, equal stretches of rows"}, .run = spmv_scalar_static},
    {{"c6/1", STEP_CPU, "OpenMP, the next row to who is free"}, .run = spmv_scalar_dynamic_1},
    {{"c6/64", STEP_CPU, "OpenMP, the next 64 rows to who is free"}, .run = spmv_scalar_dynamic_64},
    {{"c6/1024", STEP_CPU, "OpenMP, the next 1024 rows to who is free"}, .run = spmv_scalar_dynamic_1024},
    {{"c7", STEP_CPU, "OpenMP, rows cut by nonzeros"}, .run = spmv_scalar_by_nonzeros},
    {{"c8", STEP_CPU, "CSRL: runs of columns (set-up)"}, .run = spmv_scalar_csrl, .form = CSRL},
    {{"c9/8", STEP_CPU, "blocked COO, 8-bit indices (set-up)"}, .run = spmv_scalar_bcoo, .form = BCOO_8},
    {{"c9/16", STEP_CPU, "blocked COO, 16-bit indices (set-up)"}, .run = spmv_scalar_bcoo, .form = BCOO_16},
    {{"c10", STEP_CPU, "CSR or CSRL, part by part (set-up)"}, .run = spmv_scalar_mixed, .form = MIXED},
    {{"mkl", STEP_CPU_PEER, "MKL, CSR as it is"}, .mkl = true},
    {{"mkl_optimized", STEP_CPU_PEER, "MKL after hint and optimize"}, .mkl = true, .optimize = true},
};
enum { STEPS_COUNT = sizeof STEPS / sizeof *STEPS };

/* Set-up and end by form; CSR has none. */
static const struct {
    int (*open)(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err);
    void (*close)(void *format);
} FORMS[] = {
    [CSRL] = {spmv_scalar_csrl_open, spmv_scalar_csrl_close},
    [BCOO_8] = {spmv_scalar_bcoo8_open, spmv_scalar_bcoo_close},
    [BCOO_16] = {spmv_scalar_bcoo16_open, spmv_scalar_bcoo_close},
    [MIXED] = {spmv_scalar_mixed_open, spmv_scalar_mixed_close},
};

const step_t *spmv_scalar_cpu_step(size_t i) { return i < STEPS_COUNT ? &STEPS[i].step : NULL; }

bool spmv_scalar_cpu_is(const step_t *s)
{
    for (size_t i = 0; i < STEPS_COUNT; ++i)
        if (s == &STEPS[i].step) return true;
    return false;
}

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

const char *spmv_scalar_cpu_skip(const step_t *base, const problem_t *p)
{
    static const char *const NEEDS[] = {"", "needs NEON, or SIMDe 0.7.4 to build it without",
                                        "needs a processor with AVX2 and FMA", "needs a processor with AVX-512"};
    const cpu_step_t *s = (const cpu_step_t *)base;
    const spmv_data_t *data = p->data;
    if (p->dtype != DTYPE_F32 && p->dtype != DTYPE_F64) return "fp32 and fp64 only";
    if (!here(s->needs)) return NEEDS[s->needs];
    if (s->mkl && data->host.offset_bits != 32) return "32-bit offsets only";
    if (s->mkl && (data->host.rows == 0 || data->host.cols == 0)) return "MKL takes no empty matrix";
    return s->mkl ? spmv_mkl_missing() : NULL;
}

static double threshold_of(const spmv_data_t *data)
{
    const spmv_scalar_options_t *options = data->options;
    return options ? options->csrl_threshold : SPMV_SCALAR_CSRL_THRESHOLD;
}

int spmv_scalar_cpu_setup(const step_t *base, const problem_t *p, void **state, err_t *err)
{
    const cpu_step_t *s = (const cpu_step_t *)base;
    const spmv_data_t *data = p->data;
    if (s->mkl) return spmv_mkl_setup(&data->host, s->optimize, state, err);
    if (s->form == CSR) return 0;
    return FORMS[s->form].open(&data->A, &data->host, threshold_of(data), state, err);
}

int spmv_scalar_cpu_run(const step_t *base, const problem_t *p, void *state, void *out, err_t *err)
{
    const cpu_step_t *s = (const cpu_step_t *)base;
    const spmv_data_t *data = p->data;
    if (s->mkl) return spmv_mkl_run(state, data->x, out, err);
    s->run(&data->host, data->x, out, state);
    return 0;
}

void spmv_scalar_cpu_teardown(const step_t *base, const problem_t *p, void *state)
{
    const cpu_step_t *s = (const cpu_step_t *)base;
    (void)p;
    if (s->mkl) spmv_mkl_teardown(state);
    else FORMS[s->form].close(state);
}

size_t spmv_scalar_cpu_depth(size_t length, const void *step)
{
    enum { ENDS_AND_TREE = 7 + 4, LONGEST_OF_A_LIBRARY = 1024 };
    const cpu_step_t *s = step;
    if (s->mkl) return length < LONGEST_OF_A_LIBRARY ? length : LONGEST_OF_A_LIBRARY;
    return s->chains ? length / s->chains + ENDS_AND_TREE : length;
}

void spmv_scalar_cpu_describe(const char *name, const csr_t *A)
{
    const double nnz = (double)A->nnz, runs = (double)csr_nzseg(A), offsets = 4 * ((double)A->rows + 1);
    if (A->nnz)
        fprintf(stderr, "%s: nzseg/nnz %.2f; CSRL holds %.0f %% of CSR's bytes (fp32)\n", name, runs / nnz,
                100 * (4 * nnz + 8 * runs + offsets) / (8 * nnz + offsets));
}
