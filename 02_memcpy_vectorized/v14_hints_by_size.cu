/*
 * memcpy v14 - hints for each size, too
 *
 * From    v13
 * Was     v13 marks every load and store evict-first, at every size.
 * Idea    The table has the hints as well: none, stores only, or both, found by measuring.  None is best
 *         nearly everywhere.
 * Moves   Same as v9.
 * Expect  Nothing in the counts.  If warm in L2, a copy finds its lines again: a large gain; beyond L2 a few percent.
 * Still   Every copy executes code for heads, tails, shifts and a loop, even if it needs none of them. (-> v15)
 * Needs   Any bytes, any alignment; loads stay within the source.
 * Launch  by the table SHAPES below.
 * Source  The table was found by measuring: docs/02_memcpy_vectorized.md.
 */
#include "chapter.h"

enum { WIDTH = 16, SECTOR = 32 };
enum hints { PLAIN, STREAM_STORES, STREAM }; // evict-first are: none, the stores, the loads and stores

// Returns the 16 bytes that start `shift` bytes into the 32 bytes of a and b.
static __device__ uint4 shifted(uint4 a, uint4 b, unsigned shift)
{
    if (shift & 8) a.x = a.z, a.y = a.w, a.z = b.x, a.w = b.y, b.x = b.z, b.y = b.w;
    if (shift & 4) a.x = a.y, a.y = a.z, a.z = a.w, a.w = b.x, b.x = b.y;
    const unsigned bits = 8 * (shift & 3);
    return make_uint4(__funnelshift_r(a.x, a.y, bits), __funnelshift_r(a.y, a.z, bits),
                      __funnelshift_r(a.z, a.w, bits), __funnelshift_r(a.w, b.x, bits));
}

// The parts of a copy: `head` bytes up to a sector boundary of the target, `units` vectors, the remaining bytes.
struct parts {
    size_t head, units;
    unsigned shift; // a target vector's bytes start this far into a vector of the source
};

static parts parts_of(const void *to, const void *from, size_t bytes)
{
    parts p = {(SECTOR - (size_t)to % SECTOR) % SECTOR, 0, 0};
    p.shift = (unsigned)(((size_t)from + p.head) % WIDTH);
    if (p.shift > p.head) p.head += SECTOR; // or the first load would begin before the source
    if (p.head > bytes) p.head = bytes;
    p.units = (bytes - p.head) / WIDTH;
    // Drop the last vector if its second load would end after the source.
    if (p.shift > 0 && p.units > 0 && bytes - p.head - p.units * WIDTH < WIDTH - p.shift) --p.units;
    return p;
}

template <unsigned BLOCK, unsigned IN_FLIGHT, int HINTS, bool SHIFTED>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v14_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes, parts p)
{
    constexpr unsigned TILE = BLOCK * IN_FLIGHT;
    const size_t units = p.units, tail = p.head + units * WIDTH;
    const size_t thread = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    uint4 *to16 = (uint4 *)(to + p.head);
    const uint4 *from16 = (const uint4 *)(from + p.head - p.shift);

    // Issue all loads of a tile before the first store, which has to wait for its load.
#pragma unroll 1
    for (size_t tile = (size_t)blockIdx.x * TILE; tile < units; tile += (size_t)gridDim.x * TILE) {
        uint4 v[IN_FLIGHT] = {}, next[IN_FLIGHT] = {};
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) v[j] = HINTS == STREAM ? __ldcs(&from16[i]) : from16[i];
            if (SHIFTED && i < units) next[j] = HINTS == STREAM ? __ldcs(&from16[i + 1]) : from16[i + 1];
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (SHIFTED) v[j] = shifted(v[j], next[j], p.shift);
            if (i < units && HINTS == PLAIN) to16[i] = v[j];
            if (i < units && HINTS != PLAIN) __stcs(&to16[i], v[j]);
        }
    }

    // Copy the bytes before the vectors (fewer than 48) and after them (fewer than 32).
    if (thread < p.head) to[thread] = from[thread];
    if (tail + thread < bytes) to[tail + thread] = from[tail + thread];
}

typedef void (*kernel_t)(unsigned char *, const unsigned char *, size_t, parts);

struct shape {
    size_t most_bytes;       // for copies of up to this many
    unsigned block, in_flight;
    unsigned blocks_per_sm;  // limits the grid; 0: one block per tile
    kernel_t kernel[2];      // addresses aligned alike, or not
};

#define SHAPE(most_bytes, block, in_flight, hints, blocks_per_sm)                       \
    {                                                                                   \
        most_bytes, block, in_flight, blocks_per_sm,                                    \
        {memcpy_v14_kernel<block, in_flight, hints, false>,                             \
         memcpy_v14_kernel<block, in_flight, hints, true>}                              \
    }
static const shape SHAPES[] = {
    SHAPE((size_t)64 << 10, 128, 2, PLAIN, 0),
    SHAPE((size_t)1 << 20, 256, 1, STREAM_STORES, 0),
    SHAPE((size_t)4 << 20, 128, 2, PLAIN, 0),
    SHAPE((size_t)12 << 20, 512, 2, PLAIN, 0),
    SHAPE((size_t)48 << 20, 1024, 4, PLAIN, 1),
    SHAPE(SIZE_MAX, 512, 1, PLAIN, 0),
};

static cudaError_t memcpy_v14_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes,
                                     cudaStream_t stream)
{
    const shape *s = SHAPES;
    while (bytes > s->most_bytes) ++s;

    const parts p = parts_of(d_to, d_from, bytes);
    const size_t tile = (size_t)s->block * s->in_flight, tiles = (p.units + tile - 1) / tile;
    int gpu = 0, sms = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    const size_t most = s->blocks_per_sm ? (size_t)sms * s->blocks_per_sm : tiles;
    const size_t blocks = tiles < 1 ? 1 : tiles < most ? tiles : most;

    const kernel_t kernel = s->kernel[p.shift > 0];
    kernel<<<(unsigned)blocks, s->block, 0, stream>>>(d_to, d_from, bytes, p);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v14)
