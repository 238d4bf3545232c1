/*
 * p1_ask - taking the next row
 *
 * Kind    repair
 * Idea    An idle warp takes the next row from a counter. Reading the counter and advancing it must be one operation.
 * Page    docs/06_spmv_lightspmv.md, "v2"
 * Task    Lane 0 takes a row for its warp and tells the other lanes. Two warps may get the same row: repair it.
 * Data    spmv random:8,8,20 random:100,100,1000 powerlaw:400,400,6000
 * Turns   yes
 * Goal    atomics <= 420, max_warp <= 6
 * Hint    What happens if two warps read the counter before one of them has written it?
 * Hint    atomicAdd(address, 1) adds one and returns the value from before the addition.
 * Hint    if (lane == 0) row = atomicAdd(p.counter, 1u);
 */
#include "practice.h"

enum { BLOCK = 64, BLOCKS = 8 };

__global__ void spmv(practice_t p)
{
    const uint32_t lane = threadIdx.x % 32;
    for (;;) {
        uint32_t row = 0;
        if (lane == 0) {
            row = *p.counter;
            *p.counter = row + 1;
        }
        row = __shfl_sync(0xffffffff, row, 0);
        if (row >= p.rows) return;
        float all = 0;
        for (uint32_t k = p.offsets[row] + lane; k < p.offsets[row + 1]; k += 32)
            all += p.values[k] * p.x[p.columns[k]];
        for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
        if (lane == 0) p.y[row] = all;
    }
}

void launch(const practice_t *p) { spmv<<<BLOCKS, BLOCK>>>(*p); }
