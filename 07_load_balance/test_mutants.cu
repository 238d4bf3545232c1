/*
 * test_mutants.cu - the kernels of the chapter in small, with one thing broken.  Every one of them must be rejected, by
 * the check or by the stand-in (test_load_balance.c says by which).
 */
#include "a_split_nonzeros/v08_nnz_split_carries_plan.h"
#include "chapter.h"
#include "search.h"

enum { BLOCK = 64, WARPS = BLOCK / 32, ITEMS = 3, TILE = BLOCK * ITEMS };

enum mutant {
    CORRECT,
    DROPS_LAST,
    NO_BARRIER,
    LOST_CARRY,
    CARRY_TO_NEXT_ROW,
    CARRY_TWICE,
    SKIPS_EMPTY_ROWS,
    SKIPS_LAST_ROWS,
    ADDS_INTO_Y,
    NO_CLEAR,
    STORES_WHAT_CROSSES,
    NO_WARP_PREFIX,
    SCANS_OVER_HEADS,
    WRONG_ROW,
    STARTS_ONE_LATE,
    NO_SENTINEL,
    CUTS_LONG_ROWS,
    LEAVES_BEFORE_SHUFFLE,
    MISSES_A_LENGTH
};

struct segment { float sum; unsigned head; };

template <int MUTANT>
static __device__ __forceinline__ segment follow(segment a, segment b)
{
    if (MUTANT == SCANS_OVER_HEADS) b.sum = a.sum + b.sum, b.head = b.head ? b.head : a.head;
    else if (b.head == 0) b.sum = a.sum + b.sum, b.head = a.head;
    return b;
}

template <int MUTANT>
static __device__ __forceinline__ segment scan_block(segment own, segment *before)
{
    __shared__ float warp_sum[WARPS];
    __shared__ unsigned warp_head[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned d = 1; d < 32; d *= 2) {
        const segment left = {__shfl_up_sync(0xffffffffu, own.sum, d), __shfl_up_sync(0xffffffffu, own.head, d)};
        if (lane >= d) own = follow<MUTANT>(left, own);
    }
    if (lane == 31) warp_sum[warp] = own.sum, warp_head[warp] = own.head;
    const segment left = {__shfl_up_sync(0xffffffffu, own.sum, 1), __shfl_up_sync(0xffffffffu, own.head, 1)};
    __syncthreads();
    segment prefix = {0, 0};
    for (unsigned w = 0; w < warp && MUTANT != NO_WARP_PREFIX; ++w)
        prefix = follow<MUTANT>(prefix, segment{warp_sum[w], warp_head[w]});
    *before = lane == 0 ? prefix : follow<MUTANT>(prefix, left);
    return follow<MUTANT>(prefix, own);
}

/* ---- v6 and v8: nonzeros split ------------------------------------------------------------------ */

