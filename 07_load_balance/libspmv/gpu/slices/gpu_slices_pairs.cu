/*
 * gpu_slices_pairs.cu - stores only one triangle of a symmetric matrix, for plans with the option `values`.
 *
 * If 32 rows have a diagonal below the main one, earlier rows have its mirror image above: the same values, in the same
 * order.  If they are equal bit by bit, the lower values are not stored, but loaded from the place of the upper ones:
 * in two contiguous runs, because the rows of the upper values are mostly in two slices.  The upper values were loaded
 * a little before, so they are still in L2: half the values are read from memory, and the terms of each sum keep their
 * order.
 *
 *   mark   a warp per slice: finds the steps that have a pair, and the pair's steps
 *   scan   numbers the steps that are stored                             gpu_slices_scan.cu
 *   move   moves their values to these places
 */
#include "gpu_slices_build.cuh"

size_t gpu_pairs_least = (size_t)4 << 20;

namespace {

// The least part of the plan's bytes to be saved.  Measured (H100): with 3 in 10 all matrices gain, with a quarter
// none.
constexpr double LEAST_SAVED = 0.3;
constexpr uint32_t NO_STEP = UINT32_MAX;
constexpr uint64_t MOST_STEPS = UINT32_MAX / LANES; // places of values have 32 bits

struct stored_step {
    uint32_t step, mask; // NO_STEP if the slice has no such diagonal
};

// Returns the step of that diagonal in a slice, if it has one.  All lanes pass the same arguments.
__device__ __forceinline__ stored_step find_diagonal(int64_t slice, uint32_t diagonal,
                                                     const uint4 *__restrict__ records,
                                                     const unsigned char *__restrict__ columns, unsigned lane)
{
    if (slice < 0) return stored_step{NO_STEP, 0};
    const uint4 r = records[slice];
    const slice_meta m = unpack_meta(r.w);
    if (m.kind != SLICE_DIAGONALS) return stored_step{NO_STEP, 0};
    const uint2 *at = (const uint2 *)(columns + (uint64_t)r.y * 32);
#pragma unroll 1
    for (uint32_t first = 0; first < m.steps; first += LANES) {
        const uint32_t k = first + lane;
        const unsigned there = __ballot_sync(ALL_LANES, k < m.steps && at[k].x == diagonal);
        if (there) return stored_step{r.x + first + __ffs(there) - 1, at[first + __ffs(there) - 1].y};
    }
    return stored_step{NO_STEP, 0};
}

// pairs[step] gets the step's diagonal, and the two steps that have its values: in the slice in which the mirror image
// begins, and in the next one.  Without a pair both are the step itself, and stored is 1.
template <typename B>
__global__ void __launch_bounds__(BLOCK) mark_kernel(uint32_t slices, const uint4 *__restrict__ records,
                                                     const unsigned char *__restrict__ columns,
                                                     const B *__restrict__ values, uint4 *pairs, uint32_t *stored)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (slice >= slices) return;
    const uint4 r = records[slice];
    const slice_meta m = unpack_meta(r.w);
#pragma unroll 1
    for (uint32_t k = 0; k < m.steps; ++k) {
        const uint32_t step = r.x + k;
        const uint2 mine = m.kind == SLICE_DIAGONALS ? ((const uint2 *)(columns + (uint64_t)r.y * 32))[k] : uint2();
        const int32_t diagonal = (int32_t)mine.x;
        uint4 pair = make_uint4(mine.x, mine.y, step, step);
        if (diagonal < 0) {
            const int64_t end = (int64_t)r.z + diagonal + LANES; // behind the first lane's mirror image by a slice
            const unsigned place = lane + mine.x % LANES, in = place % LANES;
            const uint32_t above = 0 - mine.x;
            const stored_step first = find_diagonal(end / LANES - 1, above, records, columns, lane),
                              next = mine.x % LANES ? find_diagonal(end / LANES, above, records, columns, lane)
                                                    : stored_step{NO_STEP, 0};
            const stored_step there = place < LANES ? first : next;
            bool same = true;
            if (mine.y >> lane & 1u)
                same = there.mask >> in & 1u &&
                       values[(uint64_t)there.step * LANES + in] == values[(uint64_t)step * LANES + lane];
            if (__all_sync(ALL_LANES, same)) { // one of the two slices may lack the diagonal if no lane's pair is there
                pair.z = first.step != NO_STEP ? first.step : next.step;
                pair.w = next.step != NO_STEP ? next.step : first.step;
            }
        }
        if (lane == 0) {
            pairs[step] = pair;
            stored[step] = pair.z == step;
        }
    }
}

