/* gpu_granules.cuh - the layout of granules, which gpu_granules_build.cu writes and gpu_granules.cu reads. */
#ifndef SPMV_GPU_GRANULES_CUH
#define SPMV_GPU_GRANULES_CUH

#include "gpu_common.cuh"
#include "gpu_granules.h"

// Returns the place of a slot's value.  A lane loads all 4 values at once if x is fp32, and 2 at a time if x is fp64:
// then the first 2 values of 32 slots come before the last 2 of these slots, so that a warp loads contiguous memory.
template <typename I>
static __host__ __device__ __forceinline__ I value_place(I slot, unsigned entry, unsigned at_once)
{
    if (at_once == GRANULE) return slot * GRANULE + entry;
    return slot / LANES * (LANES * GRANULE) + entry / at_once * (LANES * at_once) + slot % LANES * at_once +
           entry % at_once;
}

// Returns the first word of a slot's columns.  Of 3 words (24 bits for each column) the first of 32 slots come first.
template <typename I>
static __host__ __device__ __forceinline__ I column_place(I slot, uint32_t bytes)
{
    return bytes == 12 ? slot / LANES * (3 * LANES) + slot % LANES : slot * (bytes / 4);
}

// Position p of a slot has nonzero (p + rotation) % 4.  Neighbouring lanes often have neighbouring granules of a row.
// If all lanes loaded x for their first nonzero together, the addresses would be 4 elements apart, in a quarter of the
// banks of L1; with a rotation for every quarter of a warp (fp64: every eighth) they are in all banks.
static __host__ __device__ __forceinline__ unsigned rotation(uint32_t slot, unsigned vector_size)
{
    return slot % LANES >> (vector_size == 8 ? 2 : 3) & 3u;
}

// Columns in 4 bytes: 17 bits for the first position, counted from the block's smallest column, and 5 bits for the
// signed distance of each of the others from it.
enum { FIRST_BITS = 17, NEAR_BITS = 5, NEAR_MOST = (1 << (NEAR_BITS - 1)) - 1, NEAR_LEAST = -NEAR_MOST - 1 };

#endif
