/*
 * gpu_mixed.cu - no set-up: in one launch, lanes on each row if rows are even, and equal spans if they are not.
 * A block multiplies its group of rows (gpu_rows.cuh), unless the group is heavy: it has several times the nonzeros
 * that it would have in an even matrix.  Other blocks, which come first, cut the line of rows and nonzeros into spans
 * (gpu_span.cuh), one for each warp.  A heavy group is longer than a span, so a span touches at most two of them: one
 * at its first place and one at its last.  A warp looks up both groups (32 probes at a time) and multiplies the heavy
 * ones, as far as its span goes.  Mostly neither is heavy, and the warp ends.
 *
 * A small even matrix takes little longer than with lanes on each row, because the searches run beside them; a matrix
 * with most nonzeros in a few rows takes little longer than with spans.  For large matrices one of the two is chosen,
 * because spans need registers and lanes on each row need many threads.
 */
#include "gpu_rows.cuh"
#include "gpu_span.cuh"

namespace {

enum { IN_FLIGHT = 6 }; // nonzeros that a lane loads at once

// Multiplies the rows of a heavy group that are in the warp's span.
template <int ITEMS, typename V, typename O, typename S>
__device__ __forceinline__ void share_group(unsigned lane, unsigned group_rows, uint32_t group, uint32_t heavy,
                                            uint32_t warp, cuts_t cuts, uint64_t limit, uint64_t begin, uint64_t end,
                                            S *products, unsigned *end_bits, uint32_t rows,
                                            const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                                            const V *__restrict__ values, const vectors<S> &v,
                                            const pieces<S> &scratch)
{
    const uint32_t first = group * group_rows, last = min(first + group_rows, rows);
    const uint64_t from = (uint64_t)row_offsets[first] + first, to = (uint64_t)row_offsets[last] + last;
    if (to - from <= heavy) return;
    begin = max(begin, from);
    end = min(end, to);
    if (begin >= end) return;
    search_t low = search_in(lane, begin, first, last), high = search_in(lane, end, first, last);
    find_both(lane, low, high, row_offsets);
    run_span<ITEMS>(lane, warp, cuts, limit, begin, end, low.low, high.low, products, end_bits, rows, row_offsets,
                    col_indices, values, v, scratch);
}

// The work of the warps of a block of spans.
template <int ITEMS, typename V, typename O, typename S>
__device__ SHARED_CODE void share_spans(unsigned group_rows, uint32_t heavy, uint32_t rows,
                                        const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                                        const V *__restrict__ values, const vectors<S> &v, uint32_t cols, O nnz,
                                        ahead_t early, cuts_t cuts, uint64_t limit, const pieces<S> &scratch)
{
    constexpr unsigned TILE = ITEMS * LANES, WORDS = TILE / 32;
    __shared__ __align__(16) S shared[CSR_WARPS * TILE];
    __shared__ unsigned ends_shared[CSR_WARPS * WORDS];
    const unsigned lane = threadIdx.x % LANES, warp = (blockIdx.x * CSR_THREADS + threadIdx.x) / LANES;
    const uint64_t places = (uint64_t)rows + nnz, begin = begin_of(cuts, warp),
                   end = min(begin_of(cuts, warp + 1), places);
    ask_matrix_ahead(col_indices, values, v.x, cols, nnz, early);
    if (begin >= places) return;
    const uint32_t groups = (rows + group_rows - 1) / group_rows;
    search_t a = start_search(lane, begin, groups, places, 1), b = start_search(lane, end, groups, places, 1);
    find_both(lane, a, b, row_offsets, group_rows);
    // a.low, b.low: the first groups that start in this span, and behind it.  The loop makes the compiler keep a single
    // copy of the code of a span.
    const uint32_t before = a.low - 1, last = b.low - 1;
#pragma unroll 1
    for (int k = 0; k < 2; ++k) {
        const uint32_t group = k ? last : before;
        if (k ? last == before : a.low == 0) continue;
        share_group<ITEMS>(lane, group_rows, group, heavy, warp, cuts, limit, begin, end,
                           &shared[threadIdx.x / LANES * TILE], &ends_shared[threadIdx.x / LANES * WORDS], rows,
                           row_offsets, col_indices, values, v, scratch);
    }
}

template <int WIDTH, int ITEMS, int MIN_BLOCKS, typename V, typename O, typename S>
__global__ void __launch_bounds__(CSR_THREADS, BLOCKS_OF_256(MIN_BLOCKS))
    mixed_kernel(uint32_t span_blocks, uint32_t heavy, uint32_t rows, const O *__restrict__ row_offsets,
                 const int32_t *__restrict__ col_indices, const V *__restrict__ values, vectors<S> v, uint32_t cols,
                 O nnz, ahead_t early, cuts_t cuts, uint64_t limit, pieces<S> scratch)
{
    constexpr unsigned GROUP_ROWS = CSR_THREADS / WIDTH;
    if (blockIdx.x >= span_blocks) {
        const uint32_t group = blockIdx.x - span_blocks, first = group * GROUP_ROWS,
                       last = min(first + GROUP_ROWS, rows);
        const own_row<O> own = find_own<WIDTH>(group, rows, row_offsets, v.alpha);
        const O weight = row_offsets[last] - row_offsets[first];
        if ((uint64_t)weight + (last - first) > heavy) return;
        run_rows<WIDTH, IN_FLIGHT>(own, rows, row_offsets, col_indices, values, v, cols, nnz, early);
        return;
    }
    share_spans<ITEMS>(GROUP_ROWS, heavy, rows, row_offsets, col_indices, values, v, cols, nnz, early, cuts, limit,
                       scratch);
}

template <int WIDTH, typename V, typename O, typename S>
cudaError_t launch(uint32_t heavy, const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    // Measured with 4 to 8 blocks on an SM: spans need the registers, and small matrices have no more blocks.
    constexpr int ITEMS = sizeof(S) == 8 ? 4 : 8, MIN_BLOCKS = 4;
    constexpr unsigned GROUP_ROWS = CSR_THREADS / WIDTH;
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned groups = ((unsigned)A->rows + GROUP_ROWS - 1) / GROUP_ROWS,
                   span_blocks = (s->warps + CSR_WARPS - 1) / CSR_WARPS, blocks = groups + span_blocks;
    if (groups == 0) return cudaSuccess;
    const ahead_t early =
        ahead((uint64_t)A->cols * sizeof(S), (uint64_t)A->nnz * sizeof(int32_t), (uint64_t)A->nnz * sizeof(V), blocks);
    mixed_kernel<WIDTH, ITEMS, MIN_BLOCKS, V, O, S><<<blocks, CSR_THREADS, 0, (cudaStream_t)c->stream>>>(
        span_blocks, heavy, (uint32_t)A->rows, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, v,
        (uint32_t)A->cols, (O)A->nnz, early, s->cuts, s->limit, pieces_in<S>(s->scratch, s->warps));
    return cudaPeekAtLastError();
}

// Multiplies with lanes on each row; a lane loads 6 nonzeros at once.
template <typename V, typename O, typename S>
cudaError_t launch_width(unsigned width, uint32_t heavy, const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (width) {
    case 1: return launch<1, V, O, S>(heavy, s, A, c);
    case 2: return launch<2, V, O, S>(heavy, s, A, c);
    case 4: return launch<4, V, O, S>(heavy, s, A, c);
    case 8: return launch<8, V, O, S>(heavy, s, A, c);
    case 16: return launch<16, V, O, S>(heavy, s, A, c);
    default: return launch<32, V, O, S>(heavy, s, A, c);
    }
}

} // namespace

unsigned mixed_width(unsigned reach)
{
    unsigned width = 1;
    while (width < LANES && width * IN_FLIGHT < reach) width *= 2;
    return width;
}

cudaError_t mixed_run(unsigned width, uint32_t heavy, const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE_AND_OFFSETS(A, launch_width, width, heavy, s, A, c);
}
