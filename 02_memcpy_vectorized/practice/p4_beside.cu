/*
 * p4_beside - a range that does not begin at a sector
 *
 * Kind    predict
 * Idea    Memory transfers whole sectors of 32 bytes. A range that does not begin at a sector boundary touches one
 *         sector more.
 * Page    docs/02_memcpy_vectorized.md, "v8"
 * Task    Four warps read 128 floats in all, starting at number OFFSET; `in` itself is aligned. How many requests and
 *         how many sectors are that? Sectors are counted for each request of a warp.
 * Data    free 1024
 * Goal    ld_requests, ld_sectors
 * Hint    The source has one load, and there are four warps. How many floats fit into a sector?
 * Hint    Warp 0 reads the floats OFFSET to OFFSET + 31. Divide both by 8 to get the first and the last sector.
 * Hint    If OFFSET is a multiple of 8, each warp reads 4 sectors; otherwise 5.
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
