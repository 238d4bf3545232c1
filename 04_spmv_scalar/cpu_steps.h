/*
 * cpu_steps.h - declares the CPU steps for cpu.c's table, and functions that several of them share.
 */
#ifndef SPMV_SCALAR_CPU_STEPS_H
#define SPMV_SCALAR_CPU_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csr.h"

/* A CPU step: y[r] = sum of value * x[column] over row r, for every row; fp32 and fp64, host arrays.
 *   format  the result of the step's set-up; NULL for a step without a set-up */
#define SPMV_SCALAR_CPU_ARGS const csr_arrays_t *A, const void *x, void *y, const void *format
typedef void (*spmv_scalar_cpu_fn)(SPMV_SCALAR_CPU_ARGS);

/* Builds the format of a step from A and its arrays in the problem's types.  0, or -1 and *err. */
typedef int (*spmv_scalar_cpu_open_fn)(const csr_t *A, const csr_arrays_t *host, double threshold, void **format,
                                       err_t *err);

/* naive_*: cpu_naive.c, built once for each set of flags (cpu.mk). */
#define CPU(id, name, ...) void spmv_scalar_##name(SPMV_SCALAR_CPU_ARGS);
#define FORMAT(id, name, idea, made)                                                                      \
    void spmv_scalar_##name(SPMV_SCALAR_CPU_ARGS);                                                        \
    int spmv_scalar_##made##_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, \
                                  err_t *err);                                                            \
    void spmv_scalar_##name##_close(void *format);
#include "cpu_steps.def"

extern const bool spmv_scalar_neon_built; /* natively, or through SIMDe */

/* For tests: the contents of the format. */
size_t spmv_scalar_mixed_bytes(const void *format, const csr_arrays_t *A);

/* ---- shared ------------------------------------------------------------------------------------- */

/* Expands BODY(OFFSET, T) with the types of A. */
#define BY_TYPES(BODY)                                                                        \
    do {                                                                                      \
        if (A->value_type == DTYPE_F64) {                                                     \
            if (A->offset_bits == 64) BODY(int64_t, double);                                  \
            else BODY(int32_t, double);                                                       \
        } else {                                                                              \
            if (A->offset_bits == 64) BODY(int64_t, float);                                   \
            else BODY(int32_t, float);                                                        \
        }                                                                                     \
    } while (0)

static inline int64_t offset_of(const csr_arrays_t *A, size_t row)
{
    return A->offset_bits == 64 ? ((const int64_t *)A->row_offsets)[row] : ((const int32_t *)A->row_offsets)[row];
}

/* Returns the first row of part `part` of `parts` if the nonzeros are divided evenly and rows stay whole: the row
 * boundary nearest to an even cut.  It never decreases with part, is 0 for part 0 and A->rows for part `parts`. */
static inline size_t first_row_of_part(const csr_arrays_t *A, size_t part, size_t parts)
{
    if (part == 0) return 0;
    if (part >= parts) return A->rows;
    const int64_t cut = (int64_t)(A->nnz / parts * part + A->nnz % parts * part / parts);
    size_t low = 0, high = A->rows; /* the first row that starts at cut or later */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (offset_of(A, middle) < cut) low = middle + 1;
        else high = middle;
    }
    return low > 0 && cut - offset_of(A, low - 1) < offset_of(A, low) - cut ? low - 1 : low;
}

#endif
