/*
 * p6_shuffle - a sum within a warp
 *
 * Kind    fill
 * Idea    The lanes of a warp can read each other's registers (__shfl_down_sync), without shared memory and without a
 *         barrier.
 * Page    docs/01_reduce.md, "v9: warp shuffles"
 * Task    Complete warp_sum: lane 0 must get the sum of all 32 lanes, in five shuffles. The other code is complete.
 * Data    block_sums 256 1000 5000
 * Goal    wavefronts <= 180, ld_sectors <= 625
 * Hint    It is the tree of v3 with 16, 8, 4, 2, 1 lanes. Instead of partial[tid + s], read the value of lane + s.
 * Hint    __shfl_down_sync(0xffffffff, x, s) returns x of the lane s further up. All lanes must execute it, so use no
 *         if.
 * Hint    for (int s = 16; s > 0; s /= 2) x += __shfl_down_sync(0xffffffff, x, s);
 */
#include "practice.h"

enum { BLOCK = 256, WARPS = BLOCK / 32 };

// The sum of x over the 32 lanes, in lane 0.
static __device__ float warp_sum(float x)
{
    // TODO
    return x;
}

__global__ void block_sums(const float *in, float *out, size_t n)
{
    __shared__ float of_warp[WARPS];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK + tid;
    const float mine = warp_sum(i < n ? in[i] : 0);
    if (tid % 32 == 0) of_warp[tid / 32] = mine;
    __syncthreads();
    if (tid < 32) {
        const float all = warp_sum(tid < WARPS ? of_warp[tid] : 0);
        if (tid == 0) out[blockIdx.x] = all;
    }
}

void launch(const practice_t *p)
{
    block_sums<<<(unsigned)((p->n + BLOCK - 1) / BLOCK), BLOCK>>>(p->in, p->out, p->n);
}
