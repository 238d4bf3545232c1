/*
 * gpu_spans.cu - no set-up: puts rows and nonzeros on one line and cuts it into equal spans, one for each warp.
 *
 * The line has a place for each nonzero and, after the last nonzero of a row, one for the row's end: rows + nnz places.
 * A warp finds the first row that starts in its span (32 probes at a time, the first around the row that an even matrix
 * would have there) and takes all rows that start in the span, to their ends.  Only a row that reaches more than
 * `limit` places into other spans is cut at their borders; the warp that finishes last adds up its pieces.  No warp
 * waits for another, and no warp writes a row of another.
 *
 * A warp takes tiles of 32 x ITEMS nonzeros and loads the next tile while it works on one.  It writes the products to
 * its own shared memory; each lane reads ITEMS neighbouring ones and adds them up, from the beginning again behind
 * every row's end; then the sums are added up over the lanes.  The time does not depend on the lengths of the rows.
 *
 * Equal spans do not take equally long, because x is near in one place and far in another.  So the last fifth of a long
 * line may be cut into small spans (OpenMP calls such a schedule guided), more than the GPU runs at once: a warp that
 * finishes early takes another span.
 *
 * After D. Merrill and M. Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication (SC 2016): the line of
 * nonzeros and rows that is cut into equal parts.
 */
#include "gpu_span.cuh"

namespace {

template <int ITEMS, int MIN_BLOCKS, typename V, typename O, typename S>
__global__ void __launch_bounds__(CSR_THREADS, MIN_BLOCKS)
    spans_kernel(uint32_t rows, O nnz, cuts_t cuts, uint64_t limit, const O *__restrict__ row_offsets,
                 const int32_t *__restrict__ col_indices, const V *__restrict__ values, vectors<S> v, pieces<S> scratch)
{
    constexpr unsigned TILE = ITEMS * LANES, WORDS = TILE / 32;
    __shared__ __align__(16) S shared[CSR_WARPS * TILE];
    __shared__ unsigned ends_shared[CSR_WARPS * WORDS];
    const unsigned lane = threadIdx.x % LANES, warp = (blockIdx.x * CSR_THREADS + threadIdx.x) / LANES;
    const uint64_t places = (uint64_t)rows + nnz, begin = begin_of(cuts, warp),
                   end = min(begin_of(cuts, warp + 1), places);
    if (begin >= places) return;

    const uint32_t step = rows / 1024 + 1;
    search_t first = start_search(lane, begin, rows, places, step), next = start_search(lane, end, rows, places, step);
    find_both(lane, first, next, row_offsets);
    run_span<ITEMS>(lane, warp, cuts, limit, begin, end, first.low, next.low, &shared[threadIdx.x / LANES * TILE],
                    &ends_shared[threadIdx.x / LANES * WORDS], rows, row_offsets, col_indices, values, v, scratch);
}

template <typename V, typename O, typename S>
cudaError_t launch(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    // Measured: half of an SM's warps, and as many loads at once as their registers hold.
    constexpr int ITEMS = sizeof(S) == 8 ? 4 : 8, MIN_BLOCKS = 4;
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const pieces<S> scratch = pieces_in<S>(s->scratch, s->warps);
    const unsigned blocks = (s->warps + CSR_WARPS - 1) / CSR_WARPS;
    spans_kernel<ITEMS, MIN_BLOCKS, V, O, S><<<blocks, CSR_THREADS, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (O)A->nnz, s->cuts, s->limit, (const O *)A->row_offsets, A->col_indices,
        (const V *)A->values, v, scratch);
    return cudaPeekAtLastError();
}

} // namespace

size_t spans_scratch_bytes(uint32_t warps, spmv_type_t type)
{
    return pieces_bytes(warps, vector_size(type));
}

cudaError_t spans_run(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE_AND_OFFSETS(A, launch, s, A, c);
}
