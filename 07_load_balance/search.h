/* search.h - searches among row offsets: by the 32 lanes of a warp for the steps that bisect in the kernel (v6, v8,
 * v17), by one thread for builders. */
#ifndef LOAD_BALANCE_SEARCH_H
#define LOAD_BALANCE_SEARCH_H

#include <stdint.h>

/* The number of i < n for which before(i) is true; they are 0, 1 and so on up to the first that is false.  The 32 lanes
 * test 32 values at a time, so a million takes four rounds of one load instead of twenty.  All lanes must call it. */
template <typename Before>
static __device__ __forceinline__ unsigned count_by_warp(unsigned from, unsigned to, Before before)
{
    const unsigned lane = threadIdx.x % 32;
#pragma unroll 1
    while (from < to) {
        const unsigned step = (to - from + 31) / 32, ask = from + (lane + 1) * step - 1;
        const unsigned yes = (unsigned)__popc(__ballot_sync(0xffffffffu, ask < to && before(ask)));
        from += yes * step;
        to = min(to, from + step - 1);
    }
    return from;
}

/* Returns the first row that begins at nonzero nz or later; `rows` if none does. */
template <typename O>
static __device__ __forceinline__ unsigned first_row_from(const O *__restrict__ row_offsets, unsigned rows, O nz)
{
    return count_by_warp(0, rows, [=](unsigned r) { return row_offsets[r] < nz; });
}

/* Returns the row of nonzero nz: the last nonempty row that begins at nz or before.  One thread searches. */
template <typename O>
static __device__ __forceinline__ uint32_t row_of_nonzero(const O *__restrict__ row_offsets, size_t rows, uint64_t nz)
{
    uint32_t row = 0, end = (uint32_t)rows; // row_offsets[row] <= nz < row_offsets[end]
#pragma unroll 1
    while (end - row > 1) {
        const uint32_t middle = row + (end - row) / 2;
        if ((uint64_t)row_offsets[middle] <= nz) row = middle;
        else end = middle;
    }
    return row;
}

#endif
