/*
 * p4_questions - how many requests
 *
 * Kind    predict
 * Idea    Every ticket is one atomic. In addition every warp makes one request that returns no work, which is how it
 *         learns that no rows remain.
 * Page    docs/06_spmv_lightspmv.md, "v6"
 * Task    There are 512 rows, TICKET rows per request, and 8 warps; only lane 0 makes requests. How many atomic
 *         requests are there, and how many lanes take part in all of them together?
 * Data    free 512
 * Turns   yes
 * Goal    atomics, atomic_lanes
 * Hint    How many tickets are there? When does a warp leave the loop?
 * Hint    It leaves when the result is 512 or more: that was a request, too.
 * Hint    512 / TICKET + 8 requests, with one lane in each.
 */
#include "practice.h"

enum { ROWS = 512, TICKET = DRAW(4, 8, 16, 32, 64) };

__global__ void tickets(const float *in, float *out, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % 32;
    for (;;) {
        unsigned first = 0;
        if (lane == 0) first = atomicAdd(counter, (unsigned)TICKET);
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= ROWS) return;
        for (unsigned row = first + lane; row < first + TICKET; row += 32) out[row] = 2 * in[row];
    }
}

void launch(const practice_t *p) { tickets<<<4, 64>>>(p->in, p->out, p->counter); }

// answer: atomics = ?
// answer: atomic_lanes = ?
