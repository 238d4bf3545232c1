/*
 * p5_which - static or dynamic scheduling
 *
 * Kind    choose
 * Idea    If rows have different lengths, a warp that finishes early can take more rows.
 * Page    docs/06_spmv_lightspmv.md, "v5" and "v6"
 * Task    In a every warp has 64 rows of its own (static scheduling), in b a warp takes 8 rows at a time (dynamic
 *         scheduling). The long rows are adjacent. Which is better, and in which count do they differ most? Write a
 *         or b, and one of ld_sectors, st_sectors, max_warp.
 * Data    spmv rmat:9,12
 * Turns   yes
 * Goal    ld_sectors, st_sectors, max_warp
 * Hint    Both kernels read every nonzero once and write every y once.
 * Hint    max_warp is the work of the busiest warp divided by that of the mean warp.
 * Hint    In a, what do seven of the eight warps do while the warp with the long rows works?
 */
#include "practice.h"

enum { BLOCK = 64, TICKET = 8 };

static __device__ void do_rows(const practice_t &p, uint32_t from, uint32_t to)
{
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t row = from; row < to && row < p.rows; ++row) {
        float all = 0;
        for (uint32_t k = p.offsets[row] + lane; k < p.offsets[row + 1]; k += 32)
            all += p.values[k] * p.x[p.columns[k]];
        for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(0xffffffff, all, s);
        if (lane == 0) p.y[row] = all;
    }
}

__global__ void a(practice_t p, uint32_t each)
{
    const uint32_t warp = (blockIdx.x * BLOCK + threadIdx.x) / 32;
    do_rows(p, warp * each, (warp + 1) * each);
}

__global__ void b(practice_t p)
{
    for (;;) {
        uint32_t first = 0;
        if (threadIdx.x % 32 == 0) first = atomicAdd(p.counter, (uint32_t)TICKET);
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= p.rows) return;
        do_rows(p, first, first + TICKET);
    }
}

void launch_a(const practice_t *p) { a<<<4, BLOCK>>>(*p, (p->rows + 7) / 8); }
void launch_b(const practice_t *p) { b<<<4, BLOCK>>>(*p); }

// answer: winner = ?
// answer: count = ?
