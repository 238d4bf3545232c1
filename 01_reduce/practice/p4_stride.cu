/*
 * p4_stride - what a stride costs in global and shared memory
 *
 * Kind    predict
 * Idea    Global memory transfers sectors of 32 bytes. Shared memory has 32 banks of 4 bytes; different words of one
 *         bank are accessed one after the other, each in its own wavefront.
 * Page    docs/01_reduce.md, "v2: neighbouring threads" and "v3: sequential addressing"
 * Task    One warp loads 32 numbers. How many requests and how many sectors are that? How many wavefronts do its 16
 *         writes to shared memory and its one read take together? Replace the question marks after "answer" by the
 *         numbers.
 * Data    free 4096
 * Goal    ld_sectors, ld_requests, wavefronts
 * Hint    Lane t reads in[t * STRIDE], which is 4 * STRIDE bytes from its neighbour. Which lanes share a sector? The
 *         32 lanes read in one request.
 * Hint    Write down the banks of lanes 0, 1, 2, ... in the last line: t * STRIDE modulo 32. How many lanes use bank
 *         0? Each of the 16 writes is one wavefront, because adjacent lanes write adjacent words.
 * Hint    ld_sectors = min(32, 4 * STRIDE). The read takes as many wavefronts as lanes use one bank: STRIDE, for
 *         these powers of two. The writes take one each.
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
