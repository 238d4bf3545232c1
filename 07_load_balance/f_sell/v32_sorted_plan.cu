/* v32_sorted_plan.cu - slices of 32 rows, all sorted by length, built on the GPU. */
#include "f_sell/v28_slices_plan.h"

enum { BLOCK = 256 };

static unsigned blocks_for(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }
static __device__ __forceinline__ size_t thread_number() { return blockIdx.x * (size_t)BLOCK + threadIdx.x; }

// Computes the length by which each place is sorted, at most PLAN_LONGEST.
template <typename O>
static __global__ void sell_lengths_kernel(size_t places, const O *__restrict__ start, uint32_t *length)
{
    const size_t place = thread_number();
    if (place >= places) return;
    const O own = start[place + 1] - start[place];
    length[place] = own < (O)PLAN_LONGEST ? (uint32_t)own : (uint32_t)PLAN_LONGEST;
}

// One warp per slice finds the length of the slice's longest row.
template <typename O>
static __global__ void sell_widths_kernel(size_t slices, size_t places, const O *__restrict__ start,
                                          const uint32_t *__restrict__ order, uint32_t *first_step)
{
    const size_t place = thread_number(), slice = place / 32;
    if (slice >= slices) return; // a whole warp
    const uint32_t at = place < places ? order[place] : 0;
    uint32_t widest = place < places ? (uint32_t)(start[at + 1] - start[at]) : 0;
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) widest = max(widest, __shfl_xor_sync(0xffffffffu, widest, s));
    if (place % 32 == 0) first_step[slice] = widest;
}

// One warp per slice: entry k of a row is stored at step k, in the row's lane.
template <typename T, typename O>
static __global__ void sell_fill_kernel(size_t slices, size_t places, const uint32_t *__restrict__ first_step,
                                        const O *__restrict__ start, const uint32_t *__restrict__ order,
                                        const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                        int32_t *columns, T *to)
{
    const size_t place = thread_number(), slice = place / 32;
    if (slice >= slices) return; // a whole warp
    const uint32_t at = place < places ? order[place] : 0;
    const O from = place < places ? start[at] : 0, end = place < places ? start[at + 1] : 0;
    const uint32_t first = first_step[slice], steps = first_step[slice + 1] - first;
    size_t slot = first * (size_t)32 + place % 32;
#pragma unroll 1
    for (O k = from; k < from + steps; ++k, slot += 32) {
        columns[slot] = k < end ? col_indices[k] : -1;
        to[slot] = k < end ? values[k] : T(0);
    }
}

template <typename T, typename O>
static cudaError_t build(sell_plan_t *p, const csr_arrays_t *A, plan_memory_t *scratch, cudaStream_t stream)
{
    const O *row_offsets = (const O *)A->row_offsets;
    const O *start = row_offsets;
    const size_t rows = A->rows, places = rows, slices = p->slices = (places + 31) / 32;
    const unsigned blocks = blocks_for(32 * slices);
    uint32_t *length, *counts, *order, total;
    T *values;
    if (rows == 0) return cudaSuccess;
    TRY(plan_take(scratch, &length, places));
    TRY(plan_take(scratch, &counts, plan_sort_words(places)));
    TRY(plan_take(&p->memory, &order, places));
    p->place_row = order;
    sell_lengths_kernel<O><<<blocks, BLOCK, 0, stream>>>(places, start, length);
    TRY(cudaGetLastError());
    TRY(plan_sort(length, places, false, counts, order, stream));
    TRY(plan_take(&p->memory, &p->first_step, plan_scan_words(slices)));
    sell_widths_kernel<O><<<blocks, BLOCK, 0, stream>>>(slices, places, start, order, p->first_step);
    TRY(cudaGetLastError());
    TRY(plan_scan(p->first_step, slices, &total, stream));
    TRY(plan_take(&p->memory, &p->columns, 32 * (size_t)total));
    TRY(plan_take(&p->memory, &values, 32 * (size_t)total));
    p->values = values;
    sell_fill_kernel<T, O><<<blocks, BLOCK, 0, stream>>>(slices, places, p->first_step, start, order, A->col_indices,
                                                         (const T *)A->values, p->columns, values);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create<sell_plan_t>(plan, [=](sell_plan_t *p, plan_memory_t *scratch) {
        return PLAN_BUILD(A, build, p, A, scratch, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v32_plan, sell_plan_t)
