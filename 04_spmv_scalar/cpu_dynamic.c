/*
 * spmv_scalar c6 - OpenMP, dynamic scheduling
 *
 * Was     c5 assigns the rows before it starts, and one thread may get all the long rows.
 * Idea    A thread that is done takes the next 1, 64 or 1024 rows (schedule(dynamic, chunk)).
 * Moves   Same as c1, and a shared counter once per chunk.
 * Expect  Chunks of 1 are slower than one core: each row costs an atomic addition to the counter, which all cores
 *         update, and neighbours in y belong to different threads (false sharing, see c5).  The work of 1024 rows
 *         outweighs the cost of an atomic; but one chunk can again hold most of the work.
 * Still   Matrices with even rows also pay for the atomics; the row lengths, which are known, are not used.  (-> c7)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread per core (--threads).
 * Source  Article S4 in docs/sources.md: dynamic is very slow.
 */
#include "cpu_steps.h"

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        T *out = y;                                                                           \
        _Pragma("omp parallel for schedule(dynamic, chunk)")                                  \
        for (size_t row = 0; row < A->rows; ++row) {                                          \
            T sum = 0;                                                                        \
            for (OFFSET nz = row_offsets[row]; nz < row_offsets[row + 1]; ++nz)               \
                sum += values[nz] * in[A->col_indices[nz]];                                   \
            out[row] = sum;                                                                   \
        }                                                                                     \
    } while (0)

static void rows_by_chunk(const csr_arrays_t *A, const void *x, void *y, int chunk) { BY_TYPES(SPMV); }

void spmv_scalar_dynamic_1(SPMV_SCALAR_CPU_ARGS) { (void)format, rows_by_chunk(A, x, y, 1); }
void spmv_scalar_dynamic_64(SPMV_SCALAR_CPU_ARGS) { (void)format, rows_by_chunk(A, x, y, 64); }
void spmv_scalar_dynamic_1024(SPMV_SCALAR_CPU_ARGS) { (void)format, rows_by_chunk(A, x, y, 1024); }
