/*
 * p7_which - two trees
 *
 * Kind    choose
 * Idea    A warp takes the same time with one active lane as with 32. So it matters which threads have work, not only
 *         how many.
 * Page    docs/01_reduce.md, "v1: interleaved pairs, chosen by modulo" and "v2: neighbouring threads"
 * Task    Kernel a or kernel b: which is better, and which count shows it? Write a or b after winner, and one of
 *         ld_sectors, st_sectors, lanes after count (lanes: the average number of active lanes of 32; more is
 *         better).
 * Data    block_sums 5000
 * Goal    ld_sectors, st_sectors, lanes
 * Hint    Do a and b differ in what they read from global memory, or in what they write there?
 * Hint    Round s = 2 of a: which threads of the first warp are active? Which are active in b?
 * Hint    In b the first 64 threads are active in round s = 2, so two warps are full. In a each of the eight warps
 *         has eight active lanes.
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void a(const float *in, float *out, size_t n)
{
    __shared__ float partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK + tid;
    partial[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < BLOCK; s *= 2) {
        if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

__global__ void b(const float *in, float *out, size_t n)
{
    __shared__ float partial[BLOCK];
    const unsigned tid = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * BLOCK + tid;
    partial[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < BLOCK; s *= 2) {
        if (2 * s * tid < BLOCK) partial[2 * s * tid] += partial[2 * s * tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

void launch_a(const practice_t *p) { a<<<(unsigned)((p->n + BLOCK - 1) / BLOCK), BLOCK>>>(p->in, p->out, p->n); }
void launch_b(const practice_t *p) { b<<<(unsigned)((p->n + BLOCK - 1) / BLOCK), BLOCK>>>(p->in, p->out, p->n); }

// answer: winner = ?
// answer: count = ?
