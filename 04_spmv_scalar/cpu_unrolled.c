/*
 * spmv_scalar c2 - unrolled by four
 *
 * Was     In c1 each addition waits about four cycles for the one before it.
 * Idea    Keep four sums for each row; each takes one of nonzeros nz .. nz + 3; the first also takes the remainder.
 * Moves   Same as c1.
 * Expect  Up to four times as fast on long rows whose x is in cache.  No gain on rows of four nonzeros or
 *         fewer, and none if the processor waits for memory.
 * Still   One multiplication per instruction.                           (-> c3)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread.
 * Source  Article S4 in docs/sources.md.
 */
#include "cpu_steps.h"

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        T *out = y;                                                                           \
        for (size_t row = 0; row < A->rows; ++row) {                                          \
            const OFFSET end = row_offsets[row + 1];                                          \
            OFFSET nz = row_offsets[row];                                                     \
            T sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;                                         \
            for (; end - nz >= 4; nz += 4) {                                                  \
                sum0 += values[nz] * in[A->col_indices[nz]];                                  \
                sum1 += values[nz + 1] * in[A->col_indices[nz + 1]];                          \
                sum2 += values[nz + 2] * in[A->col_indices[nz + 2]];                          \
                sum3 += values[nz + 3] * in[A->col_indices[nz + 3]];                          \
            }                                                                                 \
            for (; nz < end; ++nz) sum0 += values[nz] * in[A->col_indices[nz]];               \
            out[row] = (sum0 + sum1) + (sum2 + sum3);                                         \
        }                                                                                     \
    } while (0)

void spmv_scalar_unrolled(SPMV_SCALAR_CPU_ARGS)
{
    (void)format;
    BY_TYPES(SPMV);
}
