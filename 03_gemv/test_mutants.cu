/*
 * test_mutants.cu - one kernel of the ladder with one thing broken.  Every one of them must be rejected, by the
 * check or by the stand-in (test_gemv.c says by which).
 */
#include "chapter.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, TILE = 256 };

enum mutant {
    CORRECT,
    NO_ROW_TAIL,
    SKIPS_LAST_ROW,
    MISSING_LANE,
    UNWRITTEN,
    NANS,
    ADDS_INTO_Y,
    WRONG_LAYOUT,
    NEXT_X,
    ROWS_SWAPPED,
    NO_BARRIER_AFTER_STAGING,
    NO_BARRIER_BEFORE_STAGING,
    WARP_SKIPS_BARRIER,
    LANES_LEAVE_SHUFFLE,
    MISALIGNED_VECTOR
};

// A warp to each row, x staged in shared memory: v2 and v7 in one.
template <int MUTANT>
__global__ void mutant_kernel(size_t rows, size_t cols, const float *__restrict__ A, const float *__restrict__ x,
                              float *y)
{
    __shared__ float staged[TILE];
    const unsigned lane = threadIdx.x % 32;
    size_t row = (size_t)blockIdx.x * WARPS + threadIdx.x / 32;
    if (MUTANT == WARP_SKIPS_BARRIER && row >= rows) return;
    const bool mine = MUTANT == NO_ROW_TAIL || row < rows;

    float sum = 0;
    for (size_t tile = 0; tile < cols; tile += TILE) {
        const size_t end = min(cols, tile + TILE);
        if (MUTANT != NO_BARRIER_BEFORE_STAGING) __syncthreads();
        const size_t from = MUTANT == NEXT_X ? (tile + threadIdx.x + 1) % cols : tile + threadIdx.x;
        if (tile + threadIdx.x < end) staged[threadIdx.x] = x[from];
        if (MUTANT != NO_BARRIER_AFTER_STAGING) __syncthreads();
        for (size_t c = tile + lane; mine && c < end; c += 32) {
            if (MUTANT == MISSING_LANE && lane == 31) continue;
            if (MUTANT == MISALIGNED_VECTOR && c % 4 == 0 && c + 4 <= cols) {
                const float4 a = *(const float4 *)&A[row * cols + c];
                sum += a.x * staged[c - tile];
            } else {
                sum += A[MUTANT == WRONG_LAYOUT ? c * rows + row : row * cols + c] * staged[c - tile];
            }
        }
    }
    if (MUTANT == LANES_LEAVE_SHUFFLE && lane >= cols) return;
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);

    if (MUTANT == ROWS_SWAPPED && row < 2 && rows > 1) row = 1 - row;
    if (MUTANT == NANS && row == 0) sum = nanf("");
    if (lane > 0 || !mine || MUTANT == UNWRITTEN || (MUTANT == SKIPS_LAST_ROW && row == rows - 1)) return;
    if (MUTANT == ADDS_INTO_Y) y[row] += sum;
    else y[row] = sum;
}

template <int MUTANT>
static cudaError_t launch(GEMV_ARGS)
{
    (void)dtype, (void)d_sums, (void)d_words;
    if (layout != GEMV_ROW) return cudaErrorNotSupported;
    mutant_kernel<MUTANT><<<(unsigned)((rows + WARPS - 1) / WARPS), BLOCK, 0, stream>>>(
        rows, cols, (const float *)d_A, (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

#define MUTANT(name, which)                                                                             \
    extern "C" cudaError_t name(GEMV_ARGS)                                                              \
    {                                                                                                   \
        return launch<which>(dtype, layout, rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);        \
    }
MUTANT(mutant_correct, CORRECT)
MUTANT(mutant_no_row_tail, NO_ROW_TAIL)
MUTANT(mutant_skips_last_row, SKIPS_LAST_ROW)
MUTANT(mutant_missing_lane, MISSING_LANE)
MUTANT(mutant_unwritten, UNWRITTEN)
MUTANT(mutant_nans, NANS)
MUTANT(mutant_adds_into_y, ADDS_INTO_Y)
MUTANT(mutant_wrong_layout, WRONG_LAYOUT)
MUTANT(mutant_next_x, NEXT_X)
MUTANT(mutant_rows_swapped, ROWS_SWAPPED)
MUTANT(mutant_no_barrier_after_staging, NO_BARRIER_AFTER_STAGING)
MUTANT(mutant_no_barrier_before_staging, NO_BARRIER_BEFORE_STAGING)
MUTANT(mutant_warp_skips_barrier, WARP_SKIPS_BARRIER)
MUTANT(mutant_lanes_leave_shuffle, LANES_LEAVE_SHUFFLE)
MUTANT(mutant_misaligned_vector, MISALIGNED_VECTOR)
