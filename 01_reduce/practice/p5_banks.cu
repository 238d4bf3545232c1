/*
 * p5_banks - a tree without bank conflicts
 *
 * Kind    repair
 * Idea    Words that are a multiple of 32 apart lie in one bank. If a warp needs several of them, it reads them one
 *         after the other.
 * Page    docs/01_reduce.md, "v3: sequential addressing"
 * Task    The result is right, but round s uses words that are 2 s apart. In each round, add the upper half of the
 *         remaining sums to the lower half, so that adjacent threads use adjacent words.
 * Data    block_sums 256 5000
 * Goal    wavefronts <= 900, ld_sectors <= 625
 * Hint    In round s = 16 thread t reads words 32 t and 32 t + 16: all of them lie in banks 0 and 16.
 * Hint    Let s run from BLOCK / 2 down to 1; thread t < s adds word t + s to word t.
 * Hint    for (unsigned s = BLOCK / 2; s > 0; s /= 2) { if (tid < s) partial[tid] += partial[tid + s]; and the
 *         barrier as before.
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void block_sums(const float *in, float *out, size_t n)
{
    __shared__ float partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK + tid;
    partial[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < BLOCK; s *= 2) {
        const unsigned left = 2 * s * tid;
        if (left < BLOCK) partial[left] += partial[left + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

void launch(const practice_t *p)
{
    block_sums<<<(unsigned)((p->n + BLOCK - 1) / BLOCK), BLOCK>>>(p->in, p->out, p->n);
}