template <int MUTANT, bool ATOMICS>
__global__ void split_kernel(unsigned rows, uint32_t nnz, const uint32_t *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                             const float *__restrict__ x, float *y, unsigned *carry_rows, float *carry_sums)
{
    __shared__ float products[TILE];
    __shared__ unsigned heads[TILE];
    __shared__ unsigned border[2];
    const uint32_t lo = blockIdx.x * TILE, hi = min(lo + TILE, nnz);
    const unsigned warp = threadIdx.x / 32, count = hi - lo;
    const unsigned found = first_row_from<uint32_t>(row_offsets, rows, warp == 0 ? lo : hi);
    if (threadIdx.x % 32 == 0) border[warp] = found;
    for (unsigned k = threadIdx.x; k < TILE; k += BLOCK) {
        heads[k] = 0;
        products[k] = k < count - (MUTANT == DROPS_LAST) ? values[lo + k] * x[col_indices[lo + k]] : 0;
    }
    __syncthreads();
    const unsigned first = border[0], end = hi == nnz && MUTANT != SKIPS_LAST_ROWS ? rows : border[1];
    for (unsigned r = first + threadIdx.x; r < end; r += BLOCK) {
        const uint32_t start = row_offsets[r];
        if (row_offsets[r + 1] > start) heads[start - lo] = r + 1;
        else if (MUTANT != SKIPS_EMPTY_ROWS && !ATOMICS) y[r] = 0;
    }
    if (MUTANT != NO_BARRIER) __syncthreads();

    segment own = {0, 0};
    float first_part = 0;
    bool ended = false;
#pragma unroll 1
    for (unsigned k = threadIdx.x * ITEMS; k < min((threadIdx.x + 1) * ITEMS, count); ++k) {
        if (heads[k]) {
            if (own.head) y[own.head - 1] = own.sum;
            else first_part = own.sum, ended = k > 0;
            own = segment{0, heads[k]};
        }
        own.sum += products[k];
    }
    segment before;
    const segment total = scan_block<MUTANT>(own, &before);
    if (ended) {
        const unsigned row = (before.head ? before.head - 1 : first - 1) ^ (MUTANT == WRONG_ROW);
        if (ATOMICS && !before.head && MUTANT != STORES_WHAT_CROSSES) atomicAdd(&y[row], before.sum + first_part);
        else if (MUTANT == ADDS_INTO_Y) y[row] += before.sum + first_part;
        else y[row] = before.sum + first_part;
    }
    if (threadIdx.x == BLOCK - 1) {
        const unsigned last = total.head ? total.head - 1 : first - 1;
        const bool open = row_offsets[last + 1] > hi;
        if (ATOMICS) {
            atomicAdd(&y[last], total.sum);
        } else {
            if (!open) y[last] = total.sum;
            carry_rows[blockIdx.x] = open ? last + (MUTANT == CARRY_TO_NEXT_ROW) : NO_ROW;
            carry_sums[blockIdx.x] = total.sum;
        }
    }
}

template <int MUTANT, bool ATOMICS>
static cudaError_t split(const csr_arrays_t *A, void *, const void *d_x, void *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->nnz + TILE - 1) / TILE);
    void *plan = NULL;
    cudaError_t status = carries_create(&plan, tiles, A->value_type); // a test may allocate where a step may not
    carries_t *c = (carries_t *)plan;
    if (status != cudaSuccess || tiles == 0) return status;
    if (ATOMICS && MUTANT != NO_CLEAR) status = cudaMemsetAsync(d_y, 0, A->rows * sizeof(float), stream);
    split_kernel<MUTANT, ATOMICS><<<tiles, BLOCK, 0, stream>>>(
        (unsigned)A->rows, (uint32_t)A->nnz, (const uint32_t *)A->row_offsets, A->col_indices, (const float *)A->values,
        (const float *)d_x, (float *)d_y, c->rows, (float *)c->sums);
    status = cudaGetLastError();
    for (int i = 0; !ATOMICS && status == cudaSuccess &&
                    i < (MUTANT == LOST_CARRY    ? 0
                         : MUTANT == CARRY_TWICE ? 2
                                                 : 1);
         ++i)
        status = add_carries(c, d_y, stream);
    plan_destroy<carries_t>(c);
    return status;
}

/* ---- v17: merge-path ----------------------------------------------------------------------------- */

