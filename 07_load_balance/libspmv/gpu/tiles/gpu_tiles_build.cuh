/* gpu_tiles_build.cuh - shared by the builders of tiles (gpu_tiles_build.cu, gpu_wide_build.cu). */
#ifndef SPMV_GPU_TILES_BUILD_CUH
#define SPMV_GPU_TILES_BUILD_CUH

#include "gpu_slices_build.cuh"

namespace {

enum { SMALL_PLACES = 1 << 16 };    // up to so many places, and pairs of a range and a tile, are always accepted
constexpr double MOST_PLACES = 1.5; // per nonzero, with fillers
constexpr double MOST_UNEVEN = 2;   // a range has in a part at most so many times the mean work

// part_rows[parts + 1] gets the rows of contiguous parts that have about equal nonzeros.
template <typename O>
__global__ void cut_rows_kernel(uint32_t parts, uint32_t rows, uint64_t nnz, const O *__restrict__ row_offsets,
                                uint32_t *part_rows)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i > parts) return;
    const uint64_t target = nnz * i / parts;
    uint32_t low = 0, high = rows; // searches the first row that starts there or later
#pragma unroll 1
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((uint64_t)row_offsets[middle] < target) low = middle + 1;
        else high = middle;
    }
    part_rows[i] = i < parts ? low : rows;
}

// Returns the row of nonzero nz, which is at least `low` and below `high`.
template <typename O>
__device__ __forceinline__ uint32_t row_of(O nz, uint32_t low, uint32_t high, const O *__restrict__ row_offsets)
{
#pragma unroll 1
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (row_offsets[middle] <= nz) low = middle;
        else high = middle;
    }
    return low;
}

// Returns the number of each lane's nonzero among those of its tile, and adds them to the tile's counter.  `same`: the
// lanes of the tile.
__device__ __forceinline__ uint32_t number_of(bool has, unsigned same, unsigned lane, uint32_t *counter)
{
    const unsigned before = same & ((1u << lane) - 1);
    const uint32_t first = has ? *counter : 0;
    __syncwarp();
    if (has && !before) *counter = first + __popc(same);
    __syncwarp();
    return first + __popc(before);
}

struct run_t {
    uint32_t row, length; // the last row that has nonzeros in a tile, and their number so far
};

// Counts the nonzeros of each lane's row in its tile so far, those of these lanes included, and updates the tile's run.
// `same`: the lanes of the tile; `of_row`: those of them that have the same row.
__device__ __forceinline__ uint32_t length_of_run(bool has, uint32_t row, unsigned same, unsigned of_row, unsigned lane,
                                                  run_t *of_tile)
{
    run_t run = has ? *of_tile : run_t{0, 0};
    run.length = (run.row == row ? run.length : 0) + __popc(of_row);
    run.row = row;
    __syncwarp();
    if (has && same >> lane == 1) *of_tile = run; // the last lane of the tile has its last row
    __syncwarp();
    return run.length;
}

// Finds the most work that a range has in a part; starts: [ranges * count + 1] of each range and tile.
__global__ void longest_kernel(uint32_t ranges, uint32_t parts, uint32_t count, const uint32_t *__restrict__ starts,
                               uint32_t *longest)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x, range = i / parts, part = i % parts;
    if (range >= ranges) return;
    starts += (uint64_t)range * count;
    atomicMax(longest, starts[(part + 1) * count / parts] - starts[part * count / parts]);
}

cudaError_t take_zeroed(void **d, size_t bytes, scratch_t *scratch, cudaStream_t stream)
{
    TRY(take(d, bytes, scratch));
    return cudaMemsetAsync(*d, 0, bytes, stream);
}

// Returns cudaErrorNotSupported if columns are local: one part may have all nonzeros of a row, and the blocks of other
// parts no work.  work: of all ranges.
template <typename P>
cudaError_t ask_for_balance(const P *t, uint32_t ranges, uint64_t work, uint32_t small, scratch_t *scratch,
                            cudaStream_t stream)
{
    uint32_t *d_longest, longest;
    TRY(take_zeroed((void **)&d_longest, sizeof *d_longest, scratch, stream));
    longest_kernel<<<blocks_for((size_t)ranges * t->parts, BLOCK), BLOCK, 0, stream>>>(ranges, t->parts, t->count,
                                                                                       t->starts, d_longest);
    TRY(cudaPeekAtLastError());
    TRY(to_host(&longest, d_longest, sizeof longest, stream));
    const double mean = (double)work / ((double)ranges * t->parts);
    return longest > MOST_UNEVEN * mean + small ? cudaErrorNotSupported : cudaSuccess;
}

// Allocates the sums of parts, and the counters of those that have arrived.
template <typename P>
cudaError_t keep_part_sums(P *t, spmv_type_t type, cudaStream_t stream)
{
    if (t->parts == 1) return cudaSuccess;
    TRY(keep(&t->part_sums, (size_t)t->groups * t->parts * t->most_rows * vector_size(type), t, stream));
    TRY(keep((void **)&t->parts_arrived, t->groups * sizeof *t->parts_arrived, t, stream));
    return cudaMemsetAsync(t->parts_arrived, 0, t->groups * sizeof *t->parts_arrived, stream);
}

} // namespace

#endif
