/*
 * gpu_sort.cu - a radix sort: 8 bits at a time, the lowest first; each pass keeps the order of equal digits.
 *
 * Each warp has a contiguous share of the numbers.
 *
 *   count   counts the numbers of each share that have each of the 256 digits
 *   scan    turns the counts, those of the first digit of all warps first, into places
 *   move    the warp goes through its share again, 32 numbers at a time: lanes with the same digit find each other by
 *           __match_any_sync, and take the next places of the digit in the order of the lanes
 *
 * No place depends on which warp is first, so the result is always the same.  After D. Merrill and A. Grimshaw, High
 * Performance and Scalable Radix Sorting (2011), without its local sort.
 */
#include "gpu_slices_build.cuh"
#include "gpu_sort.h"

namespace {

enum { DIGITS = 256, BITS = 8, LEAST_SHARE = 1024, MOST_WARPS = 8192 };

__global__ void first_order_kernel(uint32_t n, uint32_t *order)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) order[i] = i;
}

__global__ void fetch_keys_kernel(uint32_t n, const uint32_t *__restrict__ order, const uint32_t *__restrict__ key,
                                  uint32_t *keys)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) keys[i] = key[order[i]];
}

__global__ void __launch_bounds__(BLOCK) count_digits_kernel(gpu_sort_t s, unsigned shift)
{
    __shared__ uint32_t bins[WARPS][DIGITS];
    const unsigned lane = threadIdx.x % LANES, warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    uint32_t *const mine = bins[threadIdx.x / LANES];
    for (unsigned d = lane; d < DIGITS; d += LANES) mine[d] = 0;
    __syncwarp();
    const uint32_t from = min(warp * s.share, s.n), end = min(from + s.share, s.n);
    for (uint32_t i = from + lane; i < end; i += LANES) atomicAdd(&mine[s.keys[i] >> shift & (DIGITS - 1)], 1u);
    __syncwarp();
    if (warp < s.warps)
        for (unsigned d = lane; d < DIGITS; d += LANES) s.counts[d * s.warps + warp] = mine[d];
}

__global__ void __launch_bounds__(BLOCK) move_kernel(gpu_sort_t s, unsigned shift)
{
    __shared__ uint32_t next[WARPS][DIGITS]; // place of each digit
    const unsigned lane = threadIdx.x % LANES, warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    uint32_t *const mine = next[threadIdx.x / LANES];
    if (warp >= s.warps) return;
    for (unsigned d = lane; d < DIGITS; d += LANES) mine[d] = s.counts[d * s.warps + warp];
    __syncwarp();
    const uint32_t from = min(warp * s.share, s.n), end = min(from + s.share, s.n);
    for (uint32_t first = from; first < end; first += LANES) {
        const bool is_there = first + lane < end;
        const uint32_t key = is_there ? s.keys[first + lane] : 0, what = is_there ? s.order[first + lane] : 0;
        const unsigned digit = is_there ? key >> shift & (DIGITS - 1) : (unsigned)DIGITS;
        const unsigned equal = __match_any_sync(ALL_LANES, digit), before = __popc(equal & ((1u << lane) - 1));
        const uint32_t place = is_there ? mine[digit] + before : 0;
        __syncwarp();
        if (is_there && before == 0) mine[digit] += __popc(equal);
        __syncwarp();
        if (!is_there) continue;
        s.other_keys[place] = key;
        s.other_order[place] = what;
    }
}

void shares(uint32_t n, uint32_t *warps, uint32_t *share)
{
    const uint32_t most = (n - 1) / MOST_WARPS + 1, least = most > LEAST_SHARE ? most : (uint32_t)LEAST_SHARE;
    *share = (least + LANES - 1) / LANES * LANES;
    *warps = (n - 1) / *share + 1;
}

size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

} // namespace

size_t gpu_sort_bytes(uint32_t n)
{
    uint32_t warps, share;
    shares(n, &warps, &share);
    const size_t counts = (size_t)warps * DIGITS;
    return 4 * rounded(n * sizeof(uint32_t)) + rounded(counts * sizeof(uint32_t)) +
           rounded((blocks_for(counts, SCAN_TILE) + 1) * sizeof(uint32_t));
}

cudaError_t gpu_sort_begin(gpu_sort_t *s, uint32_t n, void *scratch, cudaStream_t stream)
{
    const size_t words = rounded(n * sizeof(uint32_t)) / sizeof(uint32_t);
    s->n = n;
    shares(n, &s->warps, &s->share);
    s->order = (uint32_t *)scratch;
    s->keys = s->order + words;
    s->other_order = s->keys + words;
    s->other_keys = s->other_order + words;
    s->counts = s->other_keys + words;
    s->sums = s->counts + rounded((size_t)s->warps * DIGITS * sizeof(uint32_t)) / sizeof(uint32_t);
    first_order_kernel<<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>(n, s->order);
    return cudaPeekAtLastError();
}

cudaError_t gpu_sort_by(gpu_sort_t *s, const uint32_t *key, uint32_t limit, cudaStream_t stream)
{
    const unsigned blocks = blocks_for(s->warps, WARPS);
    fetch_keys_kernel<<<blocks_for(s->n, BLOCK), BLOCK, 0, stream>>>(s->n, s->order, key, s->keys);
    for (unsigned shift = 0; shift < 32 && (limit - 1) >> shift > 0; shift += BITS) {
        count_digits_kernel<<<blocks, BLOCK, 0, stream>>>(*s, shift);
        const cudaError_t status = slices_scan(s->counts, (size_t)s->warps * DIGITS, s->sums, stream);
        if (status != cudaSuccess) return status;
        move_kernel<<<blocks, BLOCK, 0, stream>>>(*s, shift);
        uint32_t *const order = s->order, *const keys = s->keys;
        s->order = s->other_order, s->keys = s->other_keys;
        s->other_order = order, s->other_keys = keys;
    }
    return cudaPeekAtLastError();
}
