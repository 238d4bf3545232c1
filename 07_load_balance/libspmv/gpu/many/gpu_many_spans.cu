/*
 * gpu_many_spans.cu - several right-hand sides, equal work for all: rows and nonzeros on one line, cut into equal
 * spans, a group of lanes on each.
 *
 * On the line stands each nonzero and, after the last of a row, the row's end, as in gpu_spans.cu.  A group finds the
 * row that its span begins in by a binary search and goes on from there.  A row that begins and ends in the span is
 * stored.  Of a row that is cut each span keeps its own piece: `heads` where the row ends in it, `tails` where it goes
 * on behind it.  A second kernel adds the pieces of a row, always in the same order, and stores it: few pieces a group
 * of the span that the row ends in, many its block.
 *
 * After D. Merrill and M. Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication (SC 2016).
 */
#include "gpu_many.cuh"

namespace {

enum { FEW = 32 }; // pieces of a row that a group adds alone
#define NO_ROW 0xffffffffu

// One piece of each kind for each span, W elements.
template <typename S> struct cut_pieces {
    S *tails, *heads;
    uint32_t *rows; // [spans] whose head it is, or NO_ROW
};

template <typename S> cut_pieces<S> pieces_at(void *scratch, uint32_t threads)
{
    S *tails = (S *)scratch;
    return cut_pieces<S>{tails, tails + threads, (uint32_t *)(tails + 2 * (size_t)threads)};
}

// The row that has this place of the line: the last that begins there or before.
template <typename O> __device__ __forceinline__ uint32_t row_at(uint64_t place, uint32_t rows, const O *row_offsets)
{
    uint32_t low = 0, high = rows - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (row_offsets[middle] + (uint64_t)middle <= place) low = middle;
        else high = middle - 1;
    }
    return low;
}

template <int W, bool BY_COLUMNS, typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK)
    many_spans_kernel(uint32_t rows, O nnz, uint64_t span, const O *__restrict__ row_offsets,
                      const int32_t *__restrict__ col_indices, const V *__restrict__ values, columns<S> m,
                      cut_pieces<S> cut)
{
    const unsigned lane = threadIdx.x % W;
    const uint32_t own = blockIdx.x * (BLOCK / W) + threadIdx.x / W; // span
    const uint64_t places = (uint64_t)nnz + rows, begin = own * span, end = min(begin + span, places);
    if (begin >= places) return;
    uint32_t row = row_at(begin, rows, row_offsets);
    const uint32_t row_end = end < places ? row_at(end, rows, row_offsets) : rows;
    const O nz_end = (O)(end - row_end);
    O nz = (O)(begin - row);

    const bool has_head = nz > row_offsets[row] && row < row_end;
    if (lane == 0) cut.rows[own] = has_head ? row : NO_ROW;
    if (has_head) {
        const O to = row_offsets[row + 1];
        cut.heads[own * W + lane] = sum_piece<W, BY_COLUMNS>(nz, to, col_indices, values, m);
        nz = to;
        ++row;
    }
    for (; row < row_end; ++row) {
        const O to = row_offsets[row + 1];
        store_row<W, BY_COLUMNS>(row, sum_piece<W, BY_COLUMNS>(nz, to, col_indices, values, m), m);
        nz = to;
    }
    if (nz < nz_end) cut.tails[own * W + lane] = sum_piece<W, BY_COLUMNS>(nz, nz_end, col_indices, values, m);
}

