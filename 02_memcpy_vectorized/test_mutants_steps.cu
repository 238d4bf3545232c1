/*
 * test_mutants_steps.cu - steps with the mistake that their own idea invites.  Every one of them must be rejected
 * (test_memcpy.c says by which word).
 */
#include "chapter.h"

enum { WIDTH = 16, BLOCK = 256 };

// v8: the bytes up to the first border, also where the copy ends before it.
static __global__ void head_not_cut_kernel(unsigned char *to, const unsigned char *from, size_t bytes, size_t head)
{
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (thread < head) to[thread] = from[thread];
    for (size_t i = head + thread; i < bytes; i += (size_t)gridDim.x * BLOCK) to[i] = from[i];
}

extern "C" cudaError_t mutant_head_not_cut(MEMCPY_ARGS)
{
    (void)unit_bytes;
    const size_t head = (WIDTH - (size_t)d_to % WIDTH) % WIDTH;
    head_not_cut_kernel<<<1, BLOCK, 0, stream>>>((unsigned char *)d_to, (const unsigned char *)d_from, bytes, head);
    return cudaGetLastError();
}
