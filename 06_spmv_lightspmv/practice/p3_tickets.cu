/*
 * p3_tickets - several rows for one question
 *
 * Kind    repair
 * Idea    A question costs an atomic that all warps wait in line for; a ticket of several rows needs fewer of them.
 * Page    docs/06_spmv_lightspmv.md, "v4" and "v6"
 * Task    Right, but every row is asked for. Let a warp ask for TICKET rows at once and do all of them.
 * Data    spmv random:101,100,1000 random:1003,1000,6000
 * Turns   yes
 * Goal    atomics <= 142, max_warp <= 3
 * Hint    The counter moves on by TICKET, and what comes back is the first of TICKET rows.
 * Hint    A loop over row = first to first + TICKET - 1 around what is done for a row; the last ticket may reach
 *         beyond the last row.
 * Hint    first = atomicAdd(p.counter, (uint32_t)TICKET); and the loop goes on as long as row < first + TICKET and
 *         row < p.rows.
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
