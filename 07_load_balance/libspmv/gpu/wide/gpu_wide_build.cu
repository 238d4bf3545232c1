/*
 * gpu_wide_build.cu - builds the tiles of wide matrices (gpu_wide.cu) on the GPU from CSR arrays in its memory.
 *
 *   cut       cuts contiguous rows for each group, with about equal nonzeros
 *   sums      finds the number of sums of each row
 *   count     a warp per range of nonzeros: counts those of each tile
 *   scan      numbers all nonzeros of a group and tile, in the order of A          gpu_slices_scan.cu
 *   measure   finds the steps: enough for the nonzeros, and so many that a row has enough sums
 *   scan      turns steps into places
 *   longest   finds out whether any block has far more work than the others
 *   fill      a warp per range: stores entries and values in their places; a refresh fills again
 *
 * Number e of a group's nonzeros in a tile is in step e % steps, thread e / steps, so a thread has nonzeros that follow
 * each other, mostly of one row or two.  Thread i adds those of a row to the row's sum i % sums.  A row has at least as
 * many sums as threads, so no two threads add to the same sum in one tile.
 *
 * Between these kernels the host reads a few numbers, and waits for them.
 */
#include "gpu_tiles_build.cuh"
#include "gpu_wide.h"

namespace {

enum {
    LEAST_SUMS = 3,               // of a row: for the threads of its first, middle and last nonzeros
    MORE_SUMS = 2 * WIDE_THREADS, // of a group, shared by its rows in proportion to their nonzeros: twice as many as a
                                  // row has threads, if its nonzeros are spread over the tiles like the others'
    LEAST_WIDTH = 2048,     // columns of a tile, unless a part is one tile
    LEAST_RANGE = 256,      // nonzeros
    RANGES = 32,            // per SM
    SMALL_BATCHES = 4       // up to so many batches of one block are always accepted
};
constexpr double MOST_COPIED = 4; // bytes of x per byte of entries and values

// first_sums[rows] is behind the last sum.
template <typename O>
__global__ void sums_kernel(uint32_t rows, uint64_t more, const O *__restrict__ row_offsets, uint32_t *first_sums)
{
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    if (row <= rows)
        first_sums[row] = LEAST_SUMS * row + (uint32_t)(row_offsets[row] * more / (uint64_t)row_offsets[rows]);
}

__global__ void group_sums_kernel(uint32_t groups, const uint32_t *__restrict__ group_rows,
                                  const uint32_t *__restrict__ first_sums, uint32_t *most_rows, uint32_t *most_sums)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= groups) return;
    atomicMax(most_rows, group_rows[i + 1] - group_rows[i]);
    atomicMax(most_sums, first_sums[group_rows[i + 1]] - first_sums[group_rows[i]]);
}

// A warp's piece of a group's nonzeros.
template <typename O> struct range_t {
    uint32_t group, index, first_row, row_end; // rows of the group
    uint64_t first, nnz;                       // of the group
    O begin, end;

    __device__ range_t(const wide_t &t, uint32_t warp, const O *row_offsets)
        : group(warp / t.ranges), index(warp % t.ranges), first_row(t.group_rows[group]),
          row_end(t.group_rows[group + 1]), first(row_offsets[first_row]), nnz(row_offsets[row_end] - first),
          begin((O)(first + nnz * index / t.ranges)), end((O)(first + nnz * (index + 1) / t.ranges))
    {
    }
    // Returns the index of this range's number in t.numbers: nonzeros of the group in a tile before the range.
    __device__ uint64_t at(const wide_t &t, uint32_t tile) const
    {
        return ((uint64_t)group * t.count + tile) * t.ranges + index;
    }
};

// t.numbers is 0 at first, and becomes the number of nonzeros that each range has in each tile.
template <typename O>
__global__ void count_kernel(wide_t t, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (warp >= t.groups * t.ranges) return;
    const range_t<O> range(t, warp, row_offsets);
#pragma unroll 1
    for (O nz = range.begin; nz < range.end; nz += LANES) {
        const bool has = nz + lane < range.end;
        const uint32_t tile = has ? (uint32_t)col_indices[nz + lane] / t.width : NONE_32;
        number_of(has, __match_any_sync(ALL_LANES, tile), lane, &t.numbers[range.at(t, has ? tile : 0)]);
    }
}

