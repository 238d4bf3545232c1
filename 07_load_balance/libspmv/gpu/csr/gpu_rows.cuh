/*
 * gpu_rows.cuh - what a block does with its rows (gpu_rows.cu, gpu_mixed.cu).  Not installed.
 */
#ifndef SPMV_GPU_ROWS_CUH
#define SPMV_GPU_ROWS_CUH

#include "gpu_common.cuh"
#include "gpu_spans.h"

namespace {

enum { BATCHES = 4 }; // batches of its row that a vector multiplies; the block does the rest

// A batch of a row: nonzeros from, from + stride, ... before `end`, as many as a lane can load at once.
template <int IN_FLIGHT, typename S> struct batch {
    int32_t col[IN_FLIGHT];
    S value[IN_FLIGHT];
};

template <int IN_FLIGHT, typename V, typename O, typename S>
__device__ __forceinline__ void load(batch<IN_FLIGHT, S> &b, O from, O end, unsigned stride,
                                     const int32_t *__restrict__ col_indices, const V *__restrict__ values)
{
    const O left = end > from ? end - from : 0;
    col_indices += from; // from here distances are constants, so loads need no address of their own
    values += from;
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT; ++j) {
        b.col[j] = -1;
        if (j * stride < left) {
            b.col[j] = __ldcs(&col_indices[j * stride]);
            b.value[j] = load_value(&values[j * stride]);
        }
    }
}

template <int IN_FLIGHT, typename S>
__device__ __forceinline__ S multiply(const batch<IN_FLIGHT, S> &b, const S *__restrict__ x)
{
    S sum = 0;
#pragma unroll
    for (int j = 0; j < IN_FLIGHT; ++j)
        if (b.col[j] >= 0) sum += b.value[j] * __ldg(&x[b.col[j]]);
    return sum;
}

// A block's long rows, and the sums of their first nonzeros.
template <unsigned MOST, typename S> struct long_rows_t {
    unsigned count;
    uint32_t row[MOST];
    S sum[MOST];
    uint32_t first_piece[MOST + 1];
};

// Returns, in thread i, the sum of the values of all threads before it; *total gets the sum of all.
__device__ __forceinline__ uint64_t sum_before_thread(uint64_t value, uint64_t *total)
{
    __shared__ uint64_t of_warp[CSR_WARPS];
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    uint64_t sum = value;
#pragma unroll 1
    for (unsigned s = 1; s < LANES; s *= 2) {
        const uint64_t more = __shfl_up_sync(ALL_LANES, sum, s);
        if (lane >= s) sum += more;
    }
    if (lane == LANES - 1) of_warp[warp] = sum;
    __syncthreads();
    *total = 0;
    for (unsigned w = 0; w < CSR_WARPS; ++w) {
        if (w == warp) sum += *total;
        *total += of_warp[w];
    }
    __syncthreads(); // for the next call
    return sum - value;
}

// Multiplies the long rows of a block, after their first `done` nonzeros: cuts them into pieces, which the warps take
// in turn.  Not inlined: its registers would change the order of the loads above (measured: 15 % on even rows).
template <unsigned MOST, typename V, typename O, typename S>
__device__ __noinline__ void finish_long_rows(unsigned done, long_rows_t<MOST, S> &rows,
                                              const O *__restrict__ row_offsets,
                                              const int32_t *__restrict__ col_indices, const V *__restrict__ values,
                                              vectors<S> v)
{
    constexpr unsigned IN_FLIGHT = sizeof(S) == 8 ? 4 : 8, LEAST = IN_FLIGHT * LANES, PIECES = 4 * CSR_WARPS;
    __shared__ S sums[PIECES + MOST]; // every row may end with a smaller piece
    const unsigned lane = threadIdx.x % LANES, count = rows.count;
    uint64_t left = 0, total;
    if (threadIdx.x < count) {
        const uint32_t row = rows.row[threadIdx.x];
        left = (uint64_t)(row_offsets[row + 1] - row_offsets[row]) - done;
    }
    sum_before_thread(left, &total);
    const uint64_t length = max((total / PIECES / LANES + 1) * LANES, (uint64_t)LEAST);
    const uint64_t first = sum_before_thread((left + length - 1) / length, &total);
    if (threadIdx.x < count) rows.first_piece[threadIdx.x] = (uint32_t)first;
    if (threadIdx.x == 0) rows.first_piece[count] = (uint32_t)total;
    __syncthreads();
#pragma unroll 1
    for (uint32_t piece = threadIdx.x / LANES; piece < (uint32_t)total; piece += CSR_WARPS) {
        unsigned low = 0, high = count - 1; // searches the row of the piece
#pragma unroll 1
        while (low < high) {
            const unsigned middle = (low + high + 1) / 2;
            if (rows.first_piece[middle] <= piece) low = middle;
            else high = middle - 1;
        }
        const uint32_t row = rows.row[low];
        const O from = row_offsets[row] + done + (O)((piece - rows.first_piece[low]) * length),
                end = min((O)(from + length), row_offsets[row + 1]);
        S sum = 0;
#pragma unroll 1
        for (O nz = from + lane; nz < end; nz += LEAST) {
            batch<IN_FLIGHT, S> some;
            load(some, nz, end, LANES, col_indices, values);
            sum += multiply(some, v.x);
        }
        sum = sum_lanes(sum, LANES);
        if (lane == 0) sums[piece] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= count) return;
    S sum = rows.sum[threadIdx.x];
#pragma unroll 1
    for (uint32_t piece = rows.first_piece[threadIdx.x]; piece < rows.first_piece[threadIdx.x + 1]; ++piece)
        sum += sums[piece];
    finish(&v.y[rows.row[threadIdx.x]], sum, v.alpha, v.beta);
}

