/*
 * p2_aligned - a vector must be aligned
 *
 * Kind    repair
 * Idea    A load of 16 bytes needs an address that is a multiple of 16. cudaMalloc returns such an address; a part of
 *         an array may begin anywhere.
 * Page    docs/02_memcpy_vectorized.md, "v5" and "v8"
 * Task    launch always uses the wide kernel. Use the narrow one if in or out is not aligned.
 * Data    copy 1000+1 4096+3 8192
 * Goal    ld_requests <= 64
 * Hint    The report says by how many bytes the address is misaligned. How can launch test this on the host?
 * Hint    (uintptr_t)p->in % 16 is 0 if the address is a multiple of 16.
 * Hint    if (((uintptr_t)p->in | (uintptr_t)p->out) % 16 == 0) wide<<<...>>>(...); else narrow<<<...>>>(...);
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void narrow(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void wide(const float *in, float *out, size_t n) // n: a multiple of 4
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n / 4) ((float4 *)out)[i] = ((const float4 *)in)[i];
}

static unsigned blocks_for(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }

void launch(const practice_t *p)
{
    (void)narrow;
    wide<<<blocks_for(p->n / 4), BLOCK>>>(p->in, p->out, p->n);
}
