/*
 * memcpy v9 - any alignment: the source is realigned in registers
 *
 * From    v8
 * Was     v8 leaves addresses with different alignments to v7, which copies them byte by byte at worst.
 * Idea    Store aligned 16-byte vectors whatever the source does.  The 16 bytes a store needs lie in
 *         two aligned vectors of the source: load both, and shift the 16 out of their 32 bytes.
 *         The bytes before the target's first sector, and after its last vector, go one by one.
 * Moves   bytes in, bytes out; if source and target differ in alignment, a vector is loaded
 *         twice, the second time from L1.
 * Expect  Equal alignment: v8.  Else: twice the load requests, which L1 serves, so
 *         near the aligned speed instead of a fraction of it.
 * Still   One shape of grid for all sizes (-> v13); every byte passes through registers (-> v10).
 * Needs   Any bytes, any alignment; loads stay within the source.
 * Launch  grid = enough tiles, at most what fits on the GPU at once; block = BLOCK.
 * Source  The shift of two words in one: CUDA Math API, __funnelshift_r.
 */
#include "chapter.h"

enum { WIDTH = 16, SECTOR = 32, BLOCK = 512, IN_FLIGHT = 4, TILE = BLOCK * IN_FLIGHT };

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

template <bool SHIFTED>
__global__ void __launch_bounds__(BLOCK)
    memcpy_v9_kernel(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t bytes, parts p)
{
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
            if (i < units) v[j] = __ldcs(&from16[i]);
            if (SHIFTED && i < units) next[j] = __ldcs(&from16[i + 1]);
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const size_t i = tile + j * BLOCK + threadIdx.x;
            if (i < units) __stcs(&to16[i], SHIFTED ? shifted(v[j], next[j], p.shift) : v[j]);
        }
    }

    // Copy the bytes before the vectors (fewer than 48) and after them (fewer than 32).
    if (thread < p.head) to[thread] = from[thread];
    if (tail + thread < bytes) to[tail + thread] = from[tail + thread];
}

// Returns as many blocks as there are tiles, but no more than the GPU can hold at once.
template <typename kernel_t>
static unsigned grid_for(kernel_t kernel, size_t units)
{
    int gpu = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, BLOCK, 0);
    const size_t resident = (size_t)sms * (size_t)blocks_per_sm, tiles = (units + TILE - 1) / TILE;
    return (unsigned)(tiles < 1 ? 1 : tiles < resident ? tiles : resident);
}

static cudaError_t memcpy_v9_launch(unsigned char *d_to, const unsigned char *d_from, size_t bytes, cudaStream_t stream)
{
    const parts p = parts_of(d_to, d_from, bytes);
    const auto kernel = p.shift ? memcpy_v9_kernel<true> : memcpy_v9_kernel<false>;
    kernel<<<grid_for(kernel, p.units), BLOCK, 0, stream>>>(d_to, d_from, bytes, p);
    return cudaGetLastError();
}

MEMCPY_BYTES_STEP(memcpy_v9)