// Asks for this block's share of a small matrix and of x.
template <typename V, typename O, typename S>
__device__ __forceinline__ void ask_matrix_ahead(const int32_t *col_indices, const V *values, const S *x, uint32_t cols,
                                                 O nnz, ahead_t early)
{
    if (!early.x) return;
    if (threadIdx.x == 0) ask_ahead(col_indices, (uint64_t)nnz * sizeof *col_indices, early.columns);
    if (threadIdx.x == LANES) ask_ahead(values, (uint64_t)nnz * sizeof *values, early.values);
    if (threadIdx.x == 2 * LANES) ask_ahead(x, (uint64_t)cols * sizeof *x, early.x);
}

// A thread's row of the group, and its nonzeros [start, end); with alpha 0 the row has none.
template <typename O> struct own_row {
    uint32_t row;
    O start, end;
};
template <int WIDTH, typename O, typename S>
__device__ __forceinline__ own_row<O> find_own(uint32_t group, uint32_t rows, const O *__restrict__ row_offsets,
                                               S alpha)
{
    own_row<O> own = {group * (CSR_THREADS / WIDTH) + threadIdx.x / WIDTH, 0, 0};
    if (own.row < rows && alpha != 0) {
        own.start = row_offsets[own.row];
        own.end = row_offsets[own.row + 1];
    }
    return own;
}

// Multiplies the rows of a group with WIDTH threads on each.
template <int WIDTH, int IN_FLIGHT, typename V, typename O, typename S>
__device__ __forceinline__ void run_rows(own_row<O> own, uint32_t rows, const O *__restrict__ row_offsets,
                                         const int32_t *__restrict__ col_indices, const V *__restrict__ values,
                                         const vectors<S> &v, uint32_t cols, O nnz, ahead_t early)
{
    constexpr unsigned VECTORS = CSR_THREADS / WIDTH, STEP = IN_FLIGHT * WIDTH;
    __shared__ long_rows_t<VECTORS, S> long_rows;
    const unsigned sub = threadIdx.x % WIDTH;

    if (v.alpha != 0) ask_matrix_ahead(col_indices, values, v.x, cols, nnz, early);
    batch<IN_FLIGHT, S> b;
    load(b, (O)(own.start + sub), own.end, WIDTH, col_indices, values);
    S sum = multiply(b, v.x);
    O at = own.start + STEP;
#pragma unroll 1
    for (int k = 1; k < BATCHES && __any_sync(ALL_LANES, at < own.end); ++k, at += STEP) {
        load(b, (O)(at + sub), own.end, WIDTH, col_indices, values);
        sum += multiply(b, v.x);
    }
#pragma unroll
    for (unsigned s = WIDTH / 2; s > 0; s /= 2) sum += __shfl_down_sync(ALL_LANES, sum, s);
    const bool is_long = own.end > own.start && own.end - own.start > (O)(BATCHES * STEP);
    if (sub == 0 && own.row < rows && !is_long) finish(&v.y[own.row], sum, v.alpha, v.beta);
    if (!__syncthreads_or(is_long)) return;

    if (threadIdx.x == 0) long_rows.count = 0;
    __syncthreads();
    if (sub == 0 && is_long) {
        const unsigned i = atomicAdd(&long_rows.count, 1u);
        long_rows.row[i] = own.row;
        long_rows.sum[i] = sum;
    }
    __syncthreads();
    finish_long_rows(BATCHES * STEP, long_rows, row_offsets, col_indices, values, v);
}

} // namespace

#endif
