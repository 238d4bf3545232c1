/*
 * memcpy v16 - only the copy, a shape for each size
 *
 * From    v15
 * Was     v15 has one shape, small blocks with one vector per thread, for every size.
 * Idea    Threads per block and vectors per thread, one, two or four, come from a table of sizes, as in v13.
 * Moves   Same as v15.
 * Expect  v15 at large sizes, where the table says the same.  Below 48 MiB fewer threads do more each, so there
 *         is less to start: a few percent.
 * Still   Only costs outside the kernel: the launch if the copy is small, the memory if it is large.
 * Needs   Any bytes, any alignment: copies that do not lie on 16-byte boundaries use v14.
 * Launch  grid = a block for each tile; block and vectors by the table SHAPES below.
 * Source  The table was found by measuring: docs/02_memcpy_vectorized.md.
 */
#include "chapter.h"

enum { WIDTH = 16 };

// Each block copies one tile; the last tile may be partial, and also copies the bytes after the last whole vector.
template <unsigned BLOCK, unsigned IN_FLIGHT>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v16_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes)
{
    constexpr size_t TILE_BYTES = (size_t)BLOCK * IN_FLIGHT * WIDTH;
    const size_t first = blockIdx.x * TILE_BYTES;
    const uint4 *from16 = (const uint4 *)(from + first) + threadIdx.x;
    uint4 *to16 = (uint4 *)(to + first) + threadIdx.x;

    if (first + TILE_BYTES <= bytes) {
        uint4 v[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) v[j] = __ldcg(&from16[j * BLOCK]);
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) __stcg(&to16[j * BLOCK], v[j]);
        return;
    }
    const size_t whole = (bytes - first) / WIDTH;
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j)
        if (threadIdx.x + j * BLOCK < whole) __stcg(&to16[j * BLOCK], __ldcg(&from16[j * BLOCK]));
    const size_t left = first + whole * WIDTH + threadIdx.x;
    if (left < bytes) to[left] = from[left];
}

typedef void (*kernel_t)(unsigned char *, const unsigned char *, size_t);

struct shape {
    size_t most_bytes; // for copies of up to this many
    unsigned block, in_flight;
    kernel_t kernel;
};

#define SHAPE(most_bytes, block, in_flight) {most_bytes, block, in_flight, memcpy_v16_kernel<block, in_flight>}
static const shape SHAPES[] = {
    SHAPE((size_t)128 << 10, 128, 2), SHAPE((size_t)512 << 10, 64, 2), SHAPE((size_t)4 << 20, 128, 2),
    SHAPE((size_t)12 << 20, 512, 2),  SHAPE((size_t)24 << 20, 256, 4), SHAPE((size_t)48 << 20, 1024, 2),
    SHAPE(SIZE_MAX, 128, 1),
};

static cudaError_t memcpy_v16_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes,
                                     cudaStream_t stream)
{
    if (((size_t)d_to | (size_t)d_from) % WIDTH) return memcpy_v14(d_to, d_from, bytes, 1, stream);
    const shape *s = SHAPES;
    while (bytes > s->most_bytes) ++s;

    const size_t tile_bytes = (size_t)s->block * s->in_flight * WIDTH;
    const size_t blocks = (bytes + tile_bytes - 1) / tile_bytes;
    const kernel_t kernel = s->kernel;
    kernel<<<(unsigned)blocks, s->block, 0, stream>>>(d_to, d_from, bytes);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v16)