// Returns the least steps with which a row of `length` nonzeros in a tile has no more threads than sums.
__device__ __forceinline__ uint32_t steps_for(uint32_t length, uint32_t row, const uint32_t *first_sums)
{
    const uint32_t sums = first_sums[row + 1] - first_sums[row];
    return (length - 1 + sums - 2) / (sums - 1);
}

// Finds the most steps that a range's rows need, each by its nonzeros in the range, in most[groups * count].  heads
// gets the nonzeros of the range's first row in each tile, runs those of its last row.  All are 0 at first.
template <typename O>
__global__ void measure_kernel(wide_t t, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                               run_t *runs, uint32_t *heads, uint32_t *most)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (warp >= t.groups * t.ranges) return;
    const range_t<O> range(t, warp, row_offsets);
    if (range.begin >= range.end) return;
    const uint32_t head = row_of<O>(range.begin, range.first_row, range.row_end, row_offsets);
    uint32_t row = head;
#pragma unroll 1
    for (O nz = range.begin; nz < range.end; nz += LANES) {
        const bool has = nz + lane < range.end;
        const uint32_t tile = has ? (uint32_t)col_indices[nz + lane] / t.width : NONE_32;
        if (has) row = row_of<O>(nz + lane, row, range.row_end, row_offsets);
        const uint64_t at = range.at(t, has ? tile : 0);
        const unsigned same = __match_any_sync(ALL_LANES, tile);
        const unsigned of_row = __match_any_sync(ALL_LANES, (unsigned long long)tile << 32 | row);
        const uint32_t length = length_of_run(has, row, same, of_row, lane, &runs[at]);
        if (has && of_row >> lane == 1) {
            atomicMax(&most[at / t.ranges], steps_for(length, row, t.first_sums));
            if (row == head) heads[at] = length;
        }
        row = __shfl_sync(ALL_LANES, row, 0);
    }
}

// Does the same for rows that reach into the next range and further, by their nonzeros in the tile: a thread per range
// and tile.
template <typename O>
__global__ void measure_cut_kernel(wide_t t, const O *__restrict__ row_offsets, const run_t *__restrict__ runs,
                                   const uint32_t *__restrict__ heads, uint32_t *most)
{
    const uint64_t at = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    const uint32_t pair = (uint32_t)(at / t.ranges), index = (uint32_t)(at % t.ranges);
    if (pair >= t.groups * t.count) return;
    const range_t<O> range(t, pair / t.count * t.ranges + index, row_offsets);
    if (range.begin >= range.end) return;
    const uint32_t row = row_of<O>(range.end - 1, range.first_row, range.row_end, row_offsets);
    const O row_end = row_offsets[row + 1];
    if (row_offsets[row] < range.begin || row_end <= range.end) return; // not the row's first range, or its only one
    const uint64_t last_nz = row_end - 1 - range.first; // counted in the group
    uint32_t last = (uint32_t)(last_nz * t.ranges / range.nnz);
    while (range.nnz * (last + 1) / t.ranges <= last_nz) ++last;
    const uint32_t pieces = t.numbers[at - index + last] - t.numbers[at + 1];
    const uint32_t length = (runs[at].row == row ? runs[at].length : 0) + pieces + heads[at - index + last];
    if (length) atomicMax(&most[pair], steps_for(length, row, t.first_sums));
}

__global__ void steps_kernel(wide_t t, uint32_t pairs, const uint32_t *__restrict__ most)
{
    const uint32_t p = blockIdx.x * BLOCK + threadIdx.x;
    if (p > pairs) return;
    const uint32_t n = p < pairs ? t.numbers[(uint64_t)(p + 1) * t.ranges] - t.numbers[(uint64_t)p * t.ranges] : 0;
    t.starts[p] = p < pairs ? (max((n + WIDE_THREADS - 1) / WIDE_THREADS, most[p]) + t.batch - 1) / t.batch : 0;
}

// Fills the places without a nonzero: they have a sum of their thread, besides those of the rows, and x is 0 there.
__global__ void fillers_kernel(wide_t t)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i < t.batches * t.batch * WIDE_THREADS)
        t.entries[i] = (t.most_sums + (uint32_t)(i / t.batch % WIDE_THREADS)) << 16 | t.width;
}

