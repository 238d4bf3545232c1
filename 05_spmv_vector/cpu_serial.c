/*
 * spmv_vector c1 - one core, row by row
 *
 * Was     This is the starting point: the product as it is usually written.
 * Idea    for each row: for each nonzero: sum += value * x[column].
 * Moves   Matrix and y once; x once per nonzero, mostly from cache.
 * Expect  Limited by the additions of one row that wait for each other, and by
 *         cache misses on x where columns jump.
 * Still   Only one core works.                                         (-> c2)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread.
 * Source  Y. Saad, Iterative Methods for Sparse Linear Systems (2003), 3.5.
 */
#include "chapter.h"

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        T *out = y;                                                                           \
        for (size_t row = 0; row < A->rows; ++row) {                                          \
            T sum = 0;                                                                        \
            for (OFFSET nz = row_offsets[row]; nz < row_offsets[row + 1]; ++nz)               \
                sum += values[nz] * in[A->col_indices[nz]];                                   \
            out[row] = sum;                                                                   \
        }                                                                                     \
    } while (0)

void spmv_vector_cpu_serial(const csr_arrays_t *A, const void *x, void *y)
{
    if (A->value_type == DTYPE_F64) {
        if (A->offset_bits == 64) SPMV(int64_t, double);
        else SPMV(int32_t, double);
    } else {
        if (A->offset_bits == 64) SPMV(int64_t, float);
        else SPMV(int32_t, float);
    }
}
