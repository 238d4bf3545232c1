/*
 * p3_tickets - several rows for each request
 *
 * Kind    repair
 * Idea    A request is an atomic, and the atomics of all warps are executed one after the other. A ticket of several
 *         rows needs fewer of them.
 * Page    docs/06_spmv_lightspmv.md, "v4" and "v6"
 * Task    The result is right, but every row needs a request. Let a warp take TICKET rows at once and compute all of
 *         them.
 * Data    spmv random:101,100,1000 random:1003,1000,6000
 * Turns   yes
 * Goal    atomics <= 142, max_warp <= 3
 * Hint    Advance the counter by TICKET; the value that comes back is the first of TICKET rows.
 * Hint    Put a loop over row = first to first + TICKET - 1 around the work for a row. The last ticket may reach past
 *         the last row.
 * Hint    first = atomicAdd(p.counter, (uint32_t)TICKET); and the loop continues while row < first + TICKET and row <
 *         p.rows.
 */
#include "practice.h"

enum { BLOCK = 64, BLOCKS = 8, TICKET = 8 };

__global__ void spmv(practice_t p)
{
    const uint32_t lane = threadIdx.x % 32;
    for (;;) {
        uint32_t first = 0;
        if (lane == 0) first = atomicAdd(p.counter, 1u);
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= p.rows) return;
        for (uint32_t row = first; row < first + 1; ++row) {
            float all = 0;
            for (uint32_t k = p.offsets[row] + lane; k < p.offsets[row + 1]; k += 32)
                all += p.values[k] * p.x[p.columns[k]];
            for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
            if (lane == 0) p.y[row] = all;
        }
    }
}

void launch(const practice_t *p) { spmv<<<BLOCKS, BLOCK>>>(*p); }
