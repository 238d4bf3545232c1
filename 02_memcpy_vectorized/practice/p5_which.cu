/*
 * p5_which - narrow or wide
 *
 * Kind    choose
 * Idea    The same bytes can be loaded in many small requests or in few large ones.
 * Page    docs/02_memcpy_vectorized.md, "v3" to "v5"
 * Task    Kernel a or kernel b: which is better, and in which count do they differ most? Write a or b, and one of
 *         ld_sectors, st_sectors, ld_requests.
 * Data    copy 8192
 * Goal    ld_sectors, st_sectors, ld_requests
 * Hint    How many bytes does each kernel read in all? How many bytes does one request of a warp read?
 * Hint    A warp of b reads 512 bytes at once: 16 sectors in one request.
 * Hint    The sectors are equal: each of the 8192 floats is read once.
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void a(const float *in, float *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void b(const float4 *in, float4 *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n / 4) out[i] = in[i];
}

void launch_a(const practice_t *p) { a<<<(unsigned)(p->n / BLOCK), BLOCK>>>(p->in, p->out, p->n); }
void launch_b(const practice_t *p)
{
    b<<<(unsigned)(p->n / 4 / BLOCK), BLOCK>>>((const float4 *)p->in, (float4 *)p->out, p->n);
}

// answer: winner = ?
// answer: count = ?
