/*
 * cpu_steps.h - the CPU steps of this chapter, as cpu.c's table knows them, and what several of them share.
 */
#ifndef SPMV_SCALAR_CPU_STEPS_H
#define SPMV_SCALAR_CPU_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csr.h"

/* A CPU step: y[r] = sum of value * x[column] over row r, for every row; fp32 and fp64, host arrays.
 *   format  what the step's own set-up made of A; NULL for a step without one */
#define SPMV_SCALAR_CPU_ARGS const csr_arrays_t *A, const void *x, void *y, const void *format
typedef void (*spmv_scalar_cpu_fn)(SPMV_SCALAR_CPU_ARGS);

/* cpu_naive.c, built once for each set of flags (cpu.mk). */
void spmv_scalar_naive_course(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_O0(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_O1(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_O2(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_avx2(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_avx512(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_fast(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_fast_avx2(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_naive_fast_avx512(SPMV_SCALAR_CPU_ARGS);

void spmv_scalar_unrolled(SPMV_SCALAR_CPU_ARGS);

extern const bool spmv_scalar_neon_built; /* natively, or through SIMDe */
void spmv_scalar_neon(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_avx2(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_avx512(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_widest(SPMV_SCALAR_CPU_ARGS);

void spmv_scalar_static(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_dynamic_1(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_dynamic_64(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_dynamic_1024(SPMV_SCALAR_CPU_ARGS);
void spmv_scalar_by_nonzeros(SPMV_SCALAR_CPU_ARGS);

/* Steps with a format of their own: made from A and its arrays of the problem's types, and its end. */
int spmv_scalar_csrl_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err);
void spmv_scalar_csrl_close(void *format);
void spmv_scalar_csrl(SPMV_SCALAR_CPU_ARGS);

int spmv_scalar_bcoo8_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err);
int spmv_scalar_bcoo16_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err);
void spmv_scalar_bcoo_close(void *format);
void spmv_scalar_bcoo(SPMV_SCALAR_CPU_ARGS);

int spmv_scalar_mixed_open(const csr_t *A, const csr_arrays_t *host, double threshold, void **format, err_t *err);
void spmv_scalar_mixed_close(void *format);
void spmv_scalar_mixed(SPMV_SCALAR_CPU_ARGS);
/* For tests: what the format holds. */
size_t spmv_scalar_mixed_bytes(const void *format, const csr_arrays_t *A);

/* ---- shared ------------------------------------------------------------------------------------- */

/* BODY(OFFSET, T) with the types of A. */
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

/* Where part `part` of `parts` starts if the nonzeros are dealt out evenly and rows stay whole: the row border
 * nearest to an even cut.  Never falls with part; 0 for the first, A->rows past the last. */
static inline size_t first_row_of_part(const csr_arrays_t *A, size_t part, size_t parts)
{
    if (part == 0) return 0;
    if (part >= parts) return A->rows;
    const int64_t cut = (int64_t)(A->nnz / parts * part + A->nnz % parts * part / parts);
    size_t low = 0, high = A->rows; /* the first row that starts at cut or behind it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (offset_of(A, middle) < cut) low = middle + 1;
        else high = middle;
    }
    return low > 0 && cut - offset_of(A, low - 1) < offset_of(A, low) - cut ? low - 1 : low;
}

#endif
