/*
 * p4_stride - what a stride costs, here and there
 *
 * Kind    predict
 * Idea    Global memory moves sectors of 32 bytes; shared memory has 32 banks of 4 bytes, and words of one bank come
 *         one after the other, a wavefront each.
 * Page    docs/01_reduce.md, "v2: neighbouring threads" and "v3: sequential addressing"
 * Task    One warp loads 32 numbers. How many requests and sectors are that, and how many wavefronts take its 16 writes
 *         to shared memory and its one read, together? Write the numbers in place of the question marks behind
 *         "answer".
 * Data    free 4096
 * Goal    ld_sectors, ld_requests, wavefronts
 * Hint    Lane t reads in[t * STRIDE]: 4 * STRIDE bytes from its neighbour. Which of them share a sector? The 32
 *         lanes read in one request.
 * Hint    Write the banks of lanes 0, 1, 2, ... of the last line down: t * STRIDE modulo 32. How many lanes meet in
 *         bank 0? Each of the 16 writes is one wavefront: neighbours go to neighbours.
 * Hint    ld_sectors = min(32, 4 * STRIDE). The read takes as many wavefronts as lanes meet in one bank: STRIDE, for
 *         these powers of two; the writes take one each.
 */
#include "practice.h"

enum { STRIDE = DRAW(2, 4, 8, 16), WORDS = 512 };

__global__ void stride(const float *in, float *out)
{
    __shared__ float shared[WORDS];
    const unsigned t = threadIdx.x;
    const float mine = in[t * STRIDE];
    for (unsigned i = t; i < WORDS; i += 32) shared[i] = mine; // 16 times: each is one request
    __syncwarp();
    out[t] = shared[t * STRIDE];
}

void launch(const practice_t *p) { stride<<<1, 32>>>(p->in, p->out); }

// answer: ld_sectors = ?
// answer: ld_requests = ?
// answer: wavefronts = ?   (the 16 writes and the read)
