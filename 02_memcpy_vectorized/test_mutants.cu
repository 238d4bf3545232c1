/*
 * test_mutants.cu - copies with one thing broken.  Every one of them must be rejected, by the check or by the
 * stand-in (test_memcpy.c says by which).
 */
#include "chapter.h"

enum { BLOCK = 256 };

enum mutant {
    CORRECT,
    NO_TAIL,
    TAIL_ONE_SHORT,
    ONE_BYTE_OFF,
    UNWRITTEN,
    PAST_THE_END,
    BEFORE_THE_START,
    READS_PAST_THE_END,
    UNALIGNED_VECTORS,
    RACES
};

template <int MUTANT>
__global__ void mutant_kernel(unsigned char *to, const unsigned char *from, size_t bytes, size_t width)
{
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    size_t units = bytes / width, tail = units * width;

    if (MUTANT == UNWRITTEN && bytes > 0) return;
    if (MUTANT == PAST_THE_END && tail < bytes) ++units; // the last one is not whole
    if (thread < units && width == 16) {
        const uint4 v = ((const uint4 *)from)[thread];
        ((uint4 *)to)[thread] = v;
    } else if (thread < units) {
        to[thread] = from[MUTANT == ONE_BYTE_OFF && thread > 0 ? thread - 1 : thread];
    }
    if (MUTANT == NO_TAIL) return;
    if (MUTANT == TAIL_ONE_SHORT && bytes > 0) --bytes;
    if (MUTANT == READS_PAST_THE_END) { // loads, then asks whether it was in range
        const unsigned char v = *(const volatile unsigned char *)&from[tail + thread];
        if (tail + thread < bytes) to[tail + thread] = v;
    } else if (tail + thread < bytes) {
        to[tail + thread] = from[tail + thread];
    }
    if (MUTANT == BEFORE_THE_START && thread == 0) to[-1] = 0;
    if (MUTANT == RACES && thread == BLOCK) to[0] = from[0]; // a second block writes it too
}

template <int MUTANT>
static cudaError_t launch(MEMCPY_ARGS)
{
    (void)unit_bytes;
    const size_t width = MUTANT == UNALIGNED_VECTORS ? 16 : memcpy_width(d_to, d_from, 16) == 16 ? 16 : 1;
    const unsigned blocks = (unsigned)(bytes / width / BLOCK) + 1;
    mutant_kernel<MUTANT><<<blocks, BLOCK, 0, stream>>>(
        (unsigned char *)d_to, (const unsigned char *)d_from, bytes, width);
    return cudaGetLastError();
}

#define MUTANT(name, which) \
    extern "C" cudaError_t name(MEMCPY_ARGS) { return launch<which>(d_to, d_from, bytes, unit_bytes, stream); }
MUTANT(mutant_correct, CORRECT)
MUTANT(mutant_no_tail, NO_TAIL)
MUTANT(mutant_tail_one_short, TAIL_ONE_SHORT)
MUTANT(mutant_one_byte_off, ONE_BYTE_OFF)
MUTANT(mutant_unwritten, UNWRITTEN)
MUTANT(mutant_past_the_end, PAST_THE_END)
MUTANT(mutant_before_the_start, BEFORE_THE_START)
MUTANT(mutant_reads_past_the_end, READS_PAST_THE_END)
MUTANT(mutant_unaligned_vectors, UNALIGNED_VECTORS)
MUTANT(mutant_races, RACES)
