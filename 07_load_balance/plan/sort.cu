/*
 * sort.cu - sorts rows by length, longest first, by a counting sort.  It is stable, so a plan is always the same.
 *
 * A warp has PLAN_WINDOW rows and counts the rows of each length.  A scan over all counts gives the position at
 * which the rows of one length and one warp begin.  The order of the counts determines what is sorted: if all
 * lengths of a warp are adjacent, each window separately; if all warps of a length are adjacent, all rows.
 */
#include "plan/plan.h"

enum { KEYS = PLAN_LONGEST + 1 };

// The index of the count of that key of that window.
static __device__ __forceinline__ size_t place_of(unsigned key, unsigned window, unsigned windows, bool by_window)
{
    return by_window ? (size_t)window * KEYS + key : (size_t)key * windows + window;
}

static __global__ void plan_sort_count_kernel(const uint32_t *__restrict__ lengths, size_t n, unsigned windows,
                                              bool by_window, uint32_t *counts)
{
    __shared__ uint32_t count[KEYS];
    for (unsigned key = threadIdx.x; key < KEYS; key += 32) count[key] = 0;
    __syncwarp();
    const size_t first = blockIdx.x * (size_t)PLAN_WINDOW;
#pragma unroll 1
    for (size_t p = first + threadIdx.x; p < n && p < first + PLAN_WINDOW; p += 32)
        atomicAdd(&count[PLAN_LONGEST - lengths[p]], 1u);
    __syncwarp();
    for (unsigned key = threadIdx.x; key < KEYS; key += 32)
        counts[place_of(key, blockIdx.x, windows, by_window)] = count[key];
}

static __global__ void plan_sort_place_kernel(const uint32_t *__restrict__ lengths, size_t n, unsigned windows,
                                              bool by_window, const uint32_t *__restrict__ before, uint32_t *order)
{
    __shared__ uint32_t next[KEYS + 1];
    for (unsigned key = threadIdx.x; key < KEYS; key += 32)
        next[key] = before[place_of(key, blockIdx.x, windows, by_window)];
    if (threadIdx.x == 0) next[KEYS] = 0;
    __syncwarp();
    const size_t first = blockIdx.x * (size_t)PLAN_WINDOW;
    const unsigned left_of_me = (1u << threadIdx.x) - 1;
    for (size_t round = first; round < n && round < first + PLAN_WINDOW; round += 32) {
        // Lanes with the same length get adjacent positions; lanes past the end share a key that no row has.
        const size_t p = round + threadIdx.x;
        const unsigned key = p < n ? PLAN_LONGEST - lengths[p] : (unsigned)KEYS;
        const unsigned same = __match_any_sync(0xffffffffu, key);
        const unsigned first_lane = (unsigned)__ffs((int)same) - 1;
        uint32_t to = 0;
        if (threadIdx.x == first_lane) {
            to = next[key];
            next[key] = to + __popc(same);
        }
        to = __shfl_sync(0xffffffffu, to, first_lane) + __popc(same & left_of_me);
        if (p < n) order[to] = (uint32_t)p;
        __syncwarp();
    }
}

extern "C" size_t plan_sort_words(size_t n)
{
    return plan_scan_words((n + PLAN_WINDOW - 1) / PLAN_WINDOW * KEYS);
}

extern "C" cudaError_t plan_sort(const uint32_t *d_lengths, size_t n, bool windows, uint32_t *d_counts,
                                 uint32_t *d_order, cudaStream_t stream)
{
    const unsigned warps = (unsigned)((n + PLAN_WINDOW - 1) / PLAN_WINDOW);
    if (n == 0) return cudaSuccess;
    plan_sort_count_kernel<<<warps, 32, 0, stream>>>(d_lengths, n, warps, windows, d_counts);
    TRY(plan_scan(d_counts, (size_t)warps * KEYS, nullptr, stream));
    plan_sort_place_kernel<<<warps, 32, 0, stream>>>(d_lengths, n, warps, windows, d_counts, d_order);
    return cudaGetLastError();
}
