/*
 * spmv_scalar c5 - OpenMP, equal row ranges
 *
 * Was     c1 to c4 use one core.
 * Idea    Every thread takes one range of neighbouring rows, all ranges equally long (schedule(static)).
 *         The loop over a row is c1's: c5 to c7 differ only in the assignment of rows to threads.
 * Moves   Same as c1, from all cores at once.
 * Expect  Near the memory bandwidth of the machine if rows are even.  If a few rows hold most of the
 *         nonzeros, as slow as the thread that gets these rows.
 * Still   Equal rows are not equal work.                                (-> c6)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread per core (--threads).
 * Source  Article S4 in docs/sources.md: static beats dynamic over rows.
 *
 * All threads write y.  A cache line holds 16 floats of y, and a core that writes one of them takes the line from all
 * other cores.  Two threads that write neighbouring floats take the line from each other again and again, although
 * neither reads the other's results: this is false sharing.  With one range per thread, two threads share only the line
 * where their ranges meet, and they write it at different times.
 */
#include "cpu_steps.h"

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

void spmv_scalar_static(SPMV_SCALAR_CPU_ARGS)
{
    (void)format;
    BY_TYPES(SPMV);
}
