/*
 * memcpy c4 - OpenMP
 *
 * Was     c3 is limited by what one core can have in flight.
 * Idea    Each thread copies its own range as c3 does; ranges begin at cache lines of the target.
 * Moves   Same as c3, by all cores at once.
 * Expect  The machine's memory bandwidth from a few cores on; a loss where the copy is tiny.
 * Still   The memory bandwidth of a CPU, which the GPU has to beat.  (-> v1)
 * Needs   Any bytes, any alignment.
 * Launch  One thread per core (--threads).
 * Source  OpenMP 5.0.
 */
#include "chapter.h"

#include <omp.h>

/* The start of thread t's range: bytes / threads * t, moved back to the start of a cache line of the target. */
static size_t border(const void *to, size_t bytes, size_t t, size_t threads)
{
    const size_t even = bytes / threads * t, past_a_line = ((size_t)to + even) % 64;
    if (t == threads) return bytes;
    return even < past_a_line ? 0 : even - past_a_line;
}

void memcpy_cpu_openmp(void *to, const void *from, size_t bytes, size_t unit_bytes)
{
#pragma omp parallel
    {
        const size_t threads = (size_t)omp_get_num_threads(), t = (size_t)omp_get_thread_num();
        const size_t begin = border(to, bytes, t, threads), end = border(to, bytes, t + 1, threads);
        memcpy_cpu_nontemporal((char *)to + begin, (const char *)from + begin, end - begin, unit_bytes);
    }
}
