/*
 * spmv_vector c2 - OpenMP, equal blocks of rows
 *
 * Was     c1 uses one core.
 * Idea    Every thread takes one range of neighbouring rows (schedule(static)).
 * Moves   Same as c1, from all cores at once.
 * Expect  Near the memory bandwidth if rows are even.  If a few rows hold most of the
 *         nonzeros, as slow as the thread that gets these rows.
 * Still   The memory bandwidth of a CPU; equal rows are not equal work. (-> v1)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread per core (--threads).
 * Source  Article S4 in docs/sources.md: static beats dynamic over rows.
 */
#include "chapter.h"

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        T *out = y;                                                                           \
        _Pragma("omp parallel for schedule(static)")                                          \
        for (size_t row = 0; row < A->rows; ++row) {                                          \
            T sum = 0;                                                                        \
            for (OFFSET nz = row_offsets[row]; nz < row_offsets[row + 1]; ++nz)               \
                sum += values[nz] * in[A->col_indices[nz]];                                   \
            out[row] = sum;                                                                   \
        }                                                                                     \
    } while (0)

void spmv_vector_cpu_openmp(const csr_arrays_t *A, const void *x, void *y)
{
    if (A->value_type == DTYPE_F64) {
        if (A->offset_bits == 64) SPMV(int64_t, double);
        else SPMV(int32_t, double);
    } else {
        if (A->offset_bits == 64) SPMV(int64_t, float);
        else SPMV(int32_t, float);
    }
}
