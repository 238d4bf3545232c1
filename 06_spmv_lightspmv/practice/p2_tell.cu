/*
 * p2_tell - one lane takes a row, all lanes need it
 *
 * Kind    fill
 * Idea    One request per warp is enough: the lane that made it passes the result to the others.
 * Page    docs/06_spmv_lightspmv.md, "v2" and "v6"
 * Task    Lane 0 has taken a row. Add the line by which the other lanes learn its number.
 * Data    spmv random:100,100,1000 random:400,400,6000
 * Turns   yes
 * Goal    atomic_lanes <= 420, ld_requests <= 2100
 * Hint    row is right in lane 0 and 0 in all other lanes. Which operation gives all lanes the value of one lane?
 * Hint    __shfl_sync(mask, value, lane) returns the value of that lane. All 32 lanes must execute it.
 * Hint    row = __shfl_sync(0xffffffff, row, 0);
 */
#include "practice.h"

enum { BLOCK = 64, BLOCKS = 8 };

__global__ void spmv(practice_t p)
{
    const uint32_t lane = threadIdx.x % 32;
    for (;;) {
        uint32_t row = 0;
        if (lane == 0) row = atomicAdd(p.counter, 1u);
        // TODO: row of lane 0, in all lanes
        if (row >= p.rows) return;
        float all = 0;
        for (uint32_t k = p.offsets[row] + lane; k < p.offsets[row + 1]; k += 32)
            all += p.values[k] * p.x[p.columns[k]];
        for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
        if (lane == 0) p.y[row] = all;
    }
}

void launch(const practice_t *p) { spmv<<<BLOCKS, BLOCK>>>(*p); }
