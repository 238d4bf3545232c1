/*
 * load_balance v25 - row-start flags as bits
 *
 * From    v15
 * Was     v15's flags are words in shared memory, one per nonzero: all are cleared and read, but few written.
 * Idea    Make a flag a bit: a thread reads its seven flags from one or two words.  The row of a flag is not stored.
 *         The sum before the n-th flag goes to index n in shared memory, where the products were, and each row finds
 *         its sum by counting the flags up to its start.  An empty row has no flag, and writes 0.
 * Moves   As v15, but the row offsets twice.  A word and a bit of shared memory per nonzero instead of two words.
 * Expect  Half of v15's wavefronts of shared loads.  More load requests: the offsets of the tile are read again.
 * Still   The borders come from the host.  (-> v26)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: borders and carries, made on the host.  Deterministic.
 * Launch  As v15.
 * Source  W. Liu, B. Vinter, Speculative segmented sum for SpMV on heterogeneous processors, Parallel Computing 49
 *         (2015): the bit map.
 */
#include "a_split_nonzeros/v08_nnz_split_carries_plan.h"
#include "c_merge_path/v15_merge_tiles_plan.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, ITEMS = 7, TILE = BLOCK * ITEMS, WORDS = TILE / 32 };

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
    load_balance_v25_kernel(unsigned rows, O nnz, const unsigned *__restrict__ border,
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

    // region: step
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
    // end: step
}

template <typename T, typename O>
static cudaError_t load_balance_v25_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    merge_tiles_t *tiles = (merge_tiles_t *)plan;
    carries_t *carries = &tiles->carries;
    if (A->rows == 0) return cudaSuccess;
    load_balance_v25_kernel<T, O><<<carries->tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz, tiles->border,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y, carries->rows,
                                                              (T *)carries->sums);
    return add_carries(carries, d_y, stream);
}

LOAD_BALANCE_STEP(load_balance_v25)

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    return plan_create_on_host<merge_tiles_t>(A, true, plan, stream, [=](merge_tiles_t *p, csr_t *host,
                                                                         host_memory_t *m) {
        const size_t steps = A->rows + A->nnz, tiles = (steps + TILE - 1) / TILE;
        p->carries.tiles = (unsigned)tiles;
        p->carries.value_type = A->value_type;
        TRY(plan_take(&p->memory, &p->carries.rows, tiles + 1));
        TRY(plan_take(&p->memory, (char **)&p->carries.sums, (tiles + 1) * dtype_size(A->value_type)));
        p->border = (unsigned *)host_take(m, tiles + 1, sizeof *p->border);
        if (!p->border) return cudaErrorMemoryAllocation;
        for (size_t t = 0; t <= tiles; ++t)
            p->border[t] = (unsigned)merge_path_row(host, t < tiles ? t * TILE : steps);
        return plan_upload(&p->memory, &p->border, tiles + 1);
    });
}

LOAD_BALANCE_PLAN(load_balance_v25_plan, merge_tiles_t)