// t.counters are t.numbers at first.
template <typename V, typename O>
__global__ void fill_kernel(wide_t t, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                            const V *__restrict__ from, V *values, bool refresh)
{
    constexpr uint32_t STEPS = WIDE_BATCH(sizeof(V));
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (warp >= t.groups * t.ranges) return;
    const range_t<O> range(t, warp, row_offsets);
    const uint32_t before = t.first_sums[range.first_row];
    uint32_t row = range.first_row;
#pragma unroll 1
    for (O nz = range.begin; nz < range.end; nz += LANES) {
        const bool has = nz + lane < range.end;
        const uint32_t col = has ? (uint32_t)col_indices[nz + lane] : 0, tile = has ? col / t.width : NONE_32;
        const uint64_t at = range.at(t, has ? tile : 0);
        const uint32_t number = number_of(has, __match_any_sync(ALL_LANES, tile), lane, &t.counters[at]);
        if (has) {
            const uint32_t *start = t.starts + at / t.ranges;
            const uint32_t steps = (start[1] - start[0]) * STEPS, e = number - t.numbers[at - range.index];
            const uint32_t thread = e / steps, step = e % steps;
            const uint64_t place = ((uint64_t)(start[0] + step / STEPS) * WIDE_THREADS + thread) * STEPS + step % STEPS;
            values[place] = from[nz + lane];
            if (!refresh) {
                row = row_of<O>(nz + lane, row, range.row_end, row_offsets);
                const uint32_t first = t.first_sums[row], sums = t.first_sums[row + 1] - first;
                t.entries[place] = (first - before + thread % sums) << 16 | (col - tile * t.width);
            }
        }
        row = __shfl_sync(ALL_LANES, row, 0);
    }
}

/* ---- host ---------------------------------------------------------------------------------------- */

// Values are moved, not computed with: only their size counts.
template <typename V, typename O>
cudaError_t fill(const wide_t *t, const gpu_csr_t *A, bool refresh, cudaStream_t stream)
{
    const size_t numbers = (size_t)t->groups * t->count * t->ranges;
    const cudaError_t status =
        cudaMemcpyAsync(t->counters, t->numbers, numbers * sizeof *t->numbers, cudaMemcpyDeviceToDevice, stream);
    if (status != cudaSuccess) return status;
    fill_kernel<V, O><<<blocks_for((size_t)t->groups * t->ranges, WARPS), BLOCK, 0, stream>>>(
        *t, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, (V *)t->values, refresh);
    return cudaPeekAtLastError();
}

// Finds the rows of each group, if blocks share their columns in so many parts, and the sums.  Finds the columns of a
// tile: all of a part, or as many as fit twice in shared memory beside the sums of the largest group.
template <typename O>
cudaError_t cut(wide_t *t, const gpu_csr_t *A, uint32_t sms, uint32_t parts, size_t shared_bytes, uint32_t *d_most,
                cudaStream_t stream)
{
    const size_t size = vector_size(A->value_type), rows = (size_t)A->rows, cols = (size_t)A->cols;
    const O *const row_offsets = (const O *)A->row_offsets;
    t->parts = parts;
    t->groups = sms / parts;
    if (LEAST_SUMS * (rows / t->groups) * size >= shared_bytes) return cudaErrorNotSupported; // sums have 32 bits
    uint32_t most_of[2];
    TRY(cudaMemsetAsync(d_most, 0, sizeof most_of, stream));
    cut_rows_kernel<O><<<blocks_for(t->groups + 1, BLOCK), BLOCK, 0, stream>>>(
        t->groups, (uint32_t)rows, (uint64_t)A->nnz, row_offsets, t->group_rows);
    sums_kernel<O><<<blocks_for(rows + 1, BLOCK), BLOCK, 0, stream>>>((uint32_t)rows, (uint64_t)t->groups * MORE_SUMS,
                                                                      row_offsets, t->first_sums);
    group_sums_kernel<<<blocks_for(t->groups, BLOCK), BLOCK, 0, stream>>>(t->groups, t->group_rows, t->first_sums,
                                                                          &d_most[0], &d_most[1]);
    TRY(cudaPeekAtLastError());
    TRY(to_host(most_of, d_most, sizeof most_of, stream));
    t->most_rows = most_of[0];
    t->most_sums = most_of[1];

    if (t->most_sums + WIDE_THREADS > WIDE_MOST_SUMS) return cudaErrorNotSupported;
    const size_t share = (cols + parts - 1) / parts;
    uint32_t tiles = 0; // tiles of a part
    bool fits;
    do {
        ++tiles;
        t->width = (uint32_t)(((share + tiles - 1) / tiles + LANES - 1) / LANES * LANES);
        fits = wide_shared_numbers(t->width, tiles, t->most_sums) * size <= shared_bytes && t->width <= WIDE_MOST_WIDTH;
    } while (!fits && t->width > LEAST_WIDTH);
    if (!fits) return cudaErrorNotSupported;
    t->count = tiles * parts;
    if ((size_t)t->width * (t->count - 1) >= cols) return cudaErrorNotSupported; // the last tile would be empty
    const double copied = (double)cols / parts * size,
                 used = (double)A->nnz / (t->groups * parts) * (4 + value_size(A->value_type));
    return copied > MOST_COPIED * used + SMALL_PLACES ? cudaErrorNotSupported : cudaSuccess;
}

