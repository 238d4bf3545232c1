/*
 * gpu_tiles_build.cu - builds the tiles (gpu_tiles.cu) on the GPU from CSR arrays in its memory.
 *
 *   ranges    cuts contiguous rows for each warp, with about equal nonzeros
 *   measure   a warp per range: nonzeros in each tile, and the most that a row has there
 *   scan      turns steps into places                                gpu_slices_scan.cu
 *   longest   finds out whether any warp has far more work than the others
 *   fill      a warp per range: stores entries and values in their places; a refresh fills again
 *
 * The n nonzeros of a warp and tile are numbered in the order of A, row after row.  Number e is in step e % steps, lane
 * e / steps.  There are at least as many steps as any of the rows has nonzeros, so no two nonzeros of a row share a
 * step.
 *
 * Between these kernels the host reads a few numbers, and waits for them.
 */
#include <stdlib.h>

#include "gpu_tiles.h"
#include "gpu_tiles_build.cuh"

namespace {

enum {
    LEAST_WIDTH = 2048,    // columns of a tile, unless x is one tile
    SMALL_STEPS = 64       // up to so many steps of one warp are always accepted
};
constexpr uint32_t MOST_PARTS = 4;

// counters, runs and most are 0 at first.
template <typename O>
__global__ void measure_kernel(uint32_t warps, uint32_t count, uint32_t width, const uint32_t *__restrict__ first_rows,
                               const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                               uint32_t *counters, run_t *runs, uint32_t *most)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (warp >= warps) return;
    uint32_t row = first_rows[warp];
    const uint32_t row_end = first_rows[warp + 1];
    const O end = row_offsets[row_end];
    counters += (uint64_t)warp * count;
    runs += (uint64_t)warp * count;
    most += (uint64_t)warp * count;
#pragma unroll 1
    for (O at = row_offsets[row]; at < end; at += LANES) {
        const bool has = at + lane < end;
        const uint32_t tile = has ? (uint32_t)col_indices[at + lane] / width : NONE_32;
        if (has) row = row_of<O>(at + lane, row, row_end, row_offsets);
        const unsigned same = __match_any_sync(ALL_LANES, tile);
        const unsigned of_row = __match_any_sync(ALL_LANES, (unsigned long long)tile << 32 | row);
        number_of(has, same, lane, &counters[has ? tile : 0]);
        const uint32_t length = length_of_run(has, row, same, of_row, lane, &runs[has ? tile : 0]);
        if (has && of_row >> lane == 1) atomicMax(&most[tile], length);
        row = __shfl_sync(ALL_LANES, row, 0);
    }
}

__global__ void steps_kernel(uint32_t pairs, const uint32_t *__restrict__ counters, const uint32_t *__restrict__ most,
                             uint32_t *steps)
{
    const uint32_t p = blockIdx.x * BLOCK + threadIdx.x;
    if (p <= pairs) steps[p] = p < pairs ? max((counters[p] + LANES - 1) / LANES, most[p]) : 0;
}

template <typename V, typename O>
__global__ void fill_kernel(tiles_t t, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                            const V *__restrict__ from, V *values, bool refresh)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (warp >= t.groups * TILE_WARPS) return;
    uint32_t row = t.first_rows[warp];
    const uint32_t block_row = t.first_rows[warp / TILE_WARPS * TILE_WARPS], row_end = t.first_rows[warp + 1];
    const O end = row_offsets[row_end];
    const uint32_t *starts = t.starts + (uint64_t)warp * t.count;
    uint32_t *counters = t.counters + (uint64_t)warp * t.count;
    for (uint32_t i = lane; i < t.count; i += LANES) counters[i] = 0;
    __syncwarp();
#pragma unroll 1
    for (O at = row_offsets[row]; at < end; at += LANES) {
        const bool has = at + lane < end;
        const uint32_t col = has ? (uint32_t)col_indices[at + lane] : 0, tile = has ? col / t.width : NONE_32;
        const uint32_t number = number_of(has, __match_any_sync(ALL_LANES, tile), lane, &counters[has ? tile : 0]);
        if (has) {
            const uint32_t first = starts[tile], steps = starts[tile + 1] - first;
            const uint64_t place = (uint64_t)(first + number % steps) * LANES + number / steps;
            values[place] = from[at + lane];
            if (!refresh) {
                row = row_of<O>(at + lane, row, row_end, row_offsets);
                t.entries[place] = (row - block_row) << 16 | (col - tile * t.width);
            }
        }
        row = __shfl_sync(ALL_LANES, row, 0);
    }
}

