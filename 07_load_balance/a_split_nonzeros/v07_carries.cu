/*
 * load_balance v7 - the partial sum of a tile's last row is carried
 *
 * From    v6
 * Was     v6 needs y cleared before, and its atomics come in any order.
 * Idea    The tile in which a row ENDS writes its y.  A tile whose last row continues writes that row and its
 *         partial sum into a list of carries; a second, small kernel adds a row's carries in order.  Empty rows
 *         are written by the tile that contains them.
 * Moves   As v1, and one carry per tile.  y is not cleared.
 * Expect  The same work per block as v6 and about its speed where no row crosses many tiles: a second kernel replaces
 *         the memset.  Every run gives the same bits: DETERMINISTIC.
 * Still   A row of a million crosses 558 tiles, and one thread adds their carries, one load after the other.
 *         (-> v8)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: the list of carries, scratch memory.
 * Launch  grid = ceil(nnz / TILE), block = 256 of 7 nonzeros each; then a thread for each carry.
 * Source  As v6; the carries after D. Merrill, M. Garland, Merge-Based Parallel SpMV (SC 2016).
 */
#include "a_split_nonzeros/v07_carries_plan.h"
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
    load_balance_v7_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
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

// One thread per carry; the thread of a row's first carry adds all carries of the row, in order.
template <typename T>
static __global__ void add_carries_kernel(unsigned tiles, const unsigned *__restrict__ rows,
                                          const T *__restrict__ sums, T *__restrict__ y)
{
    const unsigned t = blockIdx.x * BLOCK + threadIdx.x, row = t < tiles ? rows[t] : NO_ROW;
    if (row == NO_ROW || (t > 0 && rows[t - 1] == row)) return;
    T sum = 0;
#pragma unroll 1
    for (unsigned u = t; u < tiles && rows[u] == row; ++u) sum += sums[u];
    y[row] += sum;
}

template <typename T, typename O>
static cudaError_t load_balance_v7_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((A->nnz + TILE - 1) / TILE);
    carries_t *carries = (carries_t *)plan;
    if (A->rows == 0) return cudaSuccess;
    if (tiles == 0) return cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    load_balance_v7_kernel<T, O><<<tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y, carries->rows,
                                                              (T *)carries->sums);
    add_carries_kernel<T><<<(tiles + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(tiles, carries->rows,
                                                                             (const T *)carries->sums, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v7)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t)
{
    return carries_create(plan, (A->nnz + TILE - 1) / TILE, A->value_type);
}

LOAD_BALANCE_PLAN(load_balance_v7_plan, carries_t)
