/* v35_lanes_plan.cu - slices of 32 / V places with V lanes each, the same V for all; built on the GPU. */
#include "f_sell/v35_lanes_plan.h"

enum { BLOCK = 256 };

static unsigned blocks_for(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }
static __device__ __forceinline__ size_t thread_number() { return blockIdx.x * (size_t)BLOCK + threadIdx.x; }

// Counts the places that each row takes, and marks rows that take more than one.
template <typename O>
static __global__ void sell_cut_kernel(size_t rows, const O *__restrict__ row_offsets, uint32_t *first_place,
                                       uint32_t *long_before)
{
    const size_t row = thread_number();
    if (row >= rows) return;
    const uint64_t length = (uint64_t)row_offsets[row + 1] - row_offsets[row];
    first_place[row] = length <= PLAN_LONGEST ? 1 : (uint32_t)((length + PLAN_LONGEST - 1) / PLAN_LONGEST);
    long_before[row] = length > PLAN_LONGEST;
}

// Writes, for each place in the order of the rows, its first nonzero and the row or piece to which its sum goes.
template <typename O>
static __global__ void sell_places_kernel(size_t rows, const O *__restrict__ row_offsets,
                                          const uint32_t *__restrict__ first_place,
                                          const uint32_t *__restrict__ long_before, O *start, uint32_t *target,
                                          piece_run_t *run)
{
    const size_t row = thread_number();
    if (row >= rows) return;
    const uint32_t first = first_place[row], count = first_place[row + 1] - first;
    // A piece's number counts the earlier pieces: the earlier places less the earlier rows that are not cut.
    const uint32_t piece = first - ((uint32_t)row - long_before[row]);
#pragma unroll 1
    for (uint32_t j = 0; j < count; ++j) {
        start[first + j] = row_offsets[row] + (O)j * PLAN_LONGEST;
        target[first + j] = count == 1 ? (uint32_t)row : SELL_PIECE | (piece + j);
    }
    if (count > 1) run[long_before[row]] = {(uint32_t)row, piece, count};
    if (row + 1 == rows) start[first + count] = row_offsets[rows];
}

// Writes the length of each place, by which places are sorted.
template <typename O>
static __global__ void sell_lengths_kernel(size_t places, const O *__restrict__ start, uint32_t *length)
{
    const size_t place = thread_number();
    if (place >= places) return;
    length[place] = (uint32_t)(start[place + 1] - start[place]);
}

// One warp per slice counts the steps that the longest row takes, with V nonzeros per step.
template <typename O>
static __global__ void sell_widths_kernel(size_t slices, size_t places, const O *__restrict__ start,
                                          const uint32_t *__restrict__ order, unsigned log_lanes,
                                          uint32_t *first_step)
{
    const unsigned lane = threadIdx.x % 32;
    const size_t slice = thread_number() / 32, place = (slice * 32 + lane) >> log_lanes;
    if (slice >= slices) return; // a whole warp
    const uint32_t at = place < places ? order[place] : 0;
    uint32_t widest = place < places ? (uint32_t)(start[at + 1] - start[at]) : 0;
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) widest = max(widest, __shfl_xor_sync(0xffffffffu, widest, s));
    if (lane == 0) first_step[slice] = (widest + (1u << log_lanes) - 1) >> log_lanes;
}

// One warp per slice: entry k V + i of a row is stored at step k, in lane i of the row's V lanes.
template <typename T, typename O>
static __global__ void sell_fill_kernel(size_t slices, size_t places, const uint32_t *__restrict__ first_step,
                                        const O *__restrict__ start, const uint32_t *__restrict__ order,
                                        const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                        unsigned log_lanes, int32_t *columns, T *to)
{
    const unsigned lane = threadIdx.x % 32;
    const size_t slice = thread_number() / 32, place = (slice * 32 + lane) >> log_lanes;
    if (slice >= slices) return; // a whole warp
    const uint32_t at = place < places ? order[place] : 0;
    const O from = place < places ? start[at] : 0, end = place < places ? start[at + 1] : 0;
    const uint32_t first = first_step[slice], steps = first_step[slice + 1] - first;
    const unsigned lanes = 1u << log_lanes;
    size_t slot = first * (size_t)32 + lane;
    O k = from + lane % lanes;
#pragma unroll 1
    for (uint32_t step = 0; step < steps; ++step, k += lanes, slot += 32) {
        columns[slot] = k < end ? col_indices[k] : -1;
        to[slot] = k < end ? values[k] : T(0);
    }
}

