/*
 * cpu_runs.h - rows kept as runs of consecutive columns, and the loop over them: c8 and c10.
 */
#ifndef SPMV_SCALAR_CPU_RUNS_H
#define SPMV_SCALAR_CPU_RUNS_H

#include "cpu_steps.h"

/* The values stay where CSR has them. */
typedef struct runs {
    void *offsets;          /* [rows + 1] of the matrix's offset type: row r has runs offsets[r] .. */
    int32_t *cols, *lengths; /* [count] first column, how many */
    size_t count;
} runs_t;

enum { LONG_RUN = 16 }; /* from here on setting up a SIMD loop pays */

/* y of rows first .. end - 1.  The values of the run that is next lie where the last run's ended. */
#define RUNS(OFFSET, T, first, end)                                                           \
    do {                                                                                      \
        const OFFSET *offsets = runs->offsets;                                                \
        const T *value = (const T *)A->values + offset_of(A, first);                          \
        for (size_t row = (first); row < (end); ++row) {                                      \
            T sum = 0;                                                                        \
            for (OFFSET run = offsets[row]; run < offsets[row + 1]; ++run) {                  \
                const T *in = (const T *)x + runs->cols[run];                                 \
                const int32_t length = runs->lengths[run];                                    \
                if (length < LONG_RUN) {                                                      \
                    for (int32_t k = 0; k < length; ++k) sum += value[k] * in[k];             \
                } else {                                                                      \
                    _Pragma("omp simd reduction(+ : sum)")                                    \
                    for (int32_t k = 0; k < length; ++k) sum += value[k] * in[k];             \
                }                                                                             \
                value += length;                                                              \
            }                                                                                 \
            ((T *)y)[row] = sum;                                                              \
        }                                                                                     \
    } while (0)

#endif
