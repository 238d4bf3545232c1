/* gpu_slices.cuh - the layout of slices, which gpu_slices_build.cu writes and gpu_slices.cu reads. */
#ifndef SPMV_GPU_SLICES_CUH
#define SPMV_GPU_SLICES_CUH

#include "gpu_common.cuh"
#include "gpu_slices.h"

// Long rows are cut into pieces, a slice each, and a team of neighbouring warps adds them up: 2, 4 or 8 warps, at most
// a block.  Rows that need more warps have several teams of 8.
enum { TEAM = 8, SEVERAL_TEAMS = 32 };

// Up to 4 neighbouring rows that are alike form a bundle, which has lanes and a place in a slice, like a row.

// Bits of meta: kind 3, log2 of the lanes on a row 3, piece 1, rows (bundles) 6, rows of a bundle less 1 2, steps 17.
// In a piece, rows holds the warps of its team (0 for a filler), and SEVERAL_TEAMS.
struct slice_meta {
    uint32_t kind, width_log2, piece, rows, height, steps;
};
static __host__ __device__ __forceinline__ uint32_t pack_meta(slice_meta m)
{
    return m.kind | m.width_log2 << 3 | m.piece << 6 | m.rows << 7 | (m.height - 1) << 13 | m.steps << 15;
}
static __host__ __device__ __forceinline__ slice_meta unpack_meta(uint32_t w)
{
    return slice_meta{w & 7u, w >> 3 & 7u, w >> 6 & 1u, w >> 7 & 63u, (w >> 13 & 3u) + 1, w >> 15};
}
enum { MAX_STEPS = (1 << 17) - 1, MAX_HEIGHT = 4 };

enum { EMPTY_ROWS = 256 }; // rows in which a slice of kind SLICE_EMPTY searches

// Rows of up to 4 nonzeros that are in no bundle: a lane takes SHORT_PER_LANE of them, with 8 or 9 nonzeros.
enum { SHORT_ROW = 4 };
#define SHORT_PER_LANE(length) ((length) == 3 ? 3 : 8 / (length))

// If pairs are stored once (gpu_slices_pairs.cu), the record of a step of diagonals has the step's columns in x and y,
// and the place of its 32 values in z and w.  The values may belong to another slice, and the last of them to the slice
// behind that: values in the first of these slices are counted from z, those in the second from w.
static __device__ __forceinline__ uint32_t pair_place(uint4 pair, unsigned lane)
{
    return lane + (lane + pair.x % LANES < LANES ? pair.z : pair.w);
}

// Returns the number of 32-byte units of columns for that many steps.
static __host__ __device__ __forceinline__ uint32_t column_units(uint32_t kind, uint32_t steps)
{
    switch (kind) {
    case SLICE_DIAGONALS: return (steps + 3) / 4;
    case SLICE_8: return (steps + 7) / 8 + steps;
    case SLICE_16: return 2 * steps;
    case SLICE_32: return 4 * steps;
    default: return 0;
    }
}

enum { WIDTHS = 6 }; // 1, 2, 4, 8, 16, 32 lanes on a row

template <typename T>
__device__ __forceinline__ T max_lanes(T value, unsigned width)
{
#pragma unroll 1
    for (unsigned s = width / 2; s > 0; s /= 2) {
        const T other = __shfl_xor_sync(ALL_LANES, value, s);
        value = other > value ? other : value;
    }
    return value;
}

// The column of a lane without a nonzero in a step.
enum { NONE_8 = 0xff, NONE_16 = 0xffff };
#define NONE_32 0xffffffffu

// Adds up a row's pieces: a team of warps of this block does it in team_sums, [TEAM] in shared memory.  Not inlined,
// like the next function: if a matrix is small, a kernel whose usual path is one short piece of code waits less often
// for its instructions.
template <typename S>
static __device__ __attribute__((noinline)) void finish_team(S *team_sums, S sum, unsigned rows_of_meta, uint32_t row,
                                                             uint32_t slice, const uint4 *all_pieces, S *left,
                                                             vectors<S> v)
{
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, team = rows_of_meta & ~SEVERAL_TEAMS;
    if (lane == 0) team_sums[warp] = sum;
    const uint4 p = rows_of_meta & SEVERAL_TEAMS ? all_pieces[slice] : uint4(); // row, first slice, slices
    __syncthreads();
    if (team == 0 || warp % team) return;
    S total = sum_warp(lane < team ? team_sums[warp + lane] : 0);
    if (rows_of_meta & SEVERAL_TEAMS) {
        if (!add_in_order(lane, left, p.y / TEAM, (slice - p.y) / TEAM, p.z / TEAM, &total)) return;
    }
    if (lane == 0) finish(&v.y[row], total, v.alpha, v.beta);
}

template <typename S>
static __device__ __attribute__((noinline)) void finish_empty(uint32_t first, uint32_t rows, const unsigned *empty,
                                                              vectors<S> v)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned mine = lane < EMPTY_ROWS / LANES && first + lane * LANES < rows ? empty[first / LANES + lane] : 0;
#pragma unroll
    for (uint32_t i = 0; i < EMPTY_ROWS / LANES; ++i)
        if (__shfl_sync(ALL_LANES, mine, i) >> lane & 1u) // only rows that exist
            finish(&v.y[first + i * LANES + lane], (S)0, v.alpha, v.beta);
}

#endif