static __global__ void sell_targets_kernel(size_t places, const uint32_t *__restrict__ order,
                                           const uint32_t *__restrict__ target, uint32_t *place_row)
{
    const size_t place = thread_number();
    if (place < places) place_row[place] = target[order[place]];
}

template <typename T, typename O>
static cudaError_t build(sell_plan_t *p, const csr_arrays_t *A, plan_memory_t *scratch, cudaStream_t stream)
{
    const O *row_offsets = (const O *)A->row_offsets;
    const size_t rows = A->rows;
    uint32_t *first_place, *long_before, *target, *length, *counts, *order, total;
    O *start;
    T *values;
    if (rows == 0) return cudaSuccess;

    // Assign places to the rows.
    TRY(plan_take(scratch, &first_place, plan_scan_words(rows)));
    TRY(plan_take(scratch, &long_before, plan_scan_words(rows)));
    sell_cut_kernel<O><<<blocks_for(rows), BLOCK, 0, stream>>>(rows, row_offsets, first_place, long_before);
    TRY(cudaGetLastError());
    TRY(plan_scan(first_place, rows, &total, stream));
    const size_t places = p->places = total;
    TRY(plan_scan(long_before, rows, &total, stream));
    p->runs = total;
    TRY(plan_take(&p->memory, &p->run, p->runs));
    TRY(plan_take(&p->memory, (T **)&p->pieces, places - rows + p->runs));
    TRY(plan_take(scratch, &start, places + 1));
    TRY(plan_take(scratch, &target, places));
    sell_places_kernel<O><<<blocks_for(rows), BLOCK, 0, stream>>>(rows, row_offsets, first_place, long_before, start,
                                                                  target, p->run);

    // Form slices of the places.
    p->log_lanes = 0; // about four to eight steps for a mean row
    while (p->log_lanes < 5 && A->nnz >= (8 * places << p->log_lanes)) ++p->log_lanes;
    const size_t slices = p->slices = ((places << p->log_lanes) + 31) / 32;
    const unsigned blocks = blocks_for(32 * slices);
    TRY(plan_take(scratch, &length, places));
    TRY(plan_take(scratch, &counts, plan_sort_words(places)));
    TRY(plan_take(scratch, &order, places));
    TRY(plan_take(&p->memory, &p->place_row, places));
    sell_lengths_kernel<O><<<blocks, BLOCK, 0, stream>>>(places, start, length);
    TRY(cudaGetLastError());
    TRY(plan_sort(length, places, false, counts, order, stream));
    sell_targets_kernel<<<blocks, BLOCK, 0, stream>>>(places, order, target, p->place_row);
    TRY(plan_take(&p->memory, &p->first_step, plan_scan_words(slices)));
    sell_widths_kernel<O><<<blocks, BLOCK, 0, stream>>>(slices, places, start, order, p->log_lanes,
                                                        p->first_step);
    TRY(cudaGetLastError());
    TRY(plan_scan(p->first_step, slices, &total, stream));
    TRY(plan_take(&p->memory, &p->columns, 32 * (size_t)total));
    TRY(plan_take(&p->memory, &values, 32 * (size_t)total));
    p->values = values;
    sell_fill_kernel<T, O><<<blocks, BLOCK, 0, stream>>>(slices, places, p->first_step, start, order, A->col_indices,
                                                         (const T *)A->values, p->log_lanes, p->columns, values);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create<sell_plan_t>(plan, [=](sell_plan_t *p, plan_memory_t *scratch) {
        return PLAN_BUILD(A, build, p, A, scratch, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v35_plan, sell_plan_t)
