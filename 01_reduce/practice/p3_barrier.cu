/*
 * p3_barrier - a round reads what the previous round wrote
 *
 * Kind    repair
 * Idea    The warps of a block run in any order. A thread may read what another warp wrote only after a
 *         __syncthreads().
 * Page    docs/01_reduce.md, "v3: sequential addressing"
 * Task    A block adds up its 256 numbers as a tree in shared memory. Add the missing barriers: at most two lines.
 * Data    block_sums 256 5000
 * Goal    wavefronts <= 1000, ld_sectors <= 625
 * Hint    The report names a line, and the thread that wrote the value. Is there a barrier between the write and the
 *         read?
 * Hint    Two places need a barrier: between the first write and the first round, and between one round and the next.
 * Hint    Put __syncthreads(); after the line that fills partial, and as the last line inside the for loop (outside
 *         its if, because every thread must arrive).
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void block_sums(const float *in, float *out, size_t n)
{
    __shared__ float partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK + tid;
    partial[tid] = i < n ? in[i] : 0;
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

void launch(const practice_t *p)
{
    block_sums<<<(unsigned)((p->n + BLOCK - 1) / BLOCK), BLOCK>>>(p->in, p->out, p->n);
}
