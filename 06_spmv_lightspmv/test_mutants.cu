/*
 * test_mutants.cu - kernels of the ladder with one thing broken.  Every one of them must be rejected, by the
 * check or by the stand-in (test_spmv_lightspmv.c says by which).
 */
#include "chapter.h"

enum { BLOCK = 256 };

enum mutant {
    CORRECT, DROPS_LAST, DROPS_LANE_TAIL, SKIPS_EMPTY_ROWS, WRONG_ROW, ADDS_INTO_Y, WRITES_PAST_END, NO_ROW_GUARD,
    LEAVES_BEFORE_SHUFFLE, // every family
    DEALS_TOO_FEW,         // dealt
    NO_RESET, RESETS_EARLY, NO_BROADCAST, ASKS_FOR_TOO_MUCH, ADDS_NO_ATOMIC, // asked by warps
    NO_FIRST_BARRIER, NO_SECOND_BARRIER                                      // asked by blocks
};

enum family { DEALT, ASKED_BY_WARPS, ASKED_BY_BLOCKS };

template <int MUTANT, int LANES>
__device__ __forceinline__ void do_row(unsigned rows, unsigned row, const uint32_t *__restrict__ row_offsets,
                                       const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                                       const float *__restrict__ x, float *y)
{
    const unsigned lane = threadIdx.x % LANES;
    uint32_t start = 0, end = 0;
    if (MUTANT == NO_ROW_GUARD || row < rows) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }
    if (MUTANT == DROPS_LAST && end > start) --end;
    if (MUTANT == DROPS_LANE_TAIL) end = start + (end - start) / LANES * LANES;
    float sum = 0;
#pragma unroll 1
    for (uint32_t nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    const bool writes = MUTANT == SKIPS_EMPTY_ROWS ? row < rows && end > start
                        : MUTANT == WRITES_PAST_END ? row <= rows
                                                    : row < rows;
    if (lane == 0 && writes) {
        if (MUTANT == ADDS_INTO_Y) y[row] += sum;
        else if (MUTANT == WRONG_ROW) y[row ^ 1u] = sum; // the tests use an even number of rows
        else y[row] = sum;
    }
}

template <int FAMILY, int MUTANT, int LANES>
__global__ void mutant_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                              const int32_t *__restrict__ col_indices, const float *__restrict__ values,
                              const float *__restrict__ x, float *y, uint32_t *counter)
{
    constexpr unsigned STRETCH = 32 / LANES, CHUNK = BLOCK / LANES;
    const unsigned warps = gridDim.x * (BLOCK / 32), warp = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32;
    __shared__ unsigned next;
    if (FAMILY == DEALT) {
#pragma unroll 1
        for (unsigned first = warp * STRETCH; first < rows; first += warps * STRETCH) {
            const unsigned row = first + threadIdx.x % 32 / LANES;
            if (MUTANT == LEAVES_BEFORE_SHUFFLE && row >= rows) return;
            if (MUTANT == DEALS_TOO_FEW && first + STRETCH > rows) return;
            do_row<MUTANT, LANES>(rows, row, row_offsets, col_indices, values, x, y);
        }
    }
    if (FAMILY == ASKED_BY_WARPS) {
        const unsigned last = ((rows - 1) / STRETCH + warps) * STRETCH;
#pragma unroll 1
        for (;;) {
            unsigned first = 0;
            if (MUTANT == ADDS_NO_ATOMIC) {
                if (threadIdx.x % 32 == 0) first = *counter, *counter = first + STRETCH;
            } else if (threadIdx.x % 32 == 0) {
                first = atomicAdd(counter, MUTANT == ASKS_FOR_TOO_MUCH ? STRETCH + 1 : STRETCH);
            }
            if (MUTANT != NO_BROADCAST) first = __shfl_sync(0xffffffffu, first, 0);
            if (first >= rows) {
                const unsigned resets_at = MUTANT == RESETS_EARLY ? last - STRETCH : last;
                if (MUTANT != NO_RESET && first == resets_at && threadIdx.x % 32 == 0) atomicExch(counter, 0u);
                break;
            }
            const unsigned row = first + threadIdx.x % 32 / LANES;
            if (MUTANT == LEAVES_BEFORE_SHUFFLE && row >= rows) return;
            do_row<MUTANT, LANES>(rows, row, row_offsets, col_indices, values, x, y);
        }
    }
    if (FAMILY == ASKED_BY_BLOCKS) {
        const unsigned last = ((rows - 1) / CHUNK + gridDim.x) * CHUNK;
#pragma unroll 1
        for (;;) {
            if (MUTANT != NO_FIRST_BARRIER) __syncthreads();
            if (threadIdx.x == 0) next = atomicAdd(counter, CHUNK);
            if (MUTANT != NO_SECOND_BARRIER) __syncthreads();
            const unsigned first = next;
            if (first >= rows) {
                if (first == last && threadIdx.x == 0) atomicExch(counter, 0u);
                break;
            }
            const unsigned row = first + threadIdx.x / LANES;
            if (MUTANT == LEAVES_BEFORE_SHUFFLE && row >= rows) return;
            do_row<MUTANT, LANES>(rows, row, row_offsets, col_indices, values, x, y);
        }
    }
}

