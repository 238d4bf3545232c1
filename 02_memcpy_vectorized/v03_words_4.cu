/*
 * memcpy v3 - 4 bytes per thread
 *
 * From    v1
 * Was     In v1 and v2 a thread copies one unit, which may be a single byte.
 * Idea    A copy need not know what the bytes mean.  As in v1, copy through a register, but
 *         4 bytes per thread, whatever the unit is.
 * Moves   Same as v1.
 * Expect  128 bytes per request, four sectors.  For units of 1 byte a quarter of the requests and of
 *         the threads; for units of 4 exactly v1, for units of 8 worse.
 * Still   Four sectors per request; the hardware takes up to sixteen.  (-> v4)
 * Needs   Any bytes, any alignment: units no wider than both addresses are aligned to; bytes that
 *         fill no unit are copied one by one.
 * Launch  grid = bytes / 4 / BLOCK + 1, block = BLOCK.
 * Source  Article S5 in docs/sources.md.
 */
#include "chapter.h"

enum { WIDTH = 4, BLOCK = 1024 };

template <typename unit_t>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v3_kernel(unit_t *__restrict__ to, const unit_t *__restrict__ from, size_t bytes)
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
static cudaError_t memcpy_v3_launch(unit_t *d_to, const unit_t *d_from, size_t bytes, cudaStream_t stream)
{
    const size_t blocks = bytes / sizeof(unit_t) / BLOCK + 1, most = 1u << 30;
    memcpy_v3_kernel<unit_t><<<(unsigned)(blocks < most ? blocks : most), BLOCK, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_STEP(memcpy_v3, WIDTH)
