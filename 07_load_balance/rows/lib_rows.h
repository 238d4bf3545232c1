/*
 * lib_rows.h - libspmv as rows of a chapter, like the other libraries in spmv_peers.h.
 *
 * Link $(BUILD)/libspmv_rows.a (make -C 07_load_balance/rows rows).
 */
#ifndef LIB_ROWS_H
#define LIB_ROWS_H

#include "../libspmv/spmv.h"
#include "spmv_problem.h"

/* Arrays on the host or GPU in libspmv's form.  Not for DTYPE_I8. */
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

/* Returns 0, or -1 and libspmv's message in *err. */
static inline int lib_failed(spmv_status_t status, err_t *err)
{
    return status == SPMV_OK ? 0 : err_set(err, "%s: %s", spmv_status_text(status), spmv_last_error());
}

/* For run of spmv_options_t: uses OpenMP's threads, which the course's programs have anyway. */
void lib_on_openmp(void *none, int parts, void (*work)(void *context, int part), void *context);

/* The i-th row, NULL after the last: libspmv_cpu; on the GPU libspmv (no set-up), libspmv_look, libspmv_plan,
 * libspmv_tuned, libspmv_values and libspmv_reorder.  For problems whose data is a spmv_data_t. */
const step_t *lib_row(size_t i);

/* More rows on the CPU, for comparisons: libspmv_cpu_tuned, libspmv_cpu_own (on its own threads; the others use
 * OpenMP's), libspmv_cpu_values, libspmv_cpu_reorder. */
const step_t *lib_cpu_row(size_t i);

/* The operations of these rows; `how` is a spmv_options_t. */
extern const step_ops_t LIB_ROW;

/* Some of them, for rows that call the library in another way: a plan with such options for the matrix of a problem in
 * the memory that the row uses; its end; the check. */
int lib_row_plan(const step_t *s, const spmv_options_t *options, const spmv_data_t *data, void **state, err_t *err);
void lib_row_teardown(const step_t *s, const problem_t *p, void *state);
int lib_row_check(const step_t *s, const problem_t *p, const void *out, double *err_over_tol, err_t *err);

/* Whether a matrix of the suite has more than 5 million nonzeros; such matrices take most of the time of a full run. */
bool lib_is_large(const char *which);

/* The stream of the rows on the GPU, a cudaStream_t; initially NULL. */
extern void *lib_stream;

#endif
