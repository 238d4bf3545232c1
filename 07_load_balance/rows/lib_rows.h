/*
 * lib_rows.h - libspmv as rows of a chapter, as spmv_peers.h has them for other libraries.
 *
 * Link $(BUILD)/libspmv_rows.a (make -C 07_load_balance/rows rows).
 */
#ifndef LIB_ROWS_H
#define LIB_ROWS_H

#include "../libspmv/spmv.h"
#include "spmv_problem.h"

/* Arrays of host or GPU as libspmv takes them.  Not for DTYPE_I8. */
static inline spmv_csr_t lib_csr(const csr_arrays_t *a, spmv_memory_t memory)
{
    const spmv_csr_t A = {(int64_t)a->rows, (int64_t)a->cols, (int64_t)a->nnz,
                          a->value_type == DTYPE_F64   ? SPMV_F64
                          : a->value_type == DTYPE_F16 ? SPMV_F16
                          : a->value_type == DTYPE_F32 ? SPMV_F32
                                                       : SPMV_BF16,
                          a->offset_bits, memory, a->row_offsets, a->col_indices, a->values};
    return A;
}

/* 0, or -1 and what libspmv says of the failure. */
static inline int lib_failed(spmv_status_t status, err_t *err)
{
    return status == SPMV_OK ? 0 : err_set(err, "%s: %s", spmv_status_text(status), spmv_last_error());
}

/* For spmv_options_t's run: on the threads of OpenMP, which the course's programs have anyway. */
void lib_on_openmp(void *none, int parts, void (*work)(void *context, int part), void *context);

/* The i-th row, NULL past the last: libspmv_cpu; on the GPU libspmv (no set-up), libspmv_look, libspmv_plan,
 * libspmv_tuned, libspmv_values and libspmv_reorder.  For problems whose data is a spmv_data_t. */
const step_t *lib_row(size_t i);

/* More rows on the CPU, for comparisons there: libspmv_cpu_tuned, libspmv_cpu_own (on threads of its own, the others on
 * OpenMP's), libspmv_cpu_values, libspmv_cpu_reorder. */
const step_t *lib_cpu_row(size_t i);

/* Their operations; how is a spmv_options_t. */
extern const step_ops_t LIB_ROW;

/* The check among them, for rows that call the library in another way. */
int lib_row_check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err);

/* Whether a matrix of the suite has more than 5 million nonzeros: these take most of the time of a run over all. */
bool lib_is_large(const char *which);

/* The stream of the rows on the GPU, a cudaStream_t; NULL at first. */
extern void *lib_stream;

#endif
