/*
 * reduce c4 - OpenMP
 *
 * Was     c3 is limited by what one core can fetch.
 * Idea    Each thread sums its own range as c3 does; OpenMP adds the results.
 * Moves   Same as c1, from all cores at once.
 * Expect  Close to the machine's memory bandwidth from a few cores on; no gain
 *         where one core reaches it already, a loss where n is tiny.
 * Still   The memory bandwidth of a CPU, which the GPU has to beat.    (-> v1)
 * Needs   Any n.
 * Launch  One thread per core (--threads).
 * Source  OpenMP 5.0, the reduction clause.
 */
#include "chapter.h"

#include <omp.h>

void reduce_cpu_openmp(dtype_t dtype, const void *in, size_t n, void *out)
{
    const size_t size = dtype_size(dtype);
    double total = 0;
#pragma omp parallel reduction(+ : total)
    {
        const size_t threads = (size_t)omp_get_num_threads(), t = (size_t)omp_get_thread_num();
        const size_t begin = n / threads * t, end = t + 1 < threads ? n / threads * (t + 1) : n;
        double sum;
        reduce_simd_sum(dtype, (const char *)in + begin * size, end - begin, &sum);
        total += sum;
    }
    dtype_from_double(dtype, out, &total, 1);
}
