/*
 * memcpy c2 - SIMD
 *
 * Was     c1 loads and stores one unit at a time.
 * Idea    Copy 16 bytes per instruction, whatever the unit is, with four loads and stores per iteration.
 * Moves   Same as c1.
 * Expect  The unit no longer matters; beyond the caches, the bandwidth that one core gets from memory.
 * Still   A store first fetches the line that it overwrites: three lines move where two
 *         would do.  (-> c3)
 * Needs   Any bytes, any alignment.  GCC's and Clang's vector extension: SSE or NEON from the same source.
 * Launch  One thread.
 * Source  GCC manual, Using Vector Instructions through Built-in Functions.
 */
#include "chapter.h"

#include <string.h>

enum { VECTORS = 4 };
typedef unsigned char vector_t __attribute__((vector_size(16)));

void memcpy_cpu_simd(void *to, const void *from, size_t bytes, size_t unit_bytes)
{
    char *target = to;
    const char *source = from;
    size_t i = 0;
    (void)unit_bytes;
    for (; i + VECTORS * sizeof(vector_t) <= bytes; i += VECTORS * sizeof(vector_t)) {
        vector_t v[VECTORS];
        memcpy(v, source + i, sizeof v); /* four unaligned loads */
        memcpy(target + i, v, sizeof v);
        __asm__ volatile(""); /* without it the compiler calls memcpy */
    }
    memcpy_cpu_loop(target + i, source + i, bytes - i, 1);
}
