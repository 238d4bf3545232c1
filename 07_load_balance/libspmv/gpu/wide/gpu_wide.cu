/*
 * gpu_wide.cu - y = alpha A x + beta y for few long rows over many columns: copies x to shared memory, tile after tile.
 *
 * As in gpu_tiles.cu, a block has the rows of a group and the columns of a part, and each SM copies its part of x once
 * instead of loading a sector from L2 for each nonzero.  In gpu_tiles.cu each warp has its own rows; here a row is too
 * long for that.  So all threads get equally many nonzeros of a group and tile, which follow each other.  Nearly all of
 * these belong to one row or two, so a thread adds up in a register, and writes to shared memory only when the row
 * changes.  A row has a sum for each thread that may have some of its nonzeros, so there are no atomics, and the order
 * is always the same.
 *
 * A thread loads several steps at once, in 16 bytes, and further ones before it uses them.
 */
#include "gpu_tiles.cuh"
#include "gpu_wide.h"

namespace {

static_assert((int)BLOCK == (int)WIDE_THREADS, "the plan has places for as many threads");

struct wide_arrays {
    const uint32_t *group_rows, *first_sums, *starts, *entries;
    uint32_t count, width, cols, parts, most_rows, most_sums;
    unsigned *parts_arrived; // 0 between executes
};

__device__ __forceinline__ void load_words(uint32_t (&words)[2], const void *from)
{
    const uint2 w = __ldcs((const uint2 *)from);
    words[0] = w.x, words[1] = w.y;
}
__device__ __forceinline__ void load_words(uint32_t (&words)[4], const void *from)
{
    const uint4 w = __ldcs((const uint4 *)from);
    words[0] = w.x, words[1] = w.y, words[2] = w.z, words[3] = w.w;
}

// The entries or values that a thread loads at once.
template <typename V> struct batch_t {
    enum { STEPS = WIDE_BATCH(sizeof(V)), PLACES = BLOCK * STEPS };
    uint32_t entries[STEPS], words[STEPS * sizeof(V) / 4];

    __device__ void load(const uint32_t *from, const V *values)
    {
        load_words(entries, from);
        load_words(words, values);
    }
    __device__ V value(int step) const
    {
        V v;
        memcpy(&v, (const char *)words + step * sizeof(V), sizeof v);
        return v;
    }
};

// Returns the sum of a row, from the sums of its threads.
template <typename S> __device__ __forceinline__ S sum_of_threads(uint32_t r, const S *sums, const uint32_t *first_sums)
{
    S sum = 0;
    const uint32_t before = first_sums[0], end = first_sums[r + 1] - before;
    for (uint32_t i = first_sums[r] - before; i < end; ++i) sum += sums[i];
    return sum;
}

template <typename V, typename S>
__global__ void __launch_bounds__(BLOCK, 1)
    wide_kernel(wide_arrays a, const V *__restrict__ values, vectors<S> v, S *part_sums)
{
    enum { STEPS = batch_t<V>::STEPS, PLACES = batch_t<V>::PLACES, IN_FLIGHT = STEPS == 2 ? 3 : 2 };
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ uint64_t arrived[2];
    __shared__ unsigned ticket;
    const uint32_t group = blockIdx.x / a.parts, part = blockIdx.x % a.parts, count = a.count / a.parts;
    const uint32_t before = part * count * a.width, stride = a.width + WIDE_PAD; // columns
    const tiles_of_x<S> tiles = {
        (S *)shared, arrived, v.x + before, count, a.width, min(a.cols - before, count * a.width), stride};
    if (threadIdx.x == 0) tiles.init();
    tiles.fetch(0);

    // The batches of all tiles, one behind the other; IN_FLIGHT of them are loaded at once.
    const uint32_t *const starts = a.starts + (uint64_t)group * a.count + part * count;
    const uint32_t end = starts[count];
    uint32_t at = starts[0], tile_end = starts[1], next_end = starts[min(2u, count)];
    const uint32_t *entries = a.entries + (uint64_t)at * PLACES + threadIdx.x * STEPS;
    values += (uint64_t)at * PLACES + threadIdx.x * STEPS;
    batch_t<V> batches[IN_FLIGHT];
#pragma unroll
    for (int j = 0; j < IN_FLIGHT; ++j)
        if (at + j < end) batches[j].load(entries + j * PLACES, values + j * PLACES);

    const uint32_t first_row = a.group_rows[group], rows = a.group_rows[group + 1] - first_row;
    const uint32_t *const first_sums = a.first_sums + first_row;
    const uint32_t nobodys = a.most_sums + threadIdx.x, buffers = count > 1 ? 2 : 1;
    S *const sums = (S *)shared + buffers * stride;
    if (threadIdx.x < buffers) tiles.buffer(threadIdx.x)[a.width] = 0;
    for (uint32_t i = threadIdx.x; i < a.most_sums + BLOCK; i += BLOCK) sums[i] = 0;
    const S *x = tiles.enter(0);

    uint32_t tile = 0, mine = nobodys; // mine: the sum that is in the register
    S sum = 0;
#pragma unroll 1
    while (tile < count) {
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; ++j) {
#pragma unroll 1
            while (at == tile_end) {
                sums[mine] += sum; // another thread may have this sum in the next tile
                sum = 0;
                mine = nobodys;
                if (++tile == count) break;
                tile_end = next_end;
                next_end = starts[min(tile + 2, count)];
                x = tiles.enter(tile);
            }
            if (tile == count) break;
#pragma unroll
            for (int i = 0; i < STEPS; ++i) {
                const uint32_t entry = batches[j].entries[i];
                if (entry >> 16 != mine) {
                    sums[mine] += sum;
                    sum = 0;
                    mine = entry >> 16;
                }
                sum += widen(batches[j].value(i)) * x[entry & 0xffff];
            }
            if (at + IN_FLIGHT < end)
                batches[j].load(entries + (IN_FLIGHT + j) * PLACES, values + (IN_FLIGHT + j) * PLACES);
            ++at;
        }
        entries += IN_FLIGHT * PLACES;
        values += IN_FLIGHT * PLACES;
    }
    __syncthreads(); // all sums are written
    S *const of_parts = part_sums + (uint64_t)group * a.parts * a.most_rows;
    if (a.parts > 1) {
        for (uint32_t r = threadIdx.x; r < rows; r += BLOCK)
            __stcg(&of_parts[part * a.most_rows + r], sum_of_threads(r, sums, first_sums));
        if (!last_part(&a.parts_arrived[group], a.parts, &ticket)) return;
    }
    for (uint32_t r = threadIdx.x; r < rows; r += BLOCK) {
        const S all = a.parts > 1 ? sum_of_parts<128 / sizeof(S)>(r, of_parts, a.parts, a.most_rows)
                                  : sum_of_threads(r, sums, first_sums);
        finish(&v.y[first_row + r], all, v.alpha, v.beta);
    }
}

