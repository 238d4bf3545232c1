/*
 * gpu_many_rows.cu - several right-hand sides, a group of lanes on each row.
 *
 * A group has as many lanes as there are columns, or the next power of two.  What is long is left to the block, which
 * cuts the row into equal pieces, one for each of its groups, and adds these in order: one huge row is then one
 * block's work.  No scratch memory, so any number of these may run at once.
 */
#include "gpu_many.cuh"

namespace {

enum { LONG = 512 }; // nonzeros that are too much for one group

template <int W, bool BY_COLUMNS, typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK)
    many_rows_kernel(uint32_t rows, const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                     const V *__restrict__ values, columns<S> m)
{
    constexpr unsigned GROUPS = BLOCK / W;
    __shared__ S sums[BLOCK];
    const unsigned group = threadIdx.x / W;
    const uint32_t first = blockIdx.x * GROUPS, row = first + group;

    O from = 0, to = 0;
    if (row < rows && m.alpha != 0) {
        from = row_offsets[row];
        to = row_offsets[row + 1];
    }
    const bool is_long = to - from > LONG;
    if (row < rows && !is_long)
        store_row<W, BY_COLUMNS>(row, sum_piece<W, BY_COLUMNS>(from, to, col_indices, values, m), m);
    if (!__syncthreads_or(is_long)) return;

    for (uint32_t mine = first; mine < first + GROUPS && mine < rows; ++mine) {
        from = row_offsets[mine];
        to = row_offsets[mine + 1];
        if (to - from <= LONG) continue;
        const O piece = (to - from + GROUPS - 1) / GROUPS, at = min(from + group * piece, to);
        const S sum = sum_piece<W, BY_COLUMNS>(at, min(at + piece, to), col_indices, values, m);
        const S total = sum_groups<W>(sum, sums);
        if (group == 0) store_row<W, BY_COLUMNS>(mine, total, m);
    }
}

template <int W, bool BY_COLUMNS, typename V, typename O, typename S>
cudaError_t launch(const gpu_csr_t *A, const gpu_many_t *c)
{
    const unsigned blocks = (unsigned)(((uint64_t)A->rows * W + BLOCK - 1) / BLOCK);
    many_rows_kernel<W, BY_COLUMNS, V, O, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, columns_of<S>(c));
    return cudaPeekAtLastError();
}

template <typename V, typename O, typename S> cudaError_t launch_width(const gpu_csr_t *A, const gpu_many_t *c)
{
    if (c->by_columns) return launch<MANY_BY_COLUMNS, true, V, O, S>(A, c);
    if (c->k <= 2) return launch<2, false, V, O, S>(A, c);
    if (c->k <= 4) return launch<4, false, V, O, S>(A, c);
    if (c->k <= 8) return launch<8, false, V, O, S>(A, c);
    if (c->k <= 16) return launch<16, false, V, O, S>(A, c);
    return launch<32, false, V, O, S>(A, c);
}

template <typename V, typename S> cudaError_t launch_offsets(const gpu_csr_t *A, const gpu_many_t *c)
{
    return A->offset_bits == 64 ? launch_width<V, uint64_t, S>(A, c) : launch_width<V, uint32_t, S>(A, c);
}

} // namespace

cudaError_t many_rows_run(const gpu_csr_t *A, const gpu_many_t *c)
{
    switch (A->value_type) {
    case SPMV_F32: return launch_offsets<float, float>(A, c);
    case SPMV_F64: return launch_offsets<double, double>(A, c);
    case SPMV_F16: return launch_offsets<fp16, float>(A, c);
    case SPMV_BF16: return launch_offsets<bf16, float>(A, c);
    case SPMV_F32_F64: return launch_offsets<float, double>(A, c);
    }
    return cudaErrorInvalidValue;
}
