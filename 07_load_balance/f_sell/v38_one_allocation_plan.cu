/* v38_one_allocation_plan.cu - v37's slices; scratch arrays share one allocation, the arrays kept have two. */
#include "f_sell/v36_lanes_by_slice_plan.h"

enum { BLOCK = 256, FEWEST_STEPS = 8, MOST_STEPS = 64, STEPS_A_SLICE = 1 };

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

static __device__ __forceinline__ uint32_t sum_warp(uint32_t v)
{
    for (unsigned s = 16; s > 0; s /= 2) v += __shfl_xor_sync(0xffffffffu, v, s);
    return v;
}

// For 32 places: returns log2 of the lanes per row; *steps gets the total number of steps of their slices.
// Tries slices of 1, 2, 4 to 32 rows; `widest` is the length of the longest row in the slice of this lane's row.
static __device__ __forceinline__ uint32_t choose_lanes(uint32_t length, uint32_t most_steps, uint32_t *steps)
{
    uint32_t widest = length, best = 5, best_cost = ~0u;
#pragma unroll
    for (unsigned log_rows = 0; log_rows <= 5; ++log_rows) {
        const unsigned rows = 1u << log_rows, lanes = 32 / rows;
        if (log_rows > 0) widest = max(widest, __shfl_xor_sync(0xffffffffu, widest, rows / 2));
        const uint32_t width = (widest + lanes - 1) / lanes;
        const uint32_t all = sum_warp(threadIdx.x % rows == 0 ? width : 0), cost = all + lanes * STEPS_A_SLICE;
        const bool too_many = __any_sync(0xffffffffu, width > most_steps);
        const bool take = cost <= best_cost && (!too_many || log_rows == 0);
        if (take) best = 5 - log_rows, best_cost = cost, *steps = all;
    }
    return best;
}

template <typename O>
static __global__ void sell_groups_kernel(size_t groups, size_t places, const O *__restrict__ start,
                                          const uint32_t *__restrict__ order, uint32_t most_steps,
                                          uint32_t *step_before, uint32_t *slice_before)
{
    const size_t place = thread_number(), group = place / 32;
    if (group >= groups) return; // a whole warp
    const uint32_t at = place < places ? order[place] : 0;
    const uint32_t length = place < places ? (uint32_t)(start[at + 1] - start[at]) : 0;
    uint32_t steps = 0;
    const uint32_t log_lanes = choose_lanes(length, most_steps, &steps);
    if (place % 32 == 0) {
        step_before[group] = steps;
        slice_before[group] = 1u << log_lanes;
    }
}

// Writes the slices of each group; a group with V lanes per row has V slices.
template <typename O>
static __global__ void sell_slices_kernel(size_t groups, size_t places, const O *__restrict__ start,
                                          const uint32_t *__restrict__ order,
                                          const uint32_t *__restrict__ step_before,
                                          const uint32_t *__restrict__ slice_before, uint4 *slice)
{
    const size_t place = thread_number(), group = place / 32;
    if (group >= groups) return; // a whole warp
    const unsigned lane = threadIdx.x % 32;
    const uint32_t first = slice_before[group], lanes = slice_before[group + 1] - first, rows = 32 / lanes;
    const uint32_t at = place < places ? order[place] : 0;
    uint32_t widest = place < places ? (uint32_t)(start[at + 1] - start[at]) : 0;
    for (unsigned s = 1; s < rows; s *= 2) widest = max(widest, __shfl_xor_sync(0xffffffffu, widest, s));
    const uint32_t width = (widest + lanes - 1) / lanes;
    // Sum the steps of the slices up to this one; the first lane of each slice contributes them.
    uint32_t sum = lane % rows == 0 ? width : 0;
    for (unsigned d = 1; d < 32; d *= 2) {
        const uint32_t left = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d) sum += left;
    }
    if (lane % rows == 0)
        slice[first + lane / rows] = make_uint4(step_before[group] + sum - width, width, (uint32_t)place,
                                                (uint32_t)__ffs((int)lanes) - 1);
}

