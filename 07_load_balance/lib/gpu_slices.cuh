/* gpu_slices.cuh - what gpu_slices.cu and gpu_slices_build.cu must agree on. */
#ifndef SPMV_GPU_SLICES_CUH
#define SPMV_GPU_SLICES_CUH

#include "gpu_common.cuh"
#include "gpu_slices.h"

// Long rows are cut into pieces, a slice each, and a team of neighbouring warps adds them up: 2, 4 or 8, a block at most.
// Rows that want more have several teams of 8.
enum { TEAM = 8, SEVERAL_TEAMS = 32 };

// Rows that are alike stand together, up to 4 of them: a bundle, which has lanes, and a place in a slice, like a row.

// meta: kind 3 bits, log2 of the lanes on a row 3, piece 1, rows (bundles) 6, rows of a bundle less 1 2, steps 17.  rows of a
// piece: the warps of its team (0: a filler), and SEVERAL_TEAMS.
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

// What a row of a bundle does not have: -0.  A zero of A is stored as +0, which comes to the same sums.
static __device__ __forceinline__ bool is_hole(float v) { return __float_as_uint(v) == 0x80000000u; }
static __device__ __forceinline__ bool is_hole(double v) { return __double_as_longlong(v) == INT64_MIN; }

// 32-byte units of columns for that many steps.
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

// A lane without a nonzero in a step.
enum { NONE_8 = 0xff, NONE_16 = 0xffff };
#define NONE_32 0xffffffffu

#endif