template <typename V, typename S>
cudaError_t launch(const wide_t *t, const gpu_csr_t *A, const gpu_call_t *c)
{
    const wide_arrays a = {t->group_rows, t->first_sums, t->starts,    t->entries,   t->count,        t->width,
                           (uint32_t)A->cols, t->parts,  t->most_rows, t->most_sums, t->parts_arrived};
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const size_t shared_bytes = wide_shared_numbers(t->width, t->count / t->parts, t->most_sums) * sizeof(S);
    wide_kernel<V, S><<<t->groups * t->parts, BLOCK, shared_bytes, (cudaStream_t)c->stream>>>(a, (const V *)t->values,
                                                                                              v, (S *)t->part_sums);
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t allow(size_t bytes)
{
    return cudaFuncSetAttribute(wide_kernel<V, S>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

} // namespace

cudaError_t wide_run(const wide_t *t, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE(A->value_type, launch, t, A, c);
}

size_t wide_shared_numbers(uint32_t width, uint32_t tiles_of_part, uint32_t most_sums)
{
    return (tiles_of_part > 1 ? 2 : 1) * ((size_t)width + WIDE_PAD) + most_sums + WIDE_THREADS;
}

cudaError_t wide_shared_bytes(size_t *bytes, spmv_type_t type)
{
    const cudaError_t status = most_shared_bytes(bytes);
    if (status != cudaSuccess) return status;
    return BY_TYPE(type, allow, *bytes);
}
