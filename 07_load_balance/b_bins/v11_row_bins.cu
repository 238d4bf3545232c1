/*
 * load_balance v11 - rows in bins: a thread per short row, a warp per medium row, a block per long row
 *
 * From    v10
 * Was     v10's lists come from the host, which must have the row offsets first.
 * Idea    Build them on the GPU.  For each list one thread per row decides whether the row belongs to it.  Blocks count
 *         their rows, a scan gives the start of each block, and a third pass writes the rows (plan/rows.cu).
 * Moves   The kernel as v10.  The builder reads the row offsets three times and writes 4 bytes per row.
 * Expect  The same lists, in the same order, so the same counts.  Set-up takes the time of a few products.  Faster than
 *         v8 where rows are long and of similar length; at least three times v1's speed on webbase-like.
 * Still   Within a bin the longest row may be 1024 times the shortest, so the work of warps and blocks
 *         differs as much.  One block processes a row of ten million alone.  Neighbouring threads
 *         read rows that are far apart.                                (-> v12)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: the lists, made on the GPU.  Deterministic.
 * Launch  As v10.
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
__global__ void load_balance_v11_kernel(row_bins_t bins, const O *__restrict__ row_offsets,
                                       const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                       const T *__restrict__ x, T *__restrict__ y)
{
    __shared__ T partial[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, long_rows = bins.count[BIN_LONG];
    const unsigned middling_blocks = (bins.count[BIN_MIDDLING] + WARPS - 1) / WARPS;

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
}

template <typename T, typename O>
static cudaError_t load_balance_v11_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const row_bins_t *bins = (const row_bins_t *)plan;
    const unsigned blocks = bins->count[BIN_LONG] + (bins->count[BIN_MIDDLING] + WARPS - 1) / WARPS +
                            (bins->count[BIN_SHORT] + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    load_balance_v11_kernel<T, O><<<blocks, BLOCK, 0, stream>>>(*bins, (const O *)A->row_offsets, A->col_indices,
                                                               (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v11)