/* ---- host ---------------------------------------------------------------------------------------- */

// Values are moved, not computed with: only their size counts.
template <typename V, typename O>
cudaError_t fill(const tiles_t *t, const gpu_csr_t *A, bool refresh, cudaStream_t stream)
{
    fill_kernel<V, O><<<blocks_for((size_t)t->groups * TILE_WARPS, WARPS), BLOCK, 0, stream>>>(
        *t, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, (V *)t->values, refresh);
    return cudaPeekAtLastError();
}

// Finds the rows of each warp, if blocks share the columns of a group's rows in so many parts.  Finds the columns of a
// tile: as many as fit twice in shared memory beside the sums of the largest group.
template <typename O>
cudaError_t cut(tiles_t *t, const gpu_csr_t *A, uint32_t sms, uint32_t parts, size_t shared_bytes, uint32_t *first_rows,
                cudaStream_t stream)
{
    t->parts = parts;
    t->groups = sms / parts;
    t->most_rows = 0;
    const uint32_t ranges = t->groups * TILE_WARPS;
    cut_rows_kernel<O><<<blocks_for(ranges + 1, BLOCK), BLOCK, 0, stream>>>(ranges, (uint32_t)A->rows, (uint64_t)A->nnz,
                                                                          (const O *)A->row_offsets, t->first_rows);
    TRY(cudaPeekAtLastError());
    TRY(to_host(first_rows, t->first_rows, (ranges + 1) * sizeof *first_rows, stream));
    for (uint32_t w = 0; w < ranges; w += TILE_WARPS)
        if (first_rows[w + TILE_WARPS] - first_rows[w] > t->most_rows)
            t->most_rows = first_rows[w + TILE_WARPS] - first_rows[w];

    const size_t size = vector_size(A->value_type), sums_bytes = t->most_rows * size, cols = (size_t)A->cols;
    if (t->most_rows > TILE_MOST_ROWS || sums_bytes >= shared_bytes) return cudaErrorNotSupported;
    size_t most = (shared_bytes - sums_bytes) / (2 * size) / LANES * LANES;
    if (most > TILE_MOST_WIDTH) most = TILE_MOST_WIDTH;
    if (most < cols && most < LEAST_WIDTH) return cudaErrorNotSupported;
    size_t least_count = (cols + most - 1) / most;
    least_count = (least_count + parts - 1) / parts * parts;
    const size_t share = (cols + least_count - 1) / least_count;
    t->width = (uint32_t)((share + LANES - 1) / LANES * LANES);
    t->count = (uint32_t)((cols + t->width - 1) / t->width);
    return t->count < parts ? cudaErrorNotSupported : cudaSuccess;
}

// Chooses so many parts that each has few tiles, because a block waits at each of its tiles, even at tiles with few
// nonzeros.
template <typename O>
cudaError_t cut_best(tiles_t *t, const gpu_csr_t *A, int exclusive, cudaStream_t stream)
{
    int sms = 0;
    size_t shared_bytes;
    TRY(gpu_attribute(&sms, cudaDevAttrMultiProcessorCount));
    TRY(tiles_shared_bytes(&shared_bytes, A->value_type));
    const uint32_t most_ranges = (uint32_t)sms * TILE_WARPS;
    TRY(keep((void **)&t->first_rows, (most_ranges + 1) * sizeof *t->first_rows, t, stream));
    uint32_t *first_rows = (uint32_t *)malloc((most_ranges + 1) * sizeof *first_rows), best = 0, best_count = 0;
    if (!first_rows) return cudaErrorMemoryAllocation;
    cudaError_t status = cudaSuccess;
    for (uint32_t parts = 1; parts <= (exclusive ? MOST_PARTS : 1) && parts <= (uint32_t)sms; parts *= 2) {
        status = cut<O>(t, A, (uint32_t)sms, parts, shared_bytes, first_rows, stream);
        if (status == cudaErrorNotSupported) continue;
        if (status != cudaSuccess) break;
        const uint32_t count = (t->count + parts - 1) / parts;
        if (best && 5 * count > 4 * best_count) continue; // the gain would not pay for adding up more parts
        best = parts;
        best_count = count;
    }
    if (best) status = cut<O>(t, A, (uint32_t)sms, best, shared_bytes, first_rows, stream);
    free(first_rows);
    return status;
}

// Arrays for the build, with an element for each pair of a warp and a tile.
struct counted_t {
    uint32_t *most, *sums;
    run_t *runs;
};

