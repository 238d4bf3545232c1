/* gpu_slices.cuh - what gpu_slices.cu and gpu_slices_build.cu must agree on. */
#ifndef SPMV_GPU_SLICES_CUH
#define SPMV_GPU_SLICES_CUH

#include "gpu_common.cuh"
#include "gpu_slices.h"

// meta: kind 3 bits, log2 of the lanes on a row 3, piece 1, rows 6, steps 19.
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

// A lane without a nonzero in a step.
enum { NONE_8 = 0xff, NONE_16 = 0xffff };
#define NONE_32 0xffffffffu

#endif
