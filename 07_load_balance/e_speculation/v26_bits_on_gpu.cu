/*
 * load_balance v26 - the borders are found on the GPU, in advance
 *
 * From    v25
 * Was     v25's borders come from the host, which must have the row offsets first.
 * Idea    No border depends on another one: one thread per border searches along its diagonal, once per matrix.  (v16
 *         searches in every run, before a block's first load.)
 * Moves   The kernel as v25.  The builder reads twenty offsets per tile, among a million rows.
 * Expect  Exactly the counts of v25.  Set-up takes a launch or two.
 * Still   Every row searches for its sum, though most tiles have no empty row.  And the second kernel reads every
 *         tile's carry, though few rows continue.  (-> v27)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: borders, found on the GPU, and carries.
 *         Deterministic.
 * Launch  As v25.
 * Source  As v25.
 */
#include "e_speculation/v26_bits_on_gpu_plan.h"

enum { BLOCK = SPAN_BLOCK, ITEMS = SPAN_ITEMS, TILE = SPAN_TILE, WORDS = TILE / 32, WARPS = BLOCK / 32 };

// The partial sum of a range of nonzeros: the sum since its last flag (mark), and the number of its flags.
template <typename T> struct segment { T sum; unsigned marks; };

// Combines the partial sums of range a and of range b, which follows it.
template <typename T>
static __device__ __forceinline__ segment<T> follow(segment<T> a, segment<T> b)
{
    if (b.marks == 0) b.sum = a.sum + b.sum;
    b.marks += a.marks;
    return b;
}

// Returns the inclusive segmented scan over the threads of the block; *before gets the exclusive scan.
template <typename T>
static __device__ __forceinline__ segment<T> scan_block(segment<T> own, segment<T> *before)
{
    __shared__ T warp_sum[WARPS];
    __shared__ unsigned warp_marks[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        const segment<T> left = {__shfl_up_sync(0xffffffffu, own.sum, d), __shfl_up_sync(0xffffffffu, own.marks, d)};
        if (lane >= d) own = follow(left, own);
    }
    if (lane == 31) warp_sum[warp] = own.sum, warp_marks[warp] = own.marks;
    const segment<T> left = {__shfl_up_sync(0xffffffffu, own.sum, 1), __shfl_up_sync(0xffffffffu, own.marks, 1)};
    __syncthreads();
    segment<T> prefix = {T(0), 0};
#pragma unroll 1
    for (unsigned w = 0; w < warp; ++w) prefix = follow(prefix, segment<T>{warp_sum[w], warp_marks[w]});
    *before = lane == 0 ? prefix : follow(prefix, left);
    return follow(prefix, own);
}

