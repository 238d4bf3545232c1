/* gpu_slices.cuh - what gpu_slices.cu and gpu_slices_build.cu must agree on. */
#ifndef SPMV_GPU_SLICES_CUH
#define SPMV_GPU_SLICES_CUH

#include "gpu_common.cuh"
#include "gpu_slices.h"

// Long rows are cut into pieces, a slice each, and a team of neighbouring warps adds them up: 2, 4 or 8, a block at most.
// Rows that want more have several teams of 8.
enum { TEAM = 8, SEVERAL_TEAMS = 32 };

// meta: kind 3 bits, log2 of the lanes on a row 3, piece 1, rows 6, steps 19.  rows of a piece: the warps of its team (0: a
// filler), and SEVERAL_TEAMS.
struct slice_meta {
    uint32_t kind, width_log2, piece, rows, steps;
};
static __host__ __device__ __forceinline__ uint32_t pack_meta(slice_meta m)
{
    return m.kind | m.width_log2 << 3 | m.piece << 6 | m.rows << 7 | m.steps << 13;
}
static __host__ __device__ __forceinline__ slice_meta unpack_meta(uint32_t w)
{
    return slice_meta{w & 7u, w >> 3 & 7u, w >> 6 & 1u, w >> 7 & 63u, w >> 13};
}
enum { MAX_STEPS = (1 << 19) - 1 };

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

// How many lanes (their log2) the rows of a group of 32 get, so that none has more than `steps` to do.
static __host__ __device__ __forceinline__ uint32_t group_width(uint32_t longest, uint32_t steps)
{
    uint32_t w = 0;
    while (w < WIDTHS - 1 && longest > steps << w) ++w;
    return w;
}

// ... and where all rows get the same number.
static inline uint32_t wide_width(double mean)
{
    uint32_t w = 0;
    while (w < WIDTHS - 1 && mean > 3.0 * (1 << w)) ++w;
    return w;
}

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
