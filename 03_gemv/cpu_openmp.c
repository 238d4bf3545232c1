/*
 * gemv c4 - OpenMP
 *
 * Was     c3 is limited by what one core can fetch.
 * Idea    Each thread takes its own range of rows and computes it as c3 does.
 * Moves   Same as c3, from all cores at once.
 * Expect  Close to the machine's memory bandwidth.
 * Still   The memory bandwidth of a CPU, which the GPU has to beat.      (-> v1)
 * Needs   Any rows, any cols, either layout.  Fewer rows than threads leave threads idle.
 * Launch  One thread per core (--threads).
 * Source  OpenMP 5.0, parallel for.
 */
#include "chapter.h"

#include <omp.h>

void gemv_cpu_openmp(GEMV_CPU_ARGS)
{
#pragma omp parallel
    {
        /* Each thread gets whole cache lines of y, so no two threads write to one line. */
        const size_t threads = (size_t)omp_get_num_threads(), t = (size_t)omp_get_thread_num();
        const size_t share = (rows / threads + 15) / 16 * 16 + 16;
        const size_t first = t * share < rows ? t * share : rows, end = first + share < rows ? first + share : rows;
        gemv_simd_rows(dtype, layout, first, end, rows, cols, A, x, y);
    }
}