template <int FAMILY, int MUTANT>
static cudaError_t launch(const csr_arrays_t *A, const void *d_x, void *d_y, uint32_t *d_counter, cudaStream_t stream)
{
    enum { LANES = 8, BLOCKS = 2 };
    if (A->rows == 0) return cudaSuccess;
    mutant_kernel<FAMILY, MUTANT, LANES><<<BLOCKS, BLOCK, 0, stream>>>(
        (unsigned)A->rows, (const uint32_t *)A->row_offsets, A->col_indices, (const float *)A->values,
        (const float *)d_x, (float *)d_y, d_counter);
    return cudaGetLastError();
}

#define MUTANT(name, family, which)                                                  \
    extern "C" cudaError_t name(SPMV_LIGHTSPMV_ARGS)                                 \
    {                                                                                \
        (void)lanes;                                                                 \
        return launch<family, which>(A, d_x, d_y, d_counter, stream);                \
    }
#define FAMILY_OF_MUTANTS(prefix, family)                                            \
    MUTANT(prefix##_correct, family, CORRECT)                                        \
    MUTANT(prefix##_drops_last, family, DROPS_LAST)                                  \
    MUTANT(prefix##_drops_lane_tail, family, DROPS_LANE_TAIL)                        \
    MUTANT(prefix##_skips_empty_rows, family, SKIPS_EMPTY_ROWS)                      \
    MUTANT(prefix##_wrong_row, family, WRONG_ROW)                                    \
    MUTANT(prefix##_adds_into_y, family, ADDS_INTO_Y)                                \
    MUTANT(prefix##_writes_past_end, family, WRITES_PAST_END)                        \
    MUTANT(prefix##_no_row_guard, family, NO_ROW_GUARD)                              \
    MUTANT(prefix##_leaves_before_shuffle, family, LEAVES_BEFORE_SHUFFLE)
FAMILY_OF_MUTANTS(dealt, DEALT)
FAMILY_OF_MUTANTS(warps, ASKED_BY_WARPS)
FAMILY_OF_MUTANTS(blocks, ASKED_BY_BLOCKS)
MUTANT(dealt_too_few, DEALT, DEALS_TOO_FEW)
MUTANT(warps_no_reset, ASKED_BY_WARPS, NO_RESET)
MUTANT(warps_reset_early, ASKED_BY_WARPS, RESETS_EARLY)
MUTANT(warps_no_broadcast, ASKED_BY_WARPS, NO_BROADCAST)
MUTANT(warps_ask_for_too_much, ASKED_BY_WARPS, ASKS_FOR_TOO_MUCH)
MUTANT(warps_add_no_atomic, ASKED_BY_WARPS, ADDS_NO_ATOMIC)
MUTANT(blocks_no_first_barrier, ASKED_BY_BLOCKS, NO_FIRST_BARRIER)
MUTANT(blocks_no_second_barrier, ASKED_BY_BLOCKS, NO_SECOND_BARRIER)
