/* experiments.c - --sweep and --experiment 1 for CPU steps: numbers of threads, and when CSRL pays; see cpu.h */
#include <omp.h>
#include <stdio.h>

#include "cpu.h"

/* One type is enough for a curve: fp64 unless --dtype says otherwise. */
static spmv_session_t one_type(const spmv_session_t *s, options_t *o)
{
    spmv_session_t one = *s;
    *o = *s->o;
    if (!o->dtype_set) o->dtype = DTYPE_F64;
    o->dtype_set = true;
    one.o = o;
    return one;
}

int spmv_scalar_cpu_sweep(const spmv_session_t *s)
{
    static const char *const MATRICES[] = {"stencil27:80,80,80", "webbase-1M"};
    const int most = omp_get_max_threads();
    options_t o;
    const spmv_session_t one = one_type(s, &o);
    for (size_t i = 0; i < sizeof MATRICES / sizeof *MATRICES; ++i)
        for (int threads = 1; threads <= most; threads = threads < most && 2 * threads > most ? most : 2 * threads) {
            err_t err;
            char name[SPMV_NAME], full[SPMV_NAME + 24];
            csr_t *A = spmv_matrix_of_suite(MATRICES[i], o.seed, name, &err);
            snprintf(full, sizeof full, "%s:threads=%d", name, threads);
            omp_set_num_threads(threads);
            const int failed = spmv_session_rows(&one, A, full, 0, true, false, &err);
            omp_set_num_threads(most);
            if (failed) return failed;
        }
    return 0;
}

/* ---- when CSRL pays ---------------------------------------------------------------------------- */

int spmv_scalar_csrl_experiment(const spmv_session_t *s)
{
    /* equal: a loop that is left after the same number of turns is predicted, near: x is in the first cache;
     * random: runs of any length; far: x from anywhere; halves: one matrix, two halves that want different things */
    static const struct {
        const char *name;
        size_t width; /* 0: all columns */
        bool equal, halves;
    } KINDS[] = {{"equal", 1024, true, false}, {"random", 1024, false, false}, {"far", 0, false, false},
                 {"halves", 1024, true, true}};
    static const size_t RUNS[] = {1, 2, 4, 6, 8, 10, 12, 16, 24, 32};
    const size_t rows = (size_t)1 << 17;
    options_t o;
    const spmv_session_t one = one_type(s, &o);
    for (size_t kind = 0; kind < sizeof KINDS / sizeof *KINDS; ++kind)
        for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; ++i) {
            err_t err;
            char name[SPMV_NAME];
            if (KINDS[kind].halves && i > 0) break;
            const size_t runs[2] = {RUNS[i], KINDS[kind].halves ? SPMV_SCALAR_RUNS_ROW : RUNS[i]};
            const double ratio = (double)(runs[0] + runs[1]) / (2 * SPMV_SCALAR_RUNS_ROW);
            const size_t width = KINDS[kind].width ? KINDS[kind].width : rows;
            csr_t *A = spmv_scalar_matrix_of_runs(rows, runs, KINDS[kind].equal, width, o.seed, &err);
            snprintf(name, sizeof name, "%s:nzseg/nnz=%.3f", KINDS[kind].name, ratio);
            if (spmv_session_rows(&one, A, name, 0, true, false, &err)) return -1;
        }
    return 0;
}
