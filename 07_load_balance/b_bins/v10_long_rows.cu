/*
 * load_balance v10 - one block per long row, four loads of a thread at once
 *
 * From    v9
 * Was     In v9 one warp processes a row of a million: it loads 32 nonzeros, waits, and loads the next.  The row may
 *         come late in its list.
 * Idea    A third bin holds the rows above 1024: a block takes each, with four nonzeros in flight in each thread.
 *         All bins are one launch, and the blocks of the long rows come first.
 * Moves   As v9.
 * Expect  On one dense row the busiest warp has an eighth of v9's work.  Other matrices need v9's sectors; fewer lanes
 *         are idle, because no launch waits for the one before.
 * Still   The lists are built on the host: the row offsets are copied there first, which takes longer than the product.
 *         (-> v11)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: the lists, built on the host (v09_two_bins_plan.c).
 *         Deterministic.
 * Launch  one kernel: the first blocks take one long row each, the next eight medium rows, the last 256 short rows.
 * Source  As v9.
 */
#include "b_bins/v10_long_rows_plan.h"

enum { BLOCK = 256, WARPS = BLOCK / 32 };

// Lane 0 gets the sum over the 32 lanes of its warp.
template <typename T>
static __device__ __forceinline__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

// Returns the sum over nonzeros start, start + stride, and so on, of which four are in flight at a time.
template <typename T, typename O>
static __device__ __forceinline__ T sum_strided(O start, O end, unsigned stride,
                                                const int32_t *__restrict__ col_indices,
                                                const T *__restrict__ values, const T *__restrict__ x)
{
    T sum = 0;
    O nz = start;
#pragma unroll 1
    for (; nz + 3 * stride < end; nz += 4 * stride) {
        T part[4];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) part[j] = values[nz + j * stride] * x[col_indices[nz + j * stride]];
        sum += (part[0] + part[1]) + (part[2] + part[3]);
    }
#pragma unroll 1
    for (; nz < end; nz += stride) sum += values[nz] * x[col_indices[nz]];
    return sum;
}

template <typename T, typename O>
__global__ void load_balance_v10_kernel(row_bins_t bins, const O *__restrict__ row_offsets,
                                       const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                       const T *__restrict__ x, T *__restrict__ y)
{
    __shared__ T partial[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, long_rows = bins.count[BIN_LONG];
    const unsigned middling_blocks = (bins.count[BIN_MIDDLING] + WARPS - 1) / WARPS;

    // region: step
    if (blockIdx.x < long_rows) { // the long rows first: they take longest
        const unsigned row = bins.rows[BIN_LONG][blockIdx.x];
        T sum = sum_strided(row_offsets[row] + threadIdx.x, row_offsets[row + 1], BLOCK, col_indices, values, x);
        sum = sum_warp(sum);
        if (lane == 0) partial[warp] = sum;
        __syncthreads();
        if (warp == 0) sum = sum_warp(lane < WARPS ? partial[lane] : T(0));
        if (threadIdx.x == 0) y[row] = sum;
    } else if (blockIdx.x < long_rows + middling_blocks) {
        const unsigned i = (blockIdx.x - long_rows) * WARPS + warp;
        if (i >= bins.count[BIN_MIDDLING]) return; // a whole warp
        const unsigned row = bins.rows[BIN_MIDDLING][i];
        const T sum = sum_warp(sum_strided(row_offsets[row] + lane, row_offsets[row + 1], 32, col_indices, values, x));
        if (lane == 0) y[row] = sum;
    } else {
        const unsigned i = (blockIdx.x - long_rows - middling_blocks) * BLOCK + threadIdx.x;
        if (i >= bins.count[BIN_SHORT]) return;
        const unsigned row = bins.rows[BIN_SHORT][i];
        y[row] = sum_strided(row_offsets[row], row_offsets[row + 1], 1, col_indices, values, x);
    }
    // end: step
}

template <typename T, typename O>
static cudaError_t load_balance_v10_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const row_bins_t *bins = (const row_bins_t *)plan;
    const unsigned blocks = bins->count[BIN_LONG] + (bins->count[BIN_MIDDLING] + WARPS - 1) / WARPS +
                            (bins->count[BIN_SHORT] + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    load_balance_v10_kernel<T, O><<<blocks, BLOCK, 0, stream>>>(*bins, (const O *)A->row_offsets, A->col_indices,
                                                               (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v10)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<row_bins_t>(A, true, plan, stream, [=](row_bins_t *bins, csr_t *host, host_memory_t *m) {
        const int64_t least[BINS] = {0, SHORT_MOST + 1, MIDDLING_MOST + 1};
        const int64_t most[BINS] = {SHORT_MOST, MIDDLING_MOST, INT64_MAX};
        unsigned *list = (unsigned *)host_take(m, A->rows + 1, sizeof *list), listed = 0;
        if (!list) return cudaErrorMemoryAllocation;
        for (int b = 0; b < BINS; ++b)
            listed += bins->count[b] = rows_of_length(host, least[b], most[b], list + listed);
        TRY(plan_upload(&bins->memory, &list, A->rows + 1));
        bins->rows[BIN_SHORT] = list;
        for (int b = 1; b < BINS; ++b) bins->rows[b] = bins->rows[b - 1] + bins->count[b - 1];
        return cudaSuccess;
    });
}

LOAD_BALANCE_PLAN(load_balance_v10_plan, row_bins_t)