// Returns the numbers that a block moves besides its nonzeros: its part of x to shared memory, and the sums of all
// parts.
double beside(const gpu_csr_t *A, uint32_t sms, uint32_t parts)
{
    const double rows = (double)A->rows / (sms / parts);
    return (double)A->cols / parts + (parts > 1 ? rows * (parts + 1) : rows);
}

// Chooses the number of parts with which a block has the least work.
template <typename O>
cudaError_t cut_best(wide_t *t, const gpu_csr_t *A, int exclusive, uint32_t sms, scratch_t *scratch,
                     cudaStream_t stream)
{
    size_t shared_bytes;
    uint32_t best = 1, *d_most;
    TRY(wide_shared_bytes(&shared_bytes, A->value_type));
    if (LEAST_SUMS * ((size_t)A->rows / sms) * vector_size(A->value_type) >= shared_bytes) return cudaErrorNotSupported;
    for (uint32_t parts = 2; exclusive && parts <= sms; ++parts)
        if (sms % parts <= sms / LANES && beside(A, sms, parts) < beside(A, sms, best)) best = parts;
    TRY(keep((void **)&t->group_rows, (sms + 1) * sizeof *t->group_rows, t, stream));
    TRY(keep((void **)&t->first_sums, ((size_t)A->rows + 1) * sizeof *t->first_sums, t, stream));
    TRY(take((void **)&d_most, 2 * sizeof *d_most, scratch));
    cudaError_t status = cudaErrorNotSupported;
    for (uint32_t parts = best; parts && status == cudaErrorNotSupported; --parts)
        status = cut<O>(t, A, sms, parts, shared_bytes, d_most, stream);
    return status;
}

// Chooses groups and parts, and the ranges of a group, one for each warp.
template <typename O>
cudaError_t cut_all(wide_t *t, const gpu_csr_t *A, int exclusive, scratch_t *scratch, cudaStream_t stream)
{
    int sms = 0;
    TRY(gpu_attribute(&sms, cudaDevAttrMultiProcessorCount));
    TRY(cut_best<O>(t, A, exclusive, (uint32_t)sms, scratch, stream));
    t->batch = WIDE_BATCH(value_size(A->value_type));
    t->ranges = (uint32_t)(RANGES * sms) / t->groups;
    if ((uint64_t)A->nnz / LEAST_RANGE < (uint64_t)t->ranges * t->groups)
        t->ranges = (uint32_t)(A->nnz / LEAST_RANGE / t->groups) + 1;
    return cudaSuccess;
}

// Arrays for the build, with an element for each pair of a group and a tile, or for a range of it.
struct counted_t {
    uint32_t *most, *heads, *sums;
    run_t *runs;
};

cudaError_t keep_counts(wide_t *t, uint64_t pairs, uint64_t numbers, cudaStream_t stream)
{
    TRY(keep((void **)&t->starts, (pairs + 1) * sizeof *t->starts, t, stream));
    TRY(keep((void **)&t->numbers, (numbers + 1) * sizeof *t->numbers, t, stream));
    TRY(keep((void **)&t->counters, numbers * sizeof *t->counters, t, stream));
    return cudaMemsetAsync(t->numbers, 0, (numbers + 1) * sizeof *t->numbers, stream);
}

cudaError_t take_counts(counted_t *c, uint64_t pairs, uint64_t numbers, scratch_t *scratch, cudaStream_t stream)
{
    TRY(take_zeroed((void **)&c->runs, numbers * sizeof *c->runs, scratch, stream));
    TRY(take_zeroed((void **)&c->heads, numbers * sizeof *c->heads, scratch, stream));
    TRY(take_zeroed((void **)&c->most, pairs * sizeof *c->most, scratch, stream));
    return take((void **)&c->sums, (blocks_for(numbers + 1, SCAN_TILE) + 1) * sizeof *c->sums, scratch);
}

