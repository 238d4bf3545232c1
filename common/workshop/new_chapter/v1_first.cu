/*
 * topic v1 - a thread for each number
 *
 * Was     n numbers are doubled one after the other on the CPU.
 * Idea    Each thread doubles one number.
 * Moves   n numbers in, n out.
 * Expect  v1 is near the peak bandwidth for copies.
 * Still   Each thread has only one load in flight.  (-> v2)
 * Needs   nothing.
 * Launch  grid = ceil(n / BLOCK), block = BLOCK.
 * Source  ours.
 */
#include "chapter.h"

enum { BLOCK = 256 };

__global__ void topic_v1_kernel(const float *__restrict__ x, size_t n, float *__restrict__ y)
{
    const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}

extern "C" cudaError_t topic_v1(TOPIC_ARGS)
{
    if (n > 0) topic_v1_kernel<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(d_x, n, d_y);
    return cudaGetLastError();
}