// Rows that were cut: the tails of all spans from the one where the row begins, and the head of the one where it ends.
template <int W, bool BY_COLUMNS, typename O, typename S>
__global__ void __launch_bounds__(BLOCK) many_pieces_kernel(uint32_t spans, uint64_t span,
                                                            const O *__restrict__ row_offsets, columns<S> m,
                                                            cut_pieces<S> cut)
{
    constexpr unsigned GROUPS = BLOCK / W;
    __shared__ S sums[BLOCK];
    const unsigned lane = threadIdx.x % W, group = threadIdx.x / W;
    const uint32_t first = blockIdx.x * GROUPS, own = first + group;
    const uint32_t row = own < spans ? cut.rows[own] : NO_ROW;
    const uint32_t begin = row != NO_ROW ? (uint32_t)((row_offsets[row] + (uint64_t)row) / span) : own;
    const bool are_many = own - begin > FEW;
    if (row != NO_ROW && !are_many) {
        S sum = cut.heads[own * W + lane];
        for (uint32_t s = begin; s < own; ++s) sum += cut.tails[s * W + lane];
        store_row<W, BY_COLUMNS>(row, sum, m);
    }
    if (!__syncthreads_or(are_many)) return;

    for (uint32_t mine = first; mine < first + GROUPS && mine < spans; ++mine) {
        const uint32_t its_row = cut.rows[mine];
        if (its_row == NO_ROW) continue;
        const uint32_t from = (uint32_t)((row_offsets[its_row] + (uint64_t)its_row) / span);
        if (mine - from <= FEW) continue;
        S sum = 0;
#pragma unroll 4
        for (uint32_t s = from + group; s < mine; s += GROUPS) sum += cut.tails[s * W + lane];
        sum = sum_groups<W>(sum, sums);
        if (group == 0) store_row<W, BY_COLUMNS>(its_row, sum + cut.heads[mine * W + lane], m);
    }
}

template <int W, bool BY_COLUMNS, typename V, typename O, typename S>
cudaError_t launch(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    const uint64_t places = (uint64_t)A->rows + (uint64_t)A->nnz, most = m->threads / W;
    uint64_t span = (places + most - 1) / most;
    if (span < MANY_SHORTEST_SPAN) span = MANY_SHORTEST_SPAN;
    const uint32_t spans = (uint32_t)((places + span - 1) / span);
    const unsigned blocks = (unsigned)(((uint64_t)spans * W + BLOCK - 1) / BLOCK);
    const cut_pieces<S> cut = pieces_at<S>(m->scratch, m->threads);
    const columns<S> all = columns_of<S>(c);
    many_spans_kernel<W, BY_COLUMNS, V, O, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (O)A->nnz, span, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, all, cut);
    const cudaError_t status = cudaPeekAtLastError();
    if (status != cudaSuccess) return status;
    many_pieces_kernel<W, BY_COLUMNS, O, S>
        <<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(spans, span, (const O *)A->row_offsets, all, cut);
    return cudaPeekAtLastError();
}

template <typename V, typename O, typename S>
cudaError_t launch_width(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    if (c->by_columns) return launch<MANY_BY_COLUMNS, true, V, O, S>(m, A, c);
    if (c->k <= 2) return launch<2, false, V, O, S>(m, A, c);
    if (c->k <= 4) return launch<4, false, V, O, S>(m, A, c);
    if (c->k <= 8) return launch<8, false, V, O, S>(m, A, c);
    if (c->k <= 16) return launch<16, false, V, O, S>(m, A, c);
    return launch<32, false, V, O, S>(m, A, c);
}

template <typename V, typename S> cudaError_t launch_offsets(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    return A->offset_bits == 64 ? launch_width<V, uint64_t, S>(m, A, c) : launch_width<V, uint32_t, S>(m, A, c);
}

} // namespace

// Two pieces for each thread, and a row number for each of at most threads / 2 spans.
size_t many_bytes(uint32_t threads, spmv_type_t type)
{
    return (size_t)threads * (2 * vector_size(type) + sizeof(uint32_t) / 2);
}

cudaError_t many_spans_run(const many_t *m, const gpu_csr_t *A, const gpu_many_t *c)
{
    switch (A->value_type) {
    case SPMV_F32: return launch_offsets<float, float>(m, A, c);
    case SPMV_F64: return launch_offsets<double, double>(m, A, c);
    case SPMV_F16: return launch_offsets<fp16, float>(m, A, c);
    case SPMV_BF16: return launch_offsets<bf16, float>(m, A, c);
    case SPMV_F32_F64: return launch_offsets<float, double>(m, A, c);
    }
    return cudaErrorInvalidValue;
}