// One warp per slice: entry k V + i of a row is stored at step k, in lane i of the row's V lanes.
template <typename T, typename O>
static __global__ void sell_fill_kernel(size_t slices, size_t places, const uint4 *__restrict__ slice,
                                        const O *__restrict__ start, const uint32_t *__restrict__ order,
                                        const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                        int32_t *columns, T *to)
{
    const size_t number = thread_number() / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    const unsigned lane = threadIdx.x % 32, lanes = 1u << mine.w;
    const size_t place = mine.z + (lane >> mine.w);
    const uint32_t at = place < places ? order[place] : 0;
    const O from = place < places ? start[at] : 0, end = place < places ? start[at + 1] : 0;
    size_t slot = mine.x * (size_t)32 + lane;
    O k = from + lane % lanes;
#pragma unroll 1
    for (uint32_t step = 0; step < mine.y; ++step, k += lanes, slot += 32) {
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

// Returns the most steps a slice may have: few enough for 64 warps per SM, if the matrix has enough nonzeros.
static uint32_t most_steps_for(size_t nnz)
{
    int gpu = 0, sms = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    const size_t steps = nnz / ((size_t)sms * 64 * 32);
    return (uint32_t)(steps < FEWEST_STEPS ? (size_t)FEWEST_STEPS : steps < MOST_STEPS ? steps : (size_t)MOST_STEPS);
}

template <typename T, typename O>
static cudaError_t build(sell_plan_t *p, const csr_arrays_t *A, plan_memory_t *scratch, cudaStream_t stream)
{
    const O *row_offsets = (const O *)A->row_offsets;
    const size_t rows = A->rows;
    uint32_t *first_place, *long_before, *target, *length, *counts, *order;
    uint32_t *step_before, *slice_before, total;
    O *start;
    T *values;
    if (rows == 0) return cudaSuccess;

    // Assign places to the rows.  The sizes of all scratch arrays are known beforehand, up to a few places.
    const size_t most_places = rows + A->nnz / PLAN_LONGEST, most_groups = (most_places + 31) / 32;
    TRY(plan_reserve(scratch, 2 * plan_room(plan_scan_words(rows) * 4) + plan_room((most_places + 1) * sizeof(O)) +
                                  3 * plan_room(most_places * 4) + 2 * plan_room(plan_scan_words(most_groups) * 4) +
                                  plan_room(plan_sort_words(most_places) * 4)));
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
    const size_t groups = (places + 31) / 32;
    const unsigned blocks = blocks_for(32 * groups);
    TRY(plan_take(scratch, &length, places));
    TRY(plan_take(scratch, &counts, plan_sort_words(places)));
    TRY(plan_take(scratch, &order, places));
    sell_lengths_kernel<O><<<blocks, BLOCK, 0, stream>>>(places, start, length);
    TRY(cudaGetLastError());
    TRY(plan_sort(length, places, false, counts, order, stream));
    TRY(plan_take(scratch, &step_before, plan_scan_words(groups)));
    TRY(plan_take(scratch, &slice_before, plan_scan_words(groups)));
    sell_groups_kernel<O><<<blocks, BLOCK, 0, stream>>>(groups, places, start, order, most_steps_for(A->nnz),
                                                        step_before, slice_before);
    TRY(cudaGetLastError());
    TRY(plan_scan(slice_before, groups, &total, stream));
    p->slices = total;
    TRY(plan_scan(step_before, groups, &total, stream));
    const size_t steps = total;
    TRY(plan_reserve(&p->memory, plan_room(p->slices * sizeof *p->slice) + plan_room(32 * steps * sizeof(T)) +
                                     plan_room(places * 4)));
    TRY(plan_take(&p->memory, &p->slice, p->slices));
    TRY(plan_allocate(&p->memory, (void **)&p->columns, (32 * steps + 1) * sizeof *p->columns));
    TRY(plan_take(&p->memory, &values, 32 * steps));
    p->values = values;
    TRY(plan_take(&p->memory, &p->place_row, places));
    sell_targets_kernel<<<blocks, BLOCK, 0, stream>>>(places, order, target, p->place_row);
    sell_slices_kernel<O><<<blocks, BLOCK, 0, stream>>>(groups, places, start, order, step_before, slice_before,
                                                        p->slice);
    sell_fill_kernel<T, O><<<blocks_for(32 * p->slices), BLOCK, 0, stream>>>(
        p->slices, places, p->slice, start, order, A->col_indices, (const T *)A->values, p->columns, values);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create<sell_plan_t>(plan, [=](sell_plan_t *p, plan_memory_t *scratch) {
        return PLAN_BUILD(A, build, p, A, scratch, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v38_plan, sell_plan_t)
