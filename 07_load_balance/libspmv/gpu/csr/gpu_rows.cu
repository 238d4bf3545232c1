/*
 * gpu_rows.cu - CSR as it is, a vector of lanes on each row, all loads of a row at once.
 *
 * A block has so few registers that an SM is full of warps, a warp so few loads in each lane that one round of
 * waiting takes in an even row as a whole.  A vector takes a few such batches of its row; what is left of long rows its
 * block takes afterwards, a warp to each, or where that is much the whole block, row after row.  One huge row is then
 * one block's work, so this is for matrices that are small or known to be even.
 */
#include "gpu_common.cuh"
#include "gpu_spans.h"

namespace {

enum { BLOCK = 256, WARPS = BLOCK / LANES, BATCHES = 4, LATER_BATCH = 4 };

// A batch of a row: nonzeros from, from + stride, ... before `end`, as many as a lane can have on the way.
template <int IN_FLIGHT, typename S> struct batch {
    int32_t col[IN_FLIGHT];
    S value[IN_FLIGHT];
};

template <int IN_FLIGHT, typename V, typename O, typename S>
__device__ __forceinline__ void load(batch<IN_FLIGHT, S> &b, O from, O end, unsigned stride,
                                     const int32_t *__restrict__ col_indices, const V *__restrict__ values)
{
    const O left = end > from ? end - from : 0;
    col_indices += from; // from here on the distances are constants: no address to be worked out for each load
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

// The long rows of a block: what stands after their first `done` nonzeros.  Not inlined: the registers it wants would
// change the order of the loads above (measured: 15 % on even rows).
template <typename V, typename O, typename S>
__device__ __noinline__ void finish_long_rows(unsigned count, unsigned done, const uint32_t *long_rows,
                                              const S *long_sums, const O *__restrict__ row_offsets,
                                              const int32_t *__restrict__ col_indices, const V *__restrict__ values,
                                              vectors<S> v)
{
    __shared__ S sums[WARPS];
    const unsigned lane = threadIdx.x % LANES;
    S sum;
    constexpr unsigned A_WARPS = 4 * LATER_BATCH * LANES; // at most that many nonzeros are left to a warp
#pragma unroll 1
    for (unsigned i = threadIdx.x / LANES; i < count; i += WARPS) {
        const uint32_t mine = long_rows[i];
        const O from = row_offsets[mine] + done, mine_end = row_offsets[mine + 1];
        if (mine_end - from > A_WARPS) continue;
        sum = 0;
#pragma unroll 1
        for (O nz = from + lane; nz < mine_end; nz += LATER_BATCH * LANES) {
            batch<LATER_BATCH, S> some;
            load(some, nz, mine_end, LANES, col_indices, values);
            sum += multiply(some, v.x);
        }
        sum = sum_lanes(sum, LANES);
        if (lane == 0) finish(&v.y[mine], long_sums[i] + sum, v.alpha, v.beta);
    }
#pragma unroll 1
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t mine = long_rows[i];
        const O from = row_offsets[mine] + done, mine_end = row_offsets[mine + 1];
        if (mine_end - from <= A_WARPS) continue;
        sum = 0;
#pragma unroll 1
        for (O nz = from + threadIdx.x; nz < mine_end; nz += LATER_BATCH * BLOCK) {
            batch<LATER_BATCH, S> some;
            load(some, nz, mine_end, BLOCK, col_indices, values);
            sum += multiply(some, v.x);
        }
        sum = sum_lanes(sum, LANES);
        if (lane == 0) sums[threadIdx.x / LANES] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            S total = long_sums[i];
            for (unsigned w = 0; w < WARPS; ++w) total += sums[w];
            finish(&v.y[mine], total, v.alpha, v.beta);
        }
        __syncthreads();
    }
}