template <int MUTANT>
__global__ void merge_kernel(unsigned rows, uint32_t nnz, const uint32_t *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                             const float *__restrict__ x, float *y, unsigned *carry_rows, float *carry_sums)
{
    __shared__ float products[TILE];
    __shared__ unsigned ends[TILE + 1];
    __shared__ unsigned border[2];
    const uint32_t steps = rows + nnz, from = blockIdx.x * TILE, to = min(from + TILE, steps);
    const unsigned warp = threadIdx.x / 32;
    const uint32_t step = warp == 0 ? from + (MUTANT == STARTS_ONE_LATE && from > 0) : to;
    const unsigned found = count_by_warp(step > nnz ? step - nnz : 0, min(step, rows),
                                         [=](unsigned r) { return row_offsets[r + 1] + r < step; });
    if (threadIdx.x % 32 == 0) border[warp] = found;
    __syncthreads();
    const unsigned first = border[0], tile_rows = border[1] - first;
    const uint32_t lo = from + (MUTANT == STARTS_ONE_LATE && from > 0) - first;
    const unsigned count = to - border[1] - lo;
    for (unsigned k = threadIdx.x; k < TILE; k += BLOCK) {
        if (k < count - (MUTANT == DROPS_LAST && count > 0)) products[k] = values[lo + k] * x[col_indices[lo + k]];
        else products[k] = 0;
        if (k < tile_rows) ends[k] = row_offsets[first + k + 1] - lo;
    }
    if (threadIdx.x == 0 && MUTANT != NO_SENTINEL) ends[tile_rows] = TILE + 1;
    if (MUTANT != NO_BARRIER) __syncthreads();

    const unsigned start = min(threadIdx.x * ITEMS, tile_rows + count);
    unsigned row = start > count ? start - count : 0, most = min(start, tile_rows);
#pragma unroll 1
    while (row < most) {
        const unsigned middle = (row + most) / 2;
        if (ends[middle] + middle < start) row = middle + 1;
        else most = middle;
    }
    unsigned k = start - row, first_row = 0;
    segment own = {0, 0};
    float first_part = 0;
#pragma unroll 1
    for (unsigned s = start; s < min(start + ITEMS, tile_rows + count); ++s) {
        if (k < ends[row]) {
            own.sum += products[k++];
        } else {
            if (own.head) y[first + row] = own.sum;
            else first_part = own.sum, first_row = first + row;
            own = segment{0, 1};
            ++row;
        }
    }
    segment before;
    const segment total = scan_block<MUTANT>(own, &before);
    if (own.head) {
        if (MUTANT == ADDS_INTO_Y) y[first_row] += before.sum + first_part;
        else y[first_row] = before.sum + first_part;
    }
    if (threadIdx.x == BLOCK - 1) {
        carry_rows[blockIdx.x] = border[1] < rows ? border[1] : NO_ROW;
        carry_sums[blockIdx.x] = total.sum;
    }
}

template <int MUTANT>
static cudaError_t merge(const csr_arrays_t *A, void *, const void *d_x, void *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->rows + A->nnz + TILE - 1) / TILE);
    void *plan = NULL;
    cudaError_t status = carries_create(&plan, tiles, A->value_type);
    carries_t *c = (carries_t *)plan;
    if (status != cudaSuccess || tiles == 0) return status;
    merge_kernel<MUTANT><<<tiles, BLOCK, 0, stream>>>(
        (unsigned)A->rows, (uint32_t)A->nnz, (const uint32_t *)A->row_offsets, A->col_indices, (const float *)A->values,
        (const float *)d_x, (float *)d_y, c->rows, (float *)c->sums);
    status = cudaGetLastError();
    if (status == cudaSuccess && MUTANT != LOST_CARRY) status = add_carries(c, d_y, stream);
    plan_destroy<carries_t>(c);
    return status;
}

/* ---- v11 and v14: whole rows, streamed; 16 rows per block ---------------------------------------------- */

enum { ROWS = 16, LANES = BLOCK / ROWS, ROOM = 512 };

template <int MUTANT>
__global__ void stream_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                              const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                              const float *__restrict__ x, float *y)
{
    __shared__ float products[ROOM];
    const unsigned first = blockIdx.x * ROWS, end = min(first + ROWS, rows), row = first + threadIdx.x / LANES;
    const uint32_t lo = row_offsets[first], hi = row_offsets[end], whole = min(hi, lo + ROOM);
    for (uint32_t nz = lo + threadIdx.x; nz < whole - (MUTANT == DROPS_LAST && whole > lo); nz += BLOCK)
        products[nz - lo] = values[nz] * x[col_indices[nz]];
    if (MUTANT == DROPS_LAST && threadIdx.x == 0 && whole > lo) products[whole - lo - 1] = 0;
    if (MUTANT != NO_BARRIER) __syncthreads();
    if (MUTANT == LEAVES_BEFORE_SHUFFLE && row >= end) return;
    uint32_t nz = 0, row_end = 0;
    if (row < end) nz = row_offsets[row] + threadIdx.x % LANES, row_end = row_offsets[row + 1];
    if (MUTANT == CUTS_LONG_ROWS) row_end = min(row_end, whole);
    const bool missed = MUTANT == MISSES_A_LENGTH && row < end && row_end - row_offsets[row] == 8;
    float sum = 0;
#pragma unroll 1
    for (; nz < row_end; nz += LANES) sum += nz < whole ? products[nz - lo] : values[nz] * x[col_indices[nz]];
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    if (row >= end || threadIdx.x % LANES || missed) return;
    if (MUTANT == SKIPS_EMPTY_ROWS && row_offsets[row] == row_offsets[row + 1]) return;
    if (MUTANT == WRONG_ROW) y[row ^ 1u] = sum; // the tests use an even number of rows
    else if (MUTANT == ADDS_INTO_Y) y[row] += sum;
    else y[row] = sum;
}

