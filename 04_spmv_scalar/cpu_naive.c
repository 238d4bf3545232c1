/*
 * spmv_scalar c1 - one core, row by row; and the same file under other flags
 *
 * Was     This is the starting point: the product as it is usually written.
 * Idea    for each row: for each nonzero: sum += value * x[column].  c1 has the flags of the whole course;
 *         c1/O0 ... c1/fast-avx512 are this file again, one object for each set of flags (cpu.mk).
 * Moves   Matrix and y once; x once per nonzero, mostly from cache.
 * Expect  -O0 keeps every variable in memory: several times slower.  From -O1 on the flags change little:
 *         the additions of one row wait for each other, and the order of additions is part of the
 *         result, so the compiler may not keep several sums under any -O or -m.  -ffast-math allows it.
 * Still   The additions of a row form one chain.                        (-> c2)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  The -m rows need a processor that has those instructions.
 * Launch  One thread.
 * Source  Y. Saad, Iterative Methods for Sparse Linear Systems (2003), 3.5.  Article S4 in docs/sources.md for
 *         the flags.
 *
 * Why -ffast-math stays in these three objects: it also promises the compiler that no NaN and no Inf ever comes,
 * so isnan() is 0 and a check for NaN is removed; and a program *linked* with it starts with denormal numbers
 * flushed to zero, in every thread and library.  The checker is never compiled with it.
 */
#include "cpu_steps.h"

#ifndef FLAGS_NAME
#define FLAGS_NAME spmv_scalar_naive_course
#endif

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

void FLAGS_NAME(SPMV_SCALAR_CPU_ARGS)
{
    (void)format;
    BY_TYPES(SPMV);
}
