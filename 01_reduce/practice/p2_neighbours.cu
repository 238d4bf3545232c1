/*
 * p2_neighbours - lanes that read neighbours
 *
 * Kind    repair
 * Idea    A warp reads 32 numbers at a time. If they are adjacent they lie in 4 sectors of 32 bytes, otherwise in up
 *         to 32 sectors.
 * Page    docs/01_reduce.md, "v7: eight numbers per thread, one after the other" and "v8: ... a block apart"
 * Task    Each thread adds up eight numbers, and the result is right. Change the order so that adjacent threads read
 *         adjacent numbers; a block keeps its 2048 numbers.
 * Data    sum 1000 20480
 * Goal    ld_sectors <= 2560, ld_requests <= 640
 * Hint    Consider k = 0 only: which numbers do threads 0, 1, 2 read? How far apart are they?
 * Hint    Thread t should read number t of the block's 2048 first, then t + 256, t + 512, ...
 * Hint    const size_t i = first + (size_t)k * BLOCK + threadIdx.x;
 */
#include "practice.h"

enum { BLOCK = 256, EACH = 8 };

__global__ void sum(const float *in, float *out, size_t n)
{
    const size_t first = (size_t)blockIdx.x * BLOCK * EACH;
    float mine = 0;
    for (int k = 0; k < EACH; ++k) {
        const size_t i = first + (size_t)threadIdx.x * EACH + k;
        if (i < n) mine += in[i];
    }
    atomicAdd(out, mine);
}

void launch(const practice_t *p)
{
    const size_t per_block = (size_t)BLOCK * EACH;
    cudaMemsetAsync(p->out, 0, sizeof *p->out, 0);
    sum<<<(unsigned)((p->n + per_block - 1) / per_block), BLOCK>>>(p->in, p->out, p->n);
}
