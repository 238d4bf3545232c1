/*
 * p1_search - the row of nonzero k
 *
 * Kind    fill
 * Idea    A thread that starts at a given nonzero must find the row of that nonzero, by a binary search in the
 *         offsets.
 * Page    docs/07a_split_nonzeros.md, "v2"
 * Task    Complete the search for the last row whose offset is at most k. lo and hi are set: offsets[lo] <= k and k <
 *         offsets[hi] always hold.
 * Data    rows random:4,4,7 random:300,300,3000 even:512,512,16
 * Goal    ld_requests <= 3000, max_warp <= 2
 * Hint    While lo and hi are not adjacent, test the row in the middle.
 * Hint    If offsets[middle] <= k, middle becomes the new lo, otherwise the new hi.
 * Hint    while (hi - lo > 1) { const uint32_t middle = (lo + hi) / 2; if (p.offsets[middle] <= k) lo = middle; else
 *         hi = middle; }
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void rows_of(practice_t p)
{
    const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
    if (k >= p.nnz) return;
    uint32_t lo = 0, hi = p.rows;
    (void)hi; // TODO: halve until lo and hi are neighbours
    p.out[k] = (float)lo;
}

void launch(const practice_t *p) { rows_of<<<(p->nnz + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
