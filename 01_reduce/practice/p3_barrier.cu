/*
 * p3_barrier - a round reads what the one before wrote
 *
 * Kind    repair
 * Idea    The warps of a block run as they like; what one wrote another may read only behind a __syncthreads().
 * Page    docs/01_reduce.md, "v3: sequential addressing"
 * Task    A block adds up its 256 numbers as a tree in shared memory. Put barriers where they are missing: no more
 *         than two lines.
 * Data    block_sums 256 5000
 * Goal    wavefronts <= 1000, ld_sectors <= 625
 * Hint    The report names a line and who should have written before. Is there a barrier between the two?
 * Hint    Two places: between the first write and the first round, and between a round and the next.
 * Hint    __syncthreads(); behind the line that fills partial, and as the last line inside of the for loop (outside
 *         of its if: every thread has to arrive).
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
