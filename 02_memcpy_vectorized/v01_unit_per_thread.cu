/*
 * memcpy v1 - one unit per thread
 *
 * Was     A CPU copies what its few cores have in flight.
 * Idea    Thread i copies unit i of the array, of 1, 2, 4 or 8 bytes, as the array has them.
 * Moves   bytes in, bytes out.
 * Expect  A warp loads 32 units at a time: 32 bytes per request for units of 1 byte, which is one
 *         sector, 256 bytes for units of 8.  Speed grows with the unit.
 * Still   Units are small: a request carries few bytes, and every 32 units need one.  (-> v2)
 * Needs   Any bytes, any alignment: units no wider than both addresses are aligned to; bytes that
 *         fill no unit are copied one by one.
 * Launch  grid = units / BLOCK + 1, block = BLOCK.
 * Source  Article S5 in docs/sources.md.
 */
#include "chapter.h"

enum { BLOCK = 1024 };

template <typename unit_t>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v1_kernel(unit_t *__restrict__ to, const unit_t *__restrict__ from, size_t bytes)
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
static cudaError_t memcpy_v1_launch(unit_t *d_to, const unit_t *d_from, size_t bytes, cudaStream_t stream)
{
    const size_t blocks = bytes / sizeof(unit_t) / BLOCK + 1, most = 1u << 30;
    memcpy_v1_kernel<unit_t><<<(unsigned)(blocks < most ? blocks : most), BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_STEP(memcpy_v1, unit_bytes)