template <int WIDTH, int IN_FLIGHT, int MIN_BLOCKS, typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK, BLOCKS_OF_256(MIN_BLOCKS))
    rows_kernel(uint32_t rows, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                const V *__restrict__ values, vectors<S> v, uint32_t cols, O nnz, ahead_t early)
{
    constexpr unsigned VECTORS = BLOCK / WIDTH, STEP = IN_FLIGHT * WIDTH;
    __shared__ uint32_t long_rows[VECTORS];
    __shared__ S long_sums[VECTORS];
    __shared__ unsigned long_count;
    const unsigned sub = threadIdx.x % WIDTH;
    const uint32_t row = blockIdx.x * VECTORS + threadIdx.x / WIDTH;

    O start = 0, end = 0;
    if (row < rows && v.alpha != 0) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }
    if (early.x && v.alpha != 0) {
        if (threadIdx.x == 0) ask_ahead(col_indices, (uint64_t)nnz * sizeof *col_indices, early.columns);
        if (threadIdx.x == LANES) ask_ahead(values, (uint64_t)nnz * sizeof *values, early.values);
        if (threadIdx.x == 2 * LANES) ask_ahead(v.x, (uint64_t)cols * sizeof *v.x, early.x);
    }
    batch<IN_FLIGHT, S> b;
    load(b, (O)(start + sub), end, WIDTH, col_indices, values);
    S sum = multiply(b, v.x);
    O at = start + STEP;
#pragma unroll 1
    for (int k = 1; k < BATCHES && __any_sync(ALL_LANES, at < end); ++k, at += STEP) {
        load(b, (O)(at + sub), end, WIDTH, col_indices, values);
        sum += multiply(b, v.x);
    }
#pragma unroll
    for (unsigned s = WIDTH / 2; s > 0; s /= 2) sum += __shfl_down_sync(ALL_LANES, sum, s);
    const bool is_long = end > start && end - start > (O)(BATCHES * STEP);
    if (sub == 0 && row < rows && !is_long) finish(&v.y[row], sum, v.alpha, v.beta);
    if (!__syncthreads_or(is_long)) return;

    if (threadIdx.x == 0) long_count = 0;
    __syncthreads();
    if (sub == 0 && is_long) {
        const unsigned i = atomicAdd(&long_count, 1u);
        long_rows[i] = row;
        long_sums[i] = sum;
    }
    __syncthreads();
    finish_long_rows<V, O, S>(long_count, BATCHES * STEP, long_rows, long_sums, row_offsets, col_indices, values, v);
}

template <int WIDTH, int IN_FLIGHT, typename V, typename O, typename S>
cudaError_t launch(const gpu_csr_t *A, const gpu_call_t *c)
{
    constexpr int MIN_BLOCKS = sizeof(S) == 4  ? 8
                               : IN_FLIGHT > 6 ? 5
                                               : 6; // all of an SM's warps, or what fp64 has room for
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned per_block = BLOCK / WIDTH, blocks = ((unsigned)A->rows + per_block - 1) / per_block;
    if (blocks == 0) return cudaSuccess;
    const ahead_t early =
        ahead((uint64_t)A->cols * sizeof(S), (uint64_t)A->nnz * sizeof(int32_t), (uint64_t)A->nnz * sizeof(V), blocks);
    rows_kernel<WIDTH, IN_FLIGHT, MIN_BLOCKS, V, O, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (const O *)A->row_offsets, A->col_indices,
        (const V *)A->values, v, (uint32_t)A->cols, (O)A->nnz, early);
    return cudaPeekAtLastError();
}

template <typename V, typename O, typename S>
cudaError_t launch_shape(unsigned reach, const gpu_csr_t *A, const gpu_call_t *c)
{
    if (reach <= 6) return launch<1, 6, V, O, S>(A, c);
    if (reach <= 12) return launch<2, 6, V, O, S>(A, c);
    if (reach <= 24) return launch<4, 6, V, O, S>(A, c);
    if (reach <= 32) return launch<4, 8, V, O, S>(A, c);
    if (reach <= 48) return launch<8, 6, V, O, S>(A, c);
    if (reach <= 64) return launch<8, 8, V, O, S>(A, c);
    if (reach <= 96) return launch<16, 6, V, O, S>(A, c);
    return launch<32, 6, V, O, S>(A, c);
}

template <typename V, typename S>
cudaError_t launch_offsets(unsigned reach, const gpu_csr_t *A, const gpu_call_t *c)
{
    return A->offset_bits == 64 ? launch_shape<V, uint64_t, S>(reach, A, c) : launch_shape<V, uint32_t, S>(reach, A, c);
}

} // namespace

cudaError_t rows_run(unsigned reach, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (A->value_type) {
    case SPMV_F32: return launch_offsets<float, float>(reach, A, c);
    case SPMV_F64: return launch_offsets<double, double>(reach, A, c);
    case SPMV_F16: return launch_offsets<fp16, float>(reach, A, c);
    case SPMV_BF16: return launch_offsets<bf16, float>(reach, A, c);
    case SPMV_F32_F64: return launch_offsets<float, double>(reach, A, c);
    }
    return cudaErrorInvalidValue;
}
