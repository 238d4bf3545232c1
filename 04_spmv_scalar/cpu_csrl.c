/*
 * spmv_scalar c8 - CSRL: runs of consecutive columns
 *
 * Was     c7 reads a column for each nonzero, and gathers x even where the columns are neighbours.
 * Idea    Store a run of consecutive columns as its first column and its length (the papers' val, jas, jan and
 *         ptr).  Within a run x is a plain array: no index to read, and long runs (16 and more) use SIMD.
 * Moves   8 bytes per run instead of 4 per nonzero: fewer where nzseg / nnz (runs per nonzero) is below 1/2.
 * Expect  Faster than c7 where runs are long (bands, dense blocks), slower where most runs are one nonzero: a
 *         loop of one iteration costs more than it saves.  They are equally fast somewhere below 1/2.
 * Still   The whole matrix is stored in one format.                     (-> c9, c10)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  A set-up that counts the runs.
 * Launch  One thread per core (--threads); rows cut by nonzeros as in c7.
 * Source  Liu, Yang et al., CSRL, after article S4 in docs/sources.md.
 */
#include "cpu_runs.h"

#include <omp.h>
#include <stdlib.h>

#include "formats.h"

/* Converts n offsets to `bits`-bit integers, owned by the caller; NULL if memory is short. */
static void *narrow(const int64_t *from, size_t n, int bits)
{
    void *to = malloc(n * (size_t)(bits / 8));
    for (size_t i = 0; to && i < n; ++i) {
        if (bits == 64) ((int64_t *)to)[i] = from[i];
        else ((int32_t *)to)[i] = (int32_t)from[i];
    }
    return to;
}

int spmv_scalar_csrl_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err)
{
    (void)threshold;
    csrl_t *M = csrl_from_csr(A, SIZE_MAX, err);
    if (!M) return -1;
    runs_t *runs = calloc(1, sizeof *runs);
    void *offsets = narrow(M->run_offsets, A->rows + 1, host->offset_bits);
    if (runs && offsets) {
        *runs = (runs_t){offsets, M->run_cols, M->run_lengths, M->runs};
        M->run_cols = M->run_lengths = NULL; /* *runs owns them now; the rest of M is freed below */
        *format = runs;
    } else {
        err_set(err, "out of memory for CSRL");
        free(runs);
        free(offsets);
    }
    csrl_free(M);
    return *format ? 0 : -1;
}

void spmv_scalar_csrl_close(void *format)
{
    runs_t *runs = format;
    free(runs->offsets);
    free(runs->cols);
    free(runs->lengths);
    free(runs);
}

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        _Pragma("omp parallel")                                                               \
        {                                                                                     \
            const size_t me = (size_t)omp_get_thread_num(), all = (size_t)omp_get_num_threads(); \
            const size_t first = first_row_of_part(A, me, all), end = first_row_of_part(A, me + 1, all); \
            RUNS(OFFSET, T, first, end);                                                      \
        }                                                                                     \
    } while (0)

void spmv_scalar_csrl(SPMV_SCALAR_CPU_ARGS)
{
    const runs_t *runs = format;
    BY_TYPES(SPMV);
}
