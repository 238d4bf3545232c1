/*
 * memcpy v4 - 8 bytes per thread
 *
 * From    v3
 * Was     v3 asks for 128 bytes per request.
 * Idea    8 bytes per thread (uint2).
 * Moves   Same as v1.
 * Expect  Half of v3's requests, eight sectors in each; faster where the requests, or the bytes they
 *         keep in flight, were the limit.
 * Still   8 bytes are not yet the widest load: that is 16 bytes.  (-> v5)
 * Needs   As v3.
 * Launch  grid = bytes / 8 / BLOCK + 1, block = BLOCK.
 * Source  Article S5 in docs/sources.md.
 */
#include "chapter.h"

enum { WIDTH = 8, BLOCK = 1024 };

template <typename unit_t>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v4_kernel(unit_t *__restrict__ to, const unit_t *__restrict__ from, size_t bytes)
{
    const size_t units = bytes / sizeof(unit_t), tail = units * sizeof(unit_t);
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;

    // The loop iterates more than once only if the grid cannot be large enough.
#pragma unroll 1
    for (size_t i = thread; i < units; i += (size_t)gridDim.x * BLOCK) to[i] = from[i];

    // Copy the remaining bytes, fewer than a unit.
    if (tail + thread < bytes) ((unsigned char *)to)[tail + thread] = ((const unsigned char *)from)[tail + thread];
}

template <typename unit_t>
static cudaError_t memcpy_v4_launch(unit_t *d_to, const unit_t *d_from, size_t bytes, cudaStream_t stream)
{
    const size_t blocks = bytes / sizeof(unit_t) / BLOCK + 1, most = 1u << 30;
    memcpy_v4_kernel<unit_t><<<(unsigned)(blocks < most ? blocks : most), BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_STEP(memcpy_v4, WIDTH)
