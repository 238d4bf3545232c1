/*
 * p1_tail - the numbers after the last vector
 *
 * Kind    repair
 * Idea    Vectors of four cover n / 4 * 4 numbers; up to three numbers remain.
 * Page    docs/02_memcpy_vectorized.md, "v5"
 * Task    A thread copies four numbers at once. The remaining numbers are not copied: copy them, too.
 * Data    copy 6 1001 3 8195
 * Goal    ld_requests <= 66
 * Hint    n = 1001: how many float4 are there, and which number follows the last one?
 * Hint    The numbers 4 * vectors to n - 1 remain: fewer than 4, so let some threads copy one each.
 * Hint    const size_t rest = 4 * vectors + i; if (rest < n) out[rest] = in[rest];
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void copy(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x, vectors = n / 4;
    if (i < vectors) ((float4 *)out)[i] = ((const float4 *)in)[i];
}

void launch(const practice_t *p)
{
    copy<<<(unsigned)(p->n / 4 / BLOCK + 1), BLOCK>>>(p->in, p->out, p->n);
}
