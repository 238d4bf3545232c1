/*
 * gpu_rows.cu - no set-up, small matrices: a vector of lanes on each row, without a search before it.
 *
 * A vector takes a few batches of its row; what is left of long rows the whole block takes, row after row.  One huge
 * row in a small matrix is then one block's work, which is why this is for small matrices only.
 */
#include "gpu_common.cuh"
#include "gpu_spans.h"

namespace {

enum { BLOCK = 256, IN_FLIGHT = 4, BATCHES = 4 };

// Nonzeros from, from + stride, ... before `end`.
template <typename V, typename O, typename S>
__device__ __forceinline__ S sum_strided(O from, O end, O stride, const int32_t *__restrict__ col_indices,
                                         const V *__restrict__ values, const S *__restrict__ x)
{
    S sum = 0;
#pragma unroll 1
    for (O nz = from; nz < end; nz += IN_FLIGHT * stride) {
        int32_t col[IN_FLIGHT];
        S value[IN_FLIGHT];
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; ++j)
            if (nz + j * stride < end) {
                col[j] = col_indices[nz + j * stride];
                value[j] = load_value(&values[nz + j * stride]);
            }
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; ++j)
            if (nz + j * stride < end) sum += value[j] * __ldg(&x[col[j]]);
    }
    return sum;
}

template <int WIDTH, typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK) rows_kernel(uint32_t rows, const O *__restrict__ row_offsets,
                                                     const int32_t *__restrict__ col_indices,
                                                     const V *__restrict__ values, vectors<S> v)
{
    constexpr unsigned VECTORS = BLOCK / WIDTH;
    __shared__ S sums[BLOCK / LANES];
    __shared__ uint32_t long_rows[VECTORS];
    __shared__ S long_sums[VECTORS];
    __shared__ unsigned long_count;
    const unsigned sub = threadIdx.x % WIDTH, lane = threadIdx.x % LANES;
    const uint32_t row = blockIdx.x * VECTORS + threadIdx.x / WIDTH;
    if (threadIdx.x == 0) long_count = 0;
    __syncthreads();

    O start = 0, end = 0;
    if (row < rows && v.alpha != 0) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }
    const O reach = start + BATCHES * IN_FLIGHT * WIDTH;
    S sum = sum_strided((O)(start + sub), min(end, reach), (O)WIDTH, col_indices, values, v.x);
    sum = sum_lanes(sum, WIDTH);
    if (sub == 0 && row < rows) {
        if (end <= reach) finish(&v.y[row], sum, v.alpha, v.beta);
        else {
            const unsigned i = atomicAdd(&long_count, 1u);
            long_rows[i] = row;
            long_sums[i] = sum;
        }
    }
    __syncthreads();
    const unsigned count = long_count;
#pragma unroll 1
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t mine = long_rows[i];
        const O from = row_offsets[mine] + BATCHES * IN_FLIGHT * WIDTH;
        sum = sum_strided((O)(from + threadIdx.x), row_offsets[mine + 1], (O)BLOCK, col_indices, values, v.x);
        sum = sum_lanes(sum, LANES);
        if (lane == 0) sums[threadIdx.x / LANES] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            S total = long_sums[i];
            for (unsigned w = 0; w < BLOCK / LANES; ++w) total += sums[w];
            finish(&v.y[mine], total, v.alpha, v.beta);
        }
        __syncthreads();
    }
}

template <int WIDTH, typename V, typename O, typename S>
cudaError_t launch(const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned per_block = BLOCK / WIDTH, blocks = ((unsigned)A->rows + per_block - 1) / per_block;
    if (blocks == 0) return cudaSuccess;
    rows_kernel<WIDTH, V, O, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, v);
    return cudaPeekAtLastError();
}

template <typename V, typename O, typename S>
cudaError_t launch_lanes(int lanes, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (lanes) {
    case 2: return launch<2, V, O, S>(A, c);
    case 4: return launch<4, V, O, S>(A, c);
    case 8: return launch<8, V, O, S>(A, c);
    case 16: return launch<16, V, O, S>(A, c);
    default: return launch<32, V, O, S>(A, c);
    }
}

template <typename V, typename S>
cudaError_t launch_offsets(int lanes, const gpu_csr_t *A, const gpu_call_t *c)
{
    return A->offset_bits == 64 ? launch_lanes<V, uint64_t, S>(lanes, A, c) : launch_lanes<V, uint32_t, S>(lanes, A, c);
}

} // namespace

cudaError_t rows_run(int lanes, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (A->value_type) {
    case SPMV_F32: return launch_offsets<float, float>(lanes, A, c);
    case SPMV_F64: return launch_offsets<double, double>(lanes, A, c);
    case SPMV_F16: return launch_offsets<fp16, float>(lanes, A, c);
    case SPMV_BF16: return launch_offsets<bf16, float>(lanes, A, c);
    }
    return cudaErrorInvalidValue;
}
