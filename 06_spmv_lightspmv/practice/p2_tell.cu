/*
 * p2_tell - one asks, all know
 *
 * Kind    fill
 * Idea    One question for a warp is enough: the lane that asked hands the answer to the others.
 * Page    docs/06_spmv_lightspmv.md, "v2" and "v6"
 * Task    Lane 0 has asked. Fill in how the other lanes learn the row.
 * Data    spmv random:100,100,1000 random:400,400,6000
 * Turns   yes
 * Goal    atomic_lanes <= 420, ld_requests <= 2100
 * Hint    row is right in lane 0 and 0 elsewhere. Which operation gives all lanes a lane's value?
 * Hint    __shfl_sync(mask, value, lane): the value of that lane. All 32 lanes arrive.
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
