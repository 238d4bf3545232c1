/*
 * load_balance v17 - merge-path in the block: seven steps per thread
 *
 * From    v16
 * Was     In v16 every thread has seven nonzeros, but flagging, clearing and writing the rows of a tile is
 *         distributed unevenly over its threads.
 * Idea    The threads divide the tile as blocks divide the matrix: seven steps each, of either kind.  A thread
 *         finds its first step by the same search, in shared memory, among the ends of the tile's rows.  Flags
 *         are not needed: a step that ends a row writes y.
 * Moves   As v8.
 * Expect  Every block, warp and thread has the same number of steps, even with empty or huge rows: work per block
 *         max / mean below 1.2 in every matrix.  At least v8's speed where many rows are empty, and four fifths of it
 *         elsewhere.  The plan is only scratch memory.
 * Still   Each block searches before it loads its first nonzero: a few dependent loads.  On even matrices v1 and
 *         v14 are faster without any of this.  (-> v18, v25)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: the list of carries, scratch memory.  Deterministic.
 * Launch  grid = ceil((rows + nnz) / TILE), block = 256 of 7 steps each; then
 *         a_split_nonzeros/v08_nnz_split_carries_plan.cu: a thread for each carry.
 * Source  D. Merrill, M. Garland, Merge-Based Parallel Sparse Matrix-Vector Multiplication (SC 2016).
 */
#include "a_split_nonzeros/v08_nnz_split_carries_plan.h"
#include "chapter.h"
#include "search.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, ITEMS = 7, TILE = BLOCK * ITEMS };

// The partial sum of a thread: the sum since its last row end, and whether it had a row end.
template <typename T> struct segment { T sum; unsigned ended; };

template <typename T>
static __device__ __forceinline__ segment<T> follow(segment<T> a, segment<T> b)
{
    if (!b.ended) b.sum = a.sum + b.sum, b.ended = a.ended;
    return b;
}

// Returns the inclusive segmented scan over the threads of the block; *before gets the exclusive scan.
template <typename T>
static __device__ __forceinline__ segment<T> scan_block(segment<T> own, segment<T> *before)
{
    __shared__ T warp_sum[WARPS];
    __shared__ unsigned warp_ended[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        const segment<T> left = {__shfl_up_sync(0xffffffffu, own.sum, d), __shfl_up_sync(0xffffffffu, own.ended, d)};
        if (lane >= d) own = follow(left, own);
    }
    if (lane == 31) warp_sum[warp] = own.sum, warp_ended[warp] = own.ended;
    const segment<T> left = {__shfl_up_sync(0xffffffffu, own.sum, 1), __shfl_up_sync(0xffffffffu, own.ended, 1)};
    __syncthreads();
    segment<T> prefix = {T(0), 0};
#pragma unroll 1
    for (unsigned w = 0; w < warp; ++w) prefix = follow(prefix, segment<T>{warp_sum[w], warp_ended[w]});
    *before = lane == 0 ? prefix : follow(prefix, left);
    return follow(prefix, own);
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v17_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y, unsigned *__restrict__ carry_rows,
                           T *__restrict__ carry_sums)
{
    __shared__ T products[TILE];
    __shared__ unsigned ends[TILE + 1]; // where each row of the tile ends, counted from the tile's first nonzero
    __shared__ unsigned border[2];      // the row in which this tile begins, and the next

    // Count the rows that have ended after `step` steps: row r has if row_offsets[r + 1] + r + 1 <= step.
    const O steps = rows + nnz, from = (O)blockIdx.x * TILE, to = steps - from < TILE ? steps : from + TILE;
    const unsigned warp = threadIdx.x / 32;
    if (warp < 2) {
        const O step = warp == 0 ? from : to;
        const unsigned least = step > nnz ? (unsigned)(step - nnz) : 0, most = step < rows ? (unsigned)step : rows;
        const unsigned found = count_by_warp(least, most, [=](unsigned r) { return row_offsets[r + 1] + r < step; });
        if (threadIdx.x % 32 == 0) border[warp] = found;
    }
    __syncthreads();
    const unsigned first = border[0], tile_rows = border[1] - first;
    const O lo = from - first;
    const unsigned count = (unsigned)(to - border[1] - lo);

    int32_t col[ITEMS];
    T value[ITEMS];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        const unsigned k = j * BLOCK + threadIdx.x;
        if (k < count) col[j] = col_indices[lo + k], value[j] = values[lo + k];
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        const unsigned k = j * BLOCK + threadIdx.x;
        if (k < tile_rows) ends[k] = (unsigned)(row_offsets[first + k + 1] - lo);
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        if (j * BLOCK + threadIdx.x < count) value[j] *= x[col[j]];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j)
        if (j * BLOCK + threadIdx.x < count) products[j * BLOCK + threadIdx.x] = value[j];
    if (threadIdx.x == 0) ends[tile_rows] = TILE + 1; // the row that is open at the end
    __syncthreads();

    // region: step
    // Find where this thread's steps begin by the same search, in shared memory.
    const unsigned start = min(threadIdx.x * ITEMS, tile_rows + count);
    unsigned row = start > count ? start - count : 0, most = min(start, tile_rows);
#pragma unroll 1
    while (row < most) {
        const unsigned middle = (row + most) / 2;
        if (ends[middle] + middle < start) row = middle + 1;
        else most = middle;
    }

    // A row that begins and ends among the steps is finished here; the first row that ends may have begun before.
    unsigned k = start - row, first_row = 0;
    segment<T> own = {T(0), 0};
    T first_part = 0;
#pragma unroll 1
    for (unsigned step = start; step < min(start + ITEMS, tile_rows + count); ++step) {
        if (k < ends[row]) {
            own.sum += products[k++];
        } else {
            if (own.ended) y[first + row] = own.sum;
            else first_part = own.sum, first_row = first + row;
            own = {T(0), 1};
            ++row;
        }
    }
    // end: step

    segment<T> before;
    const segment<T> total = scan_block(own, &before);
    if (own.ended) y[first_row] = before.sum + first_part;
    if (threadIdx.x == BLOCK - 1) {
        carry_rows[blockIdx.x] = border[1] < rows ? border[1] : NO_ROW;
        carry_sums[blockIdx.x] = total.sum;
    }
}

template <typename T, typename O>
static cudaError_t load_balance_v17_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->rows + A->nnz + TILE - 1) / TILE);
    carries_t *carries = (carries_t *)plan;
    if (A->rows == 0) return cudaSuccess;
    load_balance_v17_kernel<T, O><<<tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y, carries->rows,
                                                              (T *)carries->sums);
    return add_carries(carries, d_y, stream);
}

LOAD_BALANCE_STEP(load_balance_v17)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t)
{
    return carries_create(plan, (A->rows + A->nnz + TILE - 1) / TILE, A->value_type);
}

LOAD_BALANCE_PLAN(load_balance_v17_plan, carries_t)