// places: the scanned `stored`.  pairs becomes what gpu_slices.cuh describes.
template <typename B>
__global__ void __launch_bounds__(BLOCK) move_kernel(uint64_t steps, const uint32_t *__restrict__ places,
                                                     const B *__restrict__ from, B *__restrict__ to, uint4 *pairs)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint64_t step = (uint64_t)blockIdx.x * WARPS + threadIdx.x / LANES;
    if (step >= steps) return;
    const uint4 p = pairs[step];
    if (p.z == step) to[(uint64_t)places[step] * LANES + lane] = from[step * LANES + lane];
    __syncwarp();
    const uint32_t shift = p.z == step ? 0 : p.x % LANES;
    if (lane == 0)
        pairs[step] = make_uint4(p.x, p.y, places[p.z] * LANES + shift,
                                 places[p.w] * LANES + shift - (shift ? (uint32_t)LANES : 0));
}

template <typename B>
cudaError_t pair(slices_t *s, uint4 *pairs, scratch_t *scratch, bool *paired)
{
    const cudaStream_t stream = scratch->stream;
    const unsigned tiles = blocks_for(s->value_steps, SCAN_TILE);
    uint32_t *places, *sums, stored;
    B *values;
    TRY(take((void **)&places, s->value_steps * sizeof *places, scratch));
    TRY(take((void **)&sums, (tiles + 1) * sizeof *sums, scratch));
    mark_kernel<B><<<blocks_for(s->count, WARPS), BLOCK, 0, stream>>>(s->count, s->records, s->columns,
                                                                      (const B *)s->values, pairs, places);
    TRY(cudaPeekAtLastError());
    TRY(slices_scan(places, s->value_steps, sums, stream));
    TRY(to_host(&stored, &sums[tiles], sizeof stored, stream));
    const uint64_t saved = (s->value_steps - stored) * LANES * sizeof(B), added = s->value_steps * sizeof *pairs;
    const double least = gpu_pairs_least ? LEAST_SAVED * (double)s->bytes : 1;
    if ((double)saved < (double)added + least) return cudaSuccess;
    TRY(gpu_take((void **)&values, (uint64_t)stored * LANES * sizeof(B), stream));
    move_kernel<B><<<blocks_for(s->value_steps, WARPS), BLOCK, 0, stream>>>(s->value_steps, places,
                                                                           (const B *)s->values, values, pairs);
    cudaError_t status = cudaPeekAtLastError();
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    if (status != cudaSuccess) {
        gpu_free(values);
        return status;
    }
    gpu_free(s->values);
    s->values = values;
    s->pairs = pairs;
    s->stored_steps = stored;
    s->bytes += added;
    s->bytes -= saved;
    *paired = true;
    return cudaSuccess;
}

} // namespace

cudaError_t slices_pair(slices_t *s, size_t value_size, cudaStream_t stream)
{
    const uint64_t bytes = s->value_steps * LANES * value_size;
    if (s->sorted || s->even_steps || s->kinds[SLICE_DIAGONALS] == 0 || bytes < gpu_pairs_least ||
        s->value_steps > MOST_STEPS || (value_size != 4 && value_size != 8))
        return cudaSuccess;
    scratch_t scratch = {stream, {NULL}, 0};
    uint4 *pairs = NULL;
    bool paired = false;
    cudaError_t status = gpu_take((void **)&pairs, s->value_steps * sizeof *pairs, stream);
    if (status == cudaSuccess)
        status = value_size == 8 ? pair<unsigned long long>(s, pairs, &scratch, &paired)
                                 : pair<uint32_t>(s, pairs, &scratch, &paired);
    end_scratch(&scratch, status);
    if (!paired) gpu_free(pairs);
    return status;
}

cudaError_t slices_unpair(slices_t *s, size_t stored_size, size_t value_size, cudaStream_t stream)
{
    void *values = NULL;
    const cudaError_t status = gpu_take(&values, s->value_steps * LANES * value_size, stream);
    if (status != cudaSuccess) return status;
    s->bytes += s->value_steps * (LANES * value_size - sizeof *s->pairs);
    s->bytes -= (uint64_t)s->stored_steps * LANES * stored_size;
    gpu_free(s->pairs);
    gpu_free(s->values);
    s->pairs = NULL;
    s->values = values;
    return cudaSuccess;
}
