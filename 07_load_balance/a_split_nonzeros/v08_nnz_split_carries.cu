/*
 * load_balance v8 - long runs of carries are added by a block
 *
 * From    v7
 * Was     v7's second kernel gives all carries of a row to one thread, however many they are.
 * Idea    The carries of a row are adjacent: a run.  A thread still adds a run of up to 16.  Longer ones are listed
 *         in shared memory, and the whole block adds them, one run after the other: each thread adds every 256th
 *         carry, then the block adds the sums of its threads.
 * Moves   As v7.
 * Expect  One dense row takes the time of v6, other matrices that of v7.  The order of the additions differs from
 *         v7's, but it is also fixed: DETERMINISTIC.
 * Still   A tile counts nonzeros, but rows cost time too: if thousands of empty rows lie between two nonzeros, one
 *         block writes them all.  And matrices with even rows pay for a search and flags that they do not need.
 *         (-> v9, v12, v15)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: as v7.
 * Launch  as v7; the second kernel is in v08_nnz_split_carries_plan.cu.
 * Source  As v7.
 */
#include "a_split_nonzeros/v08_nnz_split_carries_plan.h"
#include "chapter.h"
#include "search.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, ITEMS = 7, TILE = BLOCK * ITEMS };

// The partial sum of a range of nonzeros: the sum since the last row start in it; head is 1 + that row, 0 if none.
template <typename T> struct segment { T sum; unsigned head; };

// Combines the partial sums of range a and of range b, which follows it.
template <typename T>
static __device__ __forceinline__ segment<T> follow(segment<T> a, segment<T> b)
{
    if (b.head == 0) b.sum = a.sum + b.sum, b.head = a.head;
    return b;
}

// Returns the inclusive segmented scan over the threads of the block; *before gets the exclusive scan.
template <typename T>
static __device__ __forceinline__ segment<T> scan_block(segment<T> own, segment<T> *before)
{
    __shared__ T warp_sum[WARPS];
    __shared__ unsigned warp_head[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        const segment<T> left = {__shfl_up_sync(0xffffffffu, own.sum, d), __shfl_up_sync(0xffffffffu, own.head, d)};
        if (lane >= d) own = follow(left, own);
    }
    if (lane == 31) warp_sum[warp] = own.sum, warp_head[warp] = own.head;
    const segment<T> left = {__shfl_up_sync(0xffffffffu, own.sum, 1), __shfl_up_sync(0xffffffffu, own.head, 1)};
    __syncthreads();
    segment<T> prefix = {T(0), 0};
#pragma unroll 1
    for (unsigned w = 0; w < warp; ++w) prefix = follow(prefix, segment<T>{warp_sum[w], warp_head[w]});
    *before = lane == 0 ? prefix : follow(prefix, left);
    return follow(prefix, own);
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v8_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y, unsigned *__restrict__ carry_rows,
                           T *__restrict__ carry_sums)
{
    __shared__ T products[TILE];
    __shared__ unsigned heads[TILE]; // the flags: 1 + the row that begins at this nonzero, or 0
    __shared__ unsigned border[2];   // the first row that begins in this tile, and in the next
    const O lo = (O)blockIdx.x * TILE, hi = min(lo + TILE, nnz);
    const unsigned count = (unsigned)(hi - lo), warp = threadIdx.x / 32;

    // Columns and values are in flight while two warps search for the rows.
    int32_t col[ITEMS];
    T value[ITEMS];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        const unsigned k = j * BLOCK + threadIdx.x;
        heads[k] = 0;
        if (k < count) col[j] = col_indices[lo + k], value[j] = values[lo + k];
    }
    if (warp < 2) {
        const unsigned found = first_row_from<O>(row_offsets, rows, warp == 0 ? lo : hi);
        if (threadIdx.x % 32 == 0) border[warp] = found;
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        if (j * BLOCK + threadIdx.x < count) value[j] *= x[col[j]];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j)
        if (j * BLOCK + threadIdx.x < count) products[j * BLOCK + threadIdx.x] = value[j];
    __syncthreads();

    // Flag the first nonzero of each row.  Empty rows get 0; the last tile also has those at the end of the matrix.
    const unsigned first = border[0], end = hi == nnz ? rows : border[1];
#pragma unroll 1
    for (unsigned r = first + threadIdx.x; r < end; r += BLOCK) {
        const O start = row_offsets[r];
        if (row_offsets[r + 1] > start) heads[start - lo] = r + 1;
        else y[r] = 0;
    }
    __syncthreads();

    // Each thread processes ITEMS adjacent products.  A row that begins and ends among them is finished here;
    // the first part may belong to a row that began in an earlier thread.
    segment<T> own = {T(0), 0};
    T first_part = 0;
    bool ended = false;
#pragma unroll 1
    for (unsigned k = threadIdx.x * ITEMS; k < min((threadIdx.x + 1) * ITEMS, count); ++k) {
        const unsigned head = heads[k];
        if (head) {
            if (own.head) y[own.head - 1] = own.sum;
            else first_part = own.sum, ended = k > 0;
            own = {T(0), head};
        }
        own.sum += products[k];
    }

    segment<T> before;
    const segment<T> total = scan_block(own, &before);
    if (ended) y[before.head ? before.head - 1 : first - 1] = before.sum + first_part;
    if (threadIdx.x == BLOCK - 1) {
        const unsigned last = total.head ? total.head - 1 : first - 1;
        const bool open = row_offsets[last + 1] > hi;
        if (!open) y[last] = total.sum;
        carry_rows[blockIdx.x] = open ? last : NO_ROW;
        carry_sums[blockIdx.x] = total.sum;
    }
}

template <typename T, typename O>
static cudaError_t load_balance_v8_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->nnz + TILE - 1) / TILE);
    carries_t *carries = (carries_t *)plan;
    if (A->rows == 0) return cudaSuccess;
    if (tiles == 0) return cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    load_balance_v8_kernel<T, O><<<tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y, carries->rows,
                                                              (T *)carries->sums);
    return add_carries(carries, d_y, stream);
}

LOAD_BALANCE_STEP(load_balance_v8)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t)
{
    return carries_create(plan, (A->nnz + TILE - 1) / TILE, A->value_type);
}

LOAD_BALANCE_PLAN(load_balance_v8_plan, carries_t)
