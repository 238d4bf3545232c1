/*
 * p4_beside - beside a sector's border
 *
 * Kind    predict
 * Idea    Memory moves whole sectors of 32 bytes: what begins beside a border touches one more.
 * Page    docs/02_memcpy_vectorized.md, "v8"
 * Task    Four warps read 128 floats in all, beginning with number OFFSET; `in` itself is aligned. How many requests,
 *         how many sectors? Each warp's request counts its own sectors.
 * Data    free 1024
 * Goal    ld_requests, ld_sectors
 * Hint    One load in the source, four warps. How many floats fit into a sector?
 * Hint    Warp 0 reads the floats OFFSET to OFFSET + 31. Divide both by 8: the first and the last sector.
 * Hint    A multiple of 8 gives 4 sectors for each warp, everything else 5.
 */
#include "practice.h"

enum { OFFSET = DRAW(1, 3, 8, 12, 16, 20) };

__global__ void copy(const float *in, float *out)
{
    const unsigned i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[OFFSET + i];
}

void launch(const practice_t *p) { copy<<<2, 64>>>(p->in, p->out); }

// answer: ld_requests = ?
// answer: ld_sectors = ?