template <typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    load_balance_v26_kernel(unsigned rows, O nnz, const unsigned *__restrict__ border,
                            const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y, unsigned *__restrict__ carry_rows,
                           T *__restrict__ carry_sums)
{
    __shared__ T products[TILE]; // at the end: the sum of each flag's row
    __shared__ uint32_t mark[WORDS];
    __shared__ uint32_t before_word[WORDS];
    // Rows top to bottom - 1 end in this tile.  Its nonzeros are lo to hi - 1; the last may be of a row that continues.
    const O from = (O)blockIdx.x * TILE, to = rows + nnz - from < TILE ? rows + nnz : from + TILE;
    const unsigned top = border[blockIdx.x], bottom = border[blockIdx.x + 1];
    const O lo = from - top, hi = to - bottom;
    const unsigned count = (unsigned)(hi - lo);

    int32_t col[ITEMS];
    T value[ITEMS];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        const unsigned k = j * BLOCK + threadIdx.x;
        col[j] = k < count ? __ldcs(&col_indices[lo + k]) : -1;
        value[j] = k < count ? __ldcs(&values[lo + k]) : T(0);
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        products[j * BLOCK + threadIdx.x] = col[j] >= 0 ? value[j] * __ldg(&x[col[j]]) : T(0);
    if (threadIdx.x < WORDS) mark[threadIdx.x] = 0;
    __syncthreads();

    // Flag the first nonzero of each row, except the top row: it starts at lo or before.
#pragma unroll 1
    for (unsigned r = top + threadIdx.x; r < bottom; r += BLOCK) {
        const unsigned end = (unsigned)(row_offsets[r + 1] - lo);
        if (end > 0 && end < count) atomicOr(&mark[end / 32], 1u << end % 32);
    }
    __syncthreads();

    // Each thread loads ITEMS adjacent products and the flags among them.
    const unsigned k0 = threadIdx.x * ITEMS, word = k0 / 32;
    const uint32_t above = word + 1 < WORDS ? mark[word + 1] : 0;
    const uint32_t marks = __funnelshift_r(mark[word], above, k0 % 32) & ((1u << ITEMS) - 1);
    segment<T> before, own = {T(0), (unsigned)__popc(marks)};
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        value[j] = products[k0 + j];
        own.sum = marks >> j & 1 ? value[j] : own.sum + value[j];
    }
    scan_block(own, &before); // contains a barrier: all products have been read

    // Store the sum that ends before each flag; the last sum is partial if its row continues in the next tile.
    const bool open = bottom < rows && row_offsets[bottom] < hi;
    T sum = before.sum;
    unsigned n = before.marks;
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        if (marks >> j & 1) {
            products[n++] = sum;
            sum = 0;
        }
        sum += value[j];
    }
    if (threadIdx.x == BLOCK - 1) {
        carry_rows[blockIdx.x] = open ? bottom : NO_ROW;
        carry_sums[blockIdx.x] = sum;
        if (!open) products[n] = sum;
    }

    // Look up the sum of each row: its index is the number of flags up to the row's start.
    if (threadIdx.x < WORDS) {
        uint32_t marks_before = 0;
#pragma unroll 1
        for (unsigned w = 0; w < threadIdx.x; ++w) marks_before += __popc(mark[w]);
        before_word[threadIdx.x] = marks_before;
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned r = top + threadIdx.x; r < bottom; r += BLOCK) {
        const unsigned start = r == top ? 0 : (unsigned)(row_offsets[r] - lo);
        const unsigned end = (unsigned)(row_offsets[r + 1] - lo);
        T sum = 0;
        if (end > start) sum = products[before_word[start / 32] + __popc(mark[start / 32] & ((2u << start % 32) - 1))];
        y[r] = sum;
    }
}

template <typename T, typename O>
static cudaError_t load_balance_v26_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    spans_t *p = (spans_t *)plan;
    carries_t *carries = &p->carries;
    if (A->rows == 0) return cudaSuccess;
    load_balance_v26_kernel<T, O><<<carries->tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz, p->tile_row,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y, carries->rows,
                                                              (T *)carries->sums);
    return add_carries(carries, d_y, stream);
}

LOAD_BALANCE_STEP(load_balance_v26)

// Counts the rows that end before the tile's first item; row r ends at item r + row_offsets[r + 1].
template <typename O>
static __global__ void spans_rows_kernel(size_t tiles, size_t rows, size_t nnz, const O *__restrict__ row_offsets,
                                         uint32_t *tile_row)
{
    const size_t tile = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (tile > tiles) return;
    const uint64_t item = tile < tiles ? tile * (uint64_t)SPAN_TILE : (uint64_t)rows + nnz;
    uint32_t low = item > nnz ? (uint32_t)(item - nnz) : 0, high = item < rows ? (uint32_t)item : (uint32_t)rows;
#pragma unroll 1
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (middle + (uint64_t)row_offsets[middle + 1] < item) low = middle + 1;
        else high = middle;
    }
    tile_row[tile] = low;
}

template <typename T, typename O>
static cudaError_t build(spans_t *p, const csr_arrays_t *A, cudaStream_t stream)
{
    const O *row_offsets = (const O *)A->row_offsets;
    const size_t rows = A->rows, tiles = (rows + A->nnz + SPAN_TILE - 1) / SPAN_TILE;
    p->carries.tiles = (unsigned)tiles;
    p->carries.value_type = A->value_type;
    if (tiles == 0) return cudaSuccess;
    TRY(plan_take(&p->memory, &p->tile_row, tiles + 1));
    TRY(plan_take(&p->memory, &p->carries.rows, tiles));
    TRY(plan_take(&p->memory, (T **)&p->carries.sums, tiles));
    const unsigned blocks = (unsigned)((tiles + BLOCK) / BLOCK); // one thread per border; there are tiles + 1
    spans_rows_kernel<O><<<blocks, BLOCK, 0, stream>>>(tiles, rows, A->nnz, row_offsets, p->tile_row);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create<spans_t>(plan, [=](spans_t *p, plan_memory_t *) {
        return PLAN_BUILD(A, build, p, A, stream);
    });
}

LOAD_BALANCE_PLAN(load_balance_v26_plan, spans_t)
