/*
 * spmv_scalar c7 - OpenMP, rows cut by nonzeros
 *
 * Was     c5 gives every thread the same number of rows, and in c6 each chunk costs an atomic.
 * Idea    Every thread takes one range of rows again, all with the same number of nonzeros: thread t of T
 *         starts at the row boundary nearest to nonzero nnz * t / T, which it finds by bisection in row_offsets.
 * Moves   Same as c1; some twenty offsets more for each thread.
 * Expect  As fast as c5 if rows are even, faster than c5 and c6 if they are not.  No set-up, no counter; false
 *         sharing only at the boundaries.
 * Still   A row longer than nnz / T delays one thread; columns take 4 bytes each.  (-> c8)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.
 * Launch  One thread per core (--threads).
 * Source  Article S4 in docs/sources.md cuts MPI ranks in the same way.
 *
 * Why the nearest boundary: if every cut were rounded down to a row, the last part would get all remainders; if every
 * cut were rounded up, the last part would be empty.  With the nearest boundary the errors do not add up, since each
 * cut starts from the exact nnz * t / T and not from the cut before.
 */
#include "cpu_steps.h"

#include <omp.h>

#define SPMV(OFFSET, T)                                                                       \
    do {                                                                                      \
        const OFFSET *row_offsets = A->row_offsets;                                           \
        const T *values = A->values, *in = x;                                                 \
        T *out = y;                                                                           \
        _Pragma("omp parallel")                                                               \
        {                                                                                     \
            const size_t me = (size_t)omp_get_thread_num(), all = (size_t)omp_get_num_threads(); \
            const size_t end = first_row_of_part(A, me + 1, all);                             \
            for (size_t row = first_row_of_part(A, me, all); row < end; ++row) {              \
                T sum = 0;                                                                    \
                for (OFFSET nz = row_offsets[row]; nz < row_offsets[row + 1]; ++nz)           \
                    sum += values[nz] * in[A->col_indices[nz]];                               \
                out[row] = sum;                                                               \
            }                                                                                 \
        }                                                                                     \
    } while (0)

void spmv_scalar_by_nonzeros(SPMV_SCALAR_CPU_ARGS)
{
    (void)format;
    BY_TYPES(SPMV);
}