cudaError_t make_room(tiles_t *t, uint64_t pairs, counted_t *c, scratch_t *scratch, cudaStream_t stream)
{
    TRY(keep((void **)&t->starts, (pairs + 1) * sizeof *t->starts, t, stream));
    TRY(keep((void **)&t->counters, pairs * sizeof *t->counters, t, stream));
    TRY(cudaMemsetAsync(t->counters, 0, pairs * sizeof *t->counters, stream));
    TRY(take_zeroed((void **)&c->runs, pairs * sizeof *c->runs, scratch, stream));
    TRY(take_zeroed((void **)&c->most, pairs * sizeof *c->most, scratch, stream));
    return take((void **)&c->sums, (blocks_for(pairs + 1, SCAN_TILE) + 1) * sizeof *c->sums, scratch);
}

// Counts the steps of each pair, and finds where they begin.
template <typename O>
cudaError_t count_steps(tiles_t *t, const gpu_csr_t *A, uint32_t warps, const counted_t *c, cudaStream_t stream)
{
    const uint64_t pairs = (uint64_t)warps * t->count;
    uint32_t steps;
    measure_kernel<O><<<blocks_for(warps, WARPS), BLOCK, 0, stream>>>(warps, t->count, t->width, t->first_rows,
                                                                      (const O *)A->row_offsets, A->col_indices,
                                                                      t->counters, c->runs, c->most);
    steps_kernel<<<blocks_for(pairs + 1, BLOCK), BLOCK, 0, stream>>>((uint32_t)pairs, t->counters, c->most, t->starts);
    TRY(cudaPeekAtLastError());
    TRY(slices_scan(t->starts, pairs + 1, c->sums, stream));
    TRY(to_host(&steps, &c->sums[blocks_for(pairs + 1, SCAN_TILE)], sizeof steps, stream));
    t->steps = steps;
    return cudaSuccess;
}

cudaError_t store(tiles_t *t, const gpu_csr_t *A, uint64_t places, cudaStream_t stream)
{
    const size_t value_bytes = places * value_size(A->value_type);
    TRY(keep((void **)&t->entries, places * sizeof *t->entries, t, stream));
    TRY(keep(&t->values, value_bytes, t, stream));
    TRY(cudaMemsetAsync(t->entries, 0xff, places * sizeof *t->entries, stream)); // TILE_FILLER
    TRY(cudaMemsetAsync(t->values, 0, value_bytes, stream));
    TRY(BY_SIZE_AND_OFFSETS(A, fill, t, A, false, stream));
    return keep_part_sums(t, A->value_type, stream);
}

template <typename O>
cudaError_t build(tiles_t *t, const gpu_csr_t *A, int exclusive, scratch_t *scratch, cudaStream_t stream)
{
    if (A->nnz == 0 || A->nnz > INT32_MAX)
        return cudaErrorNotSupported; // steps have 32 bits, and their number is at most that of the nonzeros
    TRY(cut_best<O>(t, A, exclusive, stream));
    const uint32_t warps = t->groups * TILE_WARPS;
    const uint64_t pairs = (uint64_t)warps * t->count; // pairs of a warp and a tile
    if (pairs > (uint64_t)A->nnz + SMALL_PLACES) return cudaErrorNotSupported;
    counted_t c;
    TRY(make_room(t, pairs, &c, scratch, stream));
    TRY(count_steps<O>(t, A, warps, &c, stream));
    const uint64_t places = t->steps * LANES;
    if ((double)places > MOST_PLACES * (double)A->nnz + SMALL_PLACES) return cudaErrorNotSupported;
    TRY(ask_for_balance(t, warps, t->steps, SMALL_STEPS, scratch, stream));
    TRY(store(t, A, places, stream));
    return cudaStreamSynchronize(stream);
}

} // namespace

cudaError_t tiles_build(tiles_t *t, const gpu_csr_t *A, int exclusive, cudaStream_t stream)
{
    return build_plan(t, tiles_free, stream, [&](scratch_t *scratch) {
        return BY_OFFSETS(A, build, t, A, exclusive, scratch, stream);
    });
}

cudaError_t tiles_refresh(const tiles_t *t, const gpu_csr_t *A, cudaStream_t stream)
{
    return BY_SIZE_AND_OFFSETS(A, fill, t, A, true, stream);
}

void tiles_free(tiles_t *t)
{
    free_plan(t, t->first_rows, t->starts, t->counters, t->entries, t->values, t->part_sums, t->parts_arrived);
}
