/*
 * cpu_runs.h - rows stored as runs of consecutive columns, and the loop over them: c8 and c10.
 */
#ifndef SPMV_SCALAR_CPU_RUNS_H
#define SPMV_SCALAR_CPU_RUNS_H

#include "cpu_steps.h"

/* The values are those of the CSR matrix. */
typedef struct runs {
    void *offsets;          /* [rows + 1] in A's offset type: row r has runs offsets[r] .. offsets[r + 1] - 1 */
    int32_t *cols, *lengths; /* [count] each run's first column and number of columns */
    size_t count;
} runs_t;

enum { LONG_RUN = 16 }; /* from this length on a SIMD loop is faster */

/* Computes y of rows first .. end - 1.  The values of one run follow those of the run before it. */
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
