/*
 * load_balance v15 - tiles of rows and nonzeros together, cut on the host
 *
 * From    v8
 * Was     v8's tiles hold equal nonzeros and any number of rows: if thousands of empty rows lie between two
 *         nonzeros, one block writes them all.
 * Idea    A product with a CSR matrix merges two lists: the nonzeros, and the ends of the rows.  A step either
 *         takes a nonzero or ends a row, so there are rows + nnz steps, and a tile is 1792 of them.  The host finds
 *         the row in which a tile begins, in plain C, by bisecting along a diagonal (v15_merge_tiles_plan.c).
 *         Inside a tile the kernel works as in v8, with flags and a scan.
 * Moves   As v8, and one word per tile.
 * Expect  Blocks share the empty rows: the busiest block has at most 1.2 times the mean work, in v8 five times.
 *         Otherwise v8's counts without the search.
 * Still   The borders come from the host: the row offsets are copied there first, which takes longer than the product.
 *         (-> v16)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  Plan: borders and carries, made on the host.  Deterministic.
 * Launch  grid = ceil((rows + nnz) / TILE), block = 256; then
 *         a_split_nonzeros/v08_nnz_split_carries_plan.cu: a thread for each carry.
 * Source  D. Merrill, M. Garland, Merge-Based Parallel Sparse Matrix-Vector Multiplication (SC 2016).
 */
#include "a_split_nonzeros/v08_nnz_split_carries_plan.h"
#include "c_merge_path/v15_merge_tiles_plan.h"

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
    load_balance_v15_kernel(unsigned rows, O nnz, const unsigned *__restrict__ border,
                            const O *__restrict__ row_offsets,
                           const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                           const T *__restrict__ x, T *__restrict__ y, unsigned *__restrict__ carry_rows,
                           T *__restrict__ carry_sums)
{
    __shared__ T products[TILE];
    __shared__ unsigned heads[TILE]; // the flags: 1 + the row that begins at this nonzero, or 0
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
        heads[k] = 0;
        if (k < count) col[j] = col_indices[lo + k], value[j] = values[lo + k];
    }
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) // issue all gathers of x before the first result is used
        if (j * BLOCK + threadIdx.x < count) value[j] *= x[col[j]];
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j)
        if (j * BLOCK + threadIdx.x < count) products[j * BLOCK + threadIdx.x] = value[j];
    __syncthreads();

    // Flag the first nonzero of each row.  Empty rows get 0, and so does the top row if it has no nonzero in this tile.
    const unsigned first = top < rows && row_offsets[top] < lo ? top + 1 : top; // the first row that begins here
    if (threadIdx.x == 0 && first > top && row_offsets[first] == lo) y[top] = 0;
#pragma unroll 1
    for (unsigned r = first + threadIdx.x; r <= bottom && r < rows; r += BLOCK) {
        const O start = row_offsets[r];
        if (row_offsets[r + 1] == start && r < bottom) y[r] = 0;
        else if (start < hi) heads[start - lo] = r + 1;
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
        const bool open = count > 0 && last == bottom;
        if (count > 0 && !open) y[last] = total.sum;
        carry_rows[blockIdx.x] = open ? last : NO_ROW;
        carry_sums[blockIdx.x] = total.sum;
    }
}

template <typename T, typename O>
static cudaError_t load_balance_v15_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    merge_tiles_t *tiles = (merge_tiles_t *)plan;
    carries_t *carries = &tiles->carries;
    if (A->rows == 0) return cudaSuccess;
    load_balance_v15_kernel<T, O><<<carries->tiles, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz, tiles->border,
                                                              (const O *)A->row_offsets, A->col_indices,
                                                              (const T *)A->values, d_x, d_y, carries->rows,
                                                              (T *)carries->sums);
    return add_carries(carries, d_y, stream);
}

LOAD_BALANCE_STEP(load_balance_v15)

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

LOAD_BALANCE_PLAN(load_balance_v15_plan, merge_tiles_t)