template <int MUTANT>
static cudaError_t streamed(const csr_arrays_t *A, void *, const void *d_x, void *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + ROWS - 1) / ROWS;
    if (blocks == 0) return cudaSuccess;
    stream_kernel<MUTANT><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                        (const float *)A->values, (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

#define MUTANT(name, ...) \
    extern "C" cudaError_t name(LOAD_BALANCE_ARGS) { return __VA_ARGS__(A, plan, d_x, d_y, stream); }
MUTANT(atomics_correct, split<CORRECT, true>)
MUTANT(atomics_no_clear, split<NO_CLEAR, true>)
MUTANT(atomics_store_what_crosses, split<STORES_WHAT_CROSSES, true>)
MUTANT(atomics_drop_last, split<DROPS_LAST, true>)
MUTANT(split_correct, split<CORRECT, false>)
MUTANT(split_drops_last, split<DROPS_LAST, false>)
MUTANT(split_no_barrier, split<NO_BARRIER, false>)
MUTANT(split_loses_carry, split<LOST_CARRY, false>)
MUTANT(split_carries_to_next_row, split<CARRY_TO_NEXT_ROW, false>)
MUTANT(split_carries_twice, split<CARRY_TWICE, false>)
MUTANT(split_skips_empty_rows, split<SKIPS_EMPTY_ROWS, false>)
MUTANT(split_skips_last_rows, split<SKIPS_LAST_ROWS, false>)
MUTANT(split_adds_into_y, split<ADDS_INTO_Y, false>)
MUTANT(split_no_warp_prefix, split<NO_WARP_PREFIX, false>)
MUTANT(split_scans_over_heads, split<SCANS_OVER_HEADS, false>)
MUTANT(split_wrong_row, split<WRONG_ROW, false>)
MUTANT(merge_correct, merge<CORRECT>)
MUTANT(merge_drops_last, merge<DROPS_LAST>)
MUTANT(merge_no_barrier, merge<NO_BARRIER>)
MUTANT(merge_loses_carry, merge<LOST_CARRY>)
MUTANT(merge_adds_into_y, merge<ADDS_INTO_Y>)
MUTANT(merge_starts_one_late, merge<STARTS_ONE_LATE>)
MUTANT(merge_no_sentinel, merge<NO_SENTINEL>)
MUTANT(merge_no_warp_prefix, merge<NO_WARP_PREFIX>)
MUTANT(streamed_correct, streamed<CORRECT>)
MUTANT(streamed_drops_last, streamed<DROPS_LAST>)
MUTANT(streamed_no_barrier, streamed<NO_BARRIER>)
MUTANT(streamed_cuts_long_rows, streamed<CUTS_LONG_ROWS>)
MUTANT(streamed_leaves_before_shuffle, streamed<LEAVES_BEFORE_SHUFFLE>)
MUTANT(streamed_misses_a_length, streamed<MISSES_A_LENGTH>)
MUTANT(streamed_skips_empty_rows, streamed<SKIPS_EMPTY_ROWS>)
MUTANT(streamed_wrong_row, streamed<WRONG_ROW>)
MUTANT(streamed_adds_into_y, streamed<ADDS_INTO_Y>)
