/*
 * p3_staged - x in shared memory, chunk by chunk
 *
 * Kind    repair
 * Idea    A chunk of x that the block shares must be complete before a thread uses it, and all threads must have used
 *         it before the next chunk replaces it.
 * Page    docs/03_gemv.md, "v7"
 * Task    The block copies 128 numbers of x to shared memory, uses them, and copies the next 128. Two barriers are
 *         missing.
 * Data    col 128,128 300,300
 * Goal    ld_requests <= 4600
 * Hint    The report names the thread that wrote and the thread that read. Is there a __syncthreads() between these
 *         two lines?
 * Hint    One barrier belongs between the copy and the loop that uses it, the other after that loop, before the next
 *         copy.
 * Hint    Both are __syncthreads(); inside the outer loop and outside of any if, because threads without a row must
 *         arrive, too.
 */
#include "practice.h"

enum { BLOCK = 128 };

__global__ void gemv(practice_t p)
{
    __shared__ float piece[BLOCK];
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    float all = 0;
    for (uint32_t first = 0; first < p.cols; first += BLOCK) {
        const uint32_t count = min((unsigned)BLOCK, p.cols - first);
        if (threadIdx.x < count) piece[threadIdx.x] = p.x[first + threadIdx.x];
        if (row < p.rows)
            for (uint32_t c = 0; c < count; ++c) all += p.A[(first + c) * p.rows + row] * piece[c];
    }
    if (row < p.rows) p.y[row] = all;
}

void launch(const practice_t *p) { gemv<<<(p->rows + BLOCK - 1) / BLOCK, BLOCK>>>(*p); }
