/*
 * p1_tail - threads past the last number
 *
 * Kind    repair
 * Idea    A grid consists of whole blocks, so it has more threads than there are numbers. The extra threads must not
 *         touch memory.
 * Page    docs/01_reduce.md, "v1: interleaved pairs, chosen by modulo"; docs/before-you-start.md
 * Task    Each thread copies one number. If n is not a multiple of 256, the kernel accesses memory out of bounds.
 *         Repair it.
 * Data    copy 6 256 1000 10007
 * Goal    ld_sectors <= 1251
 * Hint    10007 numbers and blocks of 256: how many threads does the launch start? Which element does the last one
 *         read?
 * Hint    A thread whose i is n or more has no number to copy.
 * Hint    Put a condition in front of the assignment: if (i < n) ...
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void copy(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    (void)n;
    out[i] = in[i];
}

void launch(const practice_t *p)
{
    copy<<<(unsigned)((p->n + BLOCK - 1) / BLOCK), BLOCK>>>(p->in, p->out, p->n);
}
