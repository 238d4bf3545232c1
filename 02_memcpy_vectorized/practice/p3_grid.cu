/*
 * p3_grid - a grid sized to the GPU, not to the array
 *
 * Kind    fill
 * Idea    A thread may copy several numbers: it advances by the number of threads in the grid until it reaches the
 *         end.
 * Page    docs/02_memcpy_vectorized.md, "v6"
 * Task    The launch has eight blocks for any n. Add the loop, so that all n numbers are copied and adjacent threads
 *         copy adjacent numbers.
 * Data    copy 100 2048 20001
 * Goal    blocks <= 8, ld_sectors <= 2501
 * Hint    Each thread copies one number so far. Which is the first number that no thread has copied?
 * Hint    gridDim.x * BLOCK threads copy that many numbers in one round; then the next round begins.
 * Hint    for (size_t i = first; i < n; i += (size_t)gridDim.x * BLOCK) out[i] = in[i];
 */
#include "practice.h"

enum { BLOCK = 256 };

__global__ void copy(const float *in, float *out, size_t n)
{
    const size_t first = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (first < n) out[first] = in[first]; // TODO: and the others
}

void launch(const practice_t *p) { copy<<<8, BLOCK>>>(p->in, p->out, p->n); }
