/*
 * p2_empty - rows that begin at the same nonzero
 *
 * Kind    repair
 * Idea    An empty row begins at the same nonzero as the next row. The search must find the last of these rows,
 *         because that one has the nonzero.
 * Page    docs/07a_split_nonzeros.md, "v2" to "v6"
 * Task    The search is right as long as no row is empty. Repair one character.
 * Data    rows even:64,64,5 empty_rows:600,4
 * Goal    ld_requests <= 2000, max_warp <= 2
 * Hint    Offsets 0 3 3 7: nonzero 3 belongs to row 2. Which row does the search find?
 * Hint    It searches for the last row whose offset is at most k. What does it do if the offset equals k?
 * Hint    offsets[middle] <= k, not < k.
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void rows_of(practice_t p)
{
    const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
    if (k >= p.nnz) return;
    uint32_t lo = 0, hi = p.rows;
    while (hi - lo > 1) {
        const uint32_t middle = (lo + hi) / 2;
        if (p.offsets[middle] < k) lo = middle;
        else hi = middle;
    }
    p.out[k] = (float)lo;
}

void launch(const practice_t *p) { rows_of<<<(p->nnz + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
