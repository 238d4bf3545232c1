/*
 * memcpy c3 - non-temporal stores
 *
 * Was     c2's stores read each line of the target before they overwrite it.
 * Idea    Use stores that bypass the caches: they write whole lines and read none.
 * Moves   bytes in, bytes out.
 * Expect  Up to 1.5x c2 if the copy is larger than the caches; a loss if it would fit and the
 *         copy is read soon afterwards.
 * Still   One core cannot use the full memory bandwidth.  (-> c4)
 * Needs   Any bytes, any alignment.  SSE2 or AArch64; elsewhere ordinary stores.
 * Launch  One thread.
 * Source  Intel 64 and IA-32 Optimization Reference Manual, non-temporal stores; Arm ISA, STNP.
 */
#include "chapter.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
static void store_32(char *target, const char *source)
{
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)source);
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(source + 16));
    _mm_stream_si128((__m128i *)(void *)target, a);
    _mm_stream_si128((__m128i *)(void *)(target + 16), b);
}
static void fence(void) { _mm_sfence(); }
#elif defined(__aarch64__)
typedef unsigned char vector_t __attribute__((vector_size(16)));
static void store_32(char *target, const char *source)
{
    vector_t v[2];
    memcpy(v, source, sizeof v);
    __asm__ volatile("stnp %q0, %q1, [%2]" ::"w"(v[0]), "w"(v[1]), "r"(target) : "memory");
}
static void fence(void) {}
#else
static void store_32(char *target, const char *source) { memcpy(target, source, 32); }
static void fence(void) {}
#endif

void memcpy_cpu_nontemporal(void *to, const void *from, size_t bytes, size_t unit_bytes)
{
    char *target = to;
    const char *source = from;
    size_t i = (64 - (size_t)to % 64) % 64; /* start at a line: then every line is written whole */
    (void)unit_bytes;
    if (i > bytes) i = bytes;
    memcpy_cpu_loop(target, source, i, 1);
    for (; i + 64 <= bytes; i += 64) {
        store_32(target + i, source + i);
        store_32(target + i + 32, source + i + 32);
    }
    memcpy_cpu_loop(target + i, source + i, bytes - i, 1);
    fence(); /* orders the non-temporal stores with all other stores */
}
