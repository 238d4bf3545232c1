/*
 * gpu_tiles.cu - y = alpha A x + beta y for scattered columns: copies x to shared memory, one tile after the other.
 *
 * A load of x that no other lane of the warp shares costs L2 a sector of 32 bytes.  Here each SM copies all of x once.
 * Two tiles are in shared memory: the copy engine loads one while the block uses the other.  A block has contiguous
 * rows, and their sums stay in shared memory from the first tile to the last.  Each warp has some of these rows, and
 * their nonzeros in steps of 32, those of the first tile first.  No row occurs twice in a step, so warps add to the
 * sums without atomics, always in the same order.  A lane without a nonzero reads no x, so Inf and NaN do not spread to
 * other rows.
 *
 * Every tile costs a block a barrier, even if its warps have few nonzeros there.  So the columns may be cut, too:
 * several blocks have the same rows, each with its part of the tiles; the last of them to finish adds up their sums,
 * that of the first part first.
 */
#include "gpu_tiles.cuh"
#include "gpu_tiles.h"

namespace {

enum { IN_FLIGHT = 8 }; // steps that a warp loads at once
static_assert((int)BLOCK == TILE_WARPS * (int)LANES, "the plan has ranges for as many warps");

struct tile_arrays {
    const uint32_t *first_rows, *starts, *entries;
    uint32_t count, width, cols, parts, most_rows;
    unsigned *parts_arrived; // 0 between executes
};

template <typename V, typename S>
__global__ void __launch_bounds__(BLOCK, 1)
    tiles_kernel(tile_arrays a, const V *__restrict__ values, vectors<S> v, S *part_sums)
{
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ uint64_t arrived[2];
    __shared__ unsigned ticket;
    const uint32_t group = blockIdx.x / a.parts, part = blockIdx.x % a.parts;
    const uint32_t first_tile = part * a.count / a.parts, count = (part + 1) * a.count / a.parts - first_tile;
    const uint32_t before = first_tile * a.width; // columns
    const tiles_of_x<S> tiles = {
        (S *)shared, arrived, v.x + before, count, a.width, min(a.cols - before, count * a.width), a.width};
    S *const sums = (S *)shared + 2 * a.width;
    const uint32_t *const of_group = a.first_rows + group * TILE_WARPS;
    const uint32_t first_row = of_group[0], rows = of_group[TILE_WARPS] - first_row;
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t *const starts =
        a.starts + (uint64_t)(group * TILE_WARPS + threadIdx.x / LANES) * a.count + first_tile;

    // The warp's steps, tile after tile; IN_FLIGHT of them are loaded at once.
    const uint32_t end = starts[count];
    uint32_t step = starts[0], tile_end = starts[1], next_end = starts[min(2u, count)];
    const uint32_t *entries = a.entries + (uint64_t)step * LANES + lane;
    values += (uint64_t)step * LANES + lane;
    uint32_t entry[IN_FLIGHT];
    V value[IN_FLIGHT];
#pragma unroll
    for (int j = 0; j < IN_FLIGHT; ++j)
        if (step + j < end) {
            entry[j] = __ldcs(&entries[j * LANES]);
            value[j] = load_stored(&values[j * LANES]);
        }

    if (threadIdx.x == 0) tiles.init();
    tiles.fetch(0);
    for (uint32_t r = threadIdx.x; r < rows; r += BLOCK) sums[r] = 0;
    const S *x = tiles.enter(0);

    uint32_t tile = 0;
#pragma unroll 1
    while (tile < count) {
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; ++j) {
#pragma unroll 1
            while (tile < count && step == tile_end) {
                if (++tile == count) break;
                tile_end = next_end;
                next_end = starts[min(tile + 2, count)];
                x = tiles.enter(tile);
            }
            if (tile == count) break;
            if (entry[j] != TILE_FILLER) sums[entry[j] >> 16] += widen(value[j]) * x[entry[j] & 0xffff];
            __syncwarp(); // another lane may have a row of this step in the next step
            if (step + IN_FLIGHT < end) {
                entry[j] = __ldcs(&entries[(IN_FLIGHT + j) * LANES]);
                value[j] = load_stored(&values[(IN_FLIGHT + j) * LANES]);
            }
            ++step;
        }
        entries += IN_FLIGHT * LANES;
        values += IN_FLIGHT * LANES;
    }
    __syncthreads(); // all sums are written
    S *const of_parts = part_sums + (uint64_t)group * a.parts * a.most_rows;
    if (a.parts > 1) {
        for (uint32_t r = threadIdx.x; r < rows; r += BLOCK) __stcg(&of_parts[part * a.most_rows + r], sums[r]);
        if (!last_part(&a.parts_arrived[group], a.parts, &ticket)) return;
    }
    for (uint32_t r = threadIdx.x; r < rows; r += BLOCK)
        finish(&v.y[first_row + r], a.parts > 1 ? sum_of_parts<4>(r, of_parts, a.parts, a.most_rows) : sums[r], v.alpha,
               v.beta);
}

template <typename V, typename S>
cudaError_t launch(const tiles_t *t, const gpu_csr_t *A, const gpu_call_t *c)
{
    const tile_arrays a = {t->first_rows,     t->starts, t->entries,   t->count,        t->width,
                           (uint32_t)A->cols, t->parts,  t->most_rows, t->parts_arrived};
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const size_t shared_bytes = (2 * (size_t)t->width + t->most_rows) * sizeof(S);
    tiles_kernel<V, S><<<t->groups * t->parts, BLOCK, shared_bytes, (cudaStream_t)c->stream>>>(a, (const V *)t->values,
                                                                                               v, (S *)t->part_sums);
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t allow(size_t bytes)
{
    return cudaFuncSetAttribute(tiles_kernel<V, S>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

} // namespace

cudaError_t tiles_run(const tiles_t *t, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE(A->value_type, launch, t, A, c);
}

cudaError_t tiles_shared_bytes(size_t *bytes, spmv_type_t type)
{
    const cudaError_t status = most_shared_bytes(bytes);
    if (status != cudaSuccess) return status;
    return BY_TYPE(type, allow, *bytes);
}