// Counts the batches of steps of each pair, and finds where they begin.
template <typename O>
cudaError_t count_batches(wide_t *t, const gpu_csr_t *A, const counted_t *c, cudaStream_t stream)
{
    const O *const row_offsets = (const O *)A->row_offsets;
    const uint32_t warps = t->groups * t->ranges;
    const uint64_t pairs = (uint64_t)t->groups * t->count, numbers = pairs * t->ranges;
    uint32_t batches;
    count_kernel<O><<<blocks_for(warps, WARPS), BLOCK, 0, stream>>>(*t, row_offsets, A->col_indices);
    TRY(cudaPeekAtLastError());
    TRY(slices_scan(t->numbers, numbers + 1, c->sums, stream));
    measure_kernel<O><<<blocks_for(warps, WARPS), BLOCK, 0, stream>>>(
        *t, row_offsets, A->col_indices, c->runs, c->heads, c->most);
    measure_cut_kernel<O><<<blocks_for(numbers, BLOCK), BLOCK, 0, stream>>>(
        *t, row_offsets, c->runs, c->heads, c->most);
    steps_kernel<<<blocks_for(pairs + 1, BLOCK), BLOCK, 0, stream>>>(*t, (uint32_t)pairs, c->most);
    TRY(cudaPeekAtLastError());
    TRY(slices_scan(t->starts, pairs + 1, c->sums, stream));
    TRY(to_host(&batches, &t->starts[pairs], sizeof batches, stream));
    t->batches = batches;
    return cudaSuccess;
}

cudaError_t store(wide_t *t, const gpu_csr_t *A, uint64_t places, cudaStream_t stream)
{
    const size_t value_bytes = places * value_size(A->value_type);
    TRY(keep((void **)&t->entries, places * sizeof *t->entries, t, stream));
    TRY(keep(&t->values, value_bytes, t, stream));
    fillers_kernel<<<blocks_for(places, BLOCK), BLOCK, 0, stream>>>(*t);
    TRY(cudaMemsetAsync(t->values, 0, value_bytes, stream));
    TRY(BY_SIZE_AND_OFFSETS(A, fill, t, A, false, stream));
    return keep_part_sums(t, A->value_type, stream);
}

template <typename O>
cudaError_t build(wide_t *t, const gpu_csr_t *A, int exclusive, scratch_t *scratch, cudaStream_t stream)
{
    if (A->nnz == 0 || A->nnz > INT32_MAX)
        return cudaErrorNotSupported; // steps have 32 bits, and their number is at most that of the nonzeros
    TRY(cut_all<O>(t, A, exclusive, scratch, stream));
    const uint64_t pairs = (uint64_t)t->groups * t->count, numbers = pairs * t->ranges; // pairs of a group and a tile
    if (numbers > (uint64_t)A->nnz + SMALL_PLACES) return cudaErrorNotSupported;
    counted_t c;
    TRY(keep_counts(t, pairs, numbers, stream));
    TRY(take_counts(&c, pairs, numbers, scratch, stream));
    TRY(count_batches<O>(t, A, &c, stream));
    const uint64_t places = t->batches * t->batch * WIDE_THREADS;
    if ((double)places > MOST_PLACES * (double)A->nnz + SMALL_PLACES) return cudaErrorNotSupported;
    TRY(ask_for_balance(t, t->groups, t->batches, SMALL_BATCHES, scratch, stream));
    TRY(store(t, A, places, stream));
    return cudaStreamSynchronize(stream);
}

} // namespace

cudaError_t wide_build(wide_t *t, const gpu_csr_t *A, int exclusive, cudaStream_t stream)
{
    return build_plan(t, wide_free, stream, [&](scratch_t *scratch) {
        return BY_OFFSETS(A, build, t, A, exclusive, scratch, stream);
    });
}

cudaError_t wide_refresh(const wide_t *t, const gpu_csr_t *A, cudaStream_t stream)
{
    return BY_SIZE_AND_OFFSETS(A, fill, t, A, true, stream);
}

void wide_free(wide_t *t)
{
    free_plan(t, t->group_rows, t->first_sums, t->starts, t->numbers, t->counters, t->entries, t->values,
              t->part_sums, t->parts_arrived);
}
