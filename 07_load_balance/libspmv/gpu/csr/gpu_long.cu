/*
 * gpu_long.cu - no set-up, for long rows: cuts the nonzeros into equal pieces, one for each warp, all at once on the
 * GPU.
 *
 * A warp knows its nonzeros before it knows their row: it loads the first of them, then searches for the row (32 probes
 * at a time).  It takes one batch of 32 x IN_FLIGHT nonzeros after the other, and loads the next one while it waits for
 * x.  As long as no row ends, each lane keeps its own sum.  If a long row ends, the warp adds up the lanes' sums; if
 * short rows end, each lane takes one of them.  The pieces of a row are added up by the warp that finishes last.
 *
 * There are as many pieces as the GPU takes at once: for a few pieces more the GPU would work as long again.  Blocks
 * are small, so each SM has pieces from 16 places of the matrix.  If columns are near in some rows and far in others,
 * every SM then has rows of both kinds.
 */
#include "gpu_common.cuh"
#include "gpu_spans.h"

namespace {

enum { BLOCK = 64, WARPS = BLOCK / LANES, SHORT = 8 };

// Nonzeros of a lane in a batch, as many as the registers hold.
template <typename S> constexpr unsigned IN_FLIGHT = sizeof(S) == 8 ? 4 : 8;
template <typename S> constexpr unsigned BATCH = IN_FLIGHT<S> * LANES;

// Returns the row of nonzero nz.
template <typename O>
__device__ __forceinline__ uint32_t row_of(unsigned lane, O nz, uint32_t rows, const O *__restrict__ row_offsets)
{
    uint32_t low = 0, high = rows - 1;
#pragma unroll 1
    while (low < high) {
        const uint32_t step = (high - low + LANES - 2) / (LANES - 1), probe = low + min(lane * step, high - low);
        const unsigned hits = __ballot_sync(ALL_LANES, probe == high || row_offsets[probe + 1] > nz);
        const unsigned first = __ffs(hits) - 1; // the last lane probes `high`, so there is a hit
        const uint32_t below = __shfl_sync(ALL_LANES, probe, first ? first - 1 : 0);
        high = __shfl_sync(ALL_LANES, probe, first);
        if (first) low = below + 1;
    }
    return low;
}

// Loads the batch that begins at `at`.  A lane without a nonzero gets column -1 and value 0.
template <typename V, typename O, typename S>
__device__ __forceinline__ void load_next(items<IN_FLIGHT<S>, S> &next, O at, O to, unsigned lane,
                                          const int32_t *__restrict__ col_indices, const V *__restrict__ values)
{
    if (to - at >= BATCH<S>) {
        load<true>(next, (O)(at + lane), to, col_indices, values);
        return;
    }
#pragma unroll
    for (unsigned j = 0; j < IN_FLIGHT<S>; ++j) next.value[j] = 0;
    load<false>(next, (O)(at + lane), to, col_indices, values);
}

// Adds the piece of a row, whose sum is in lane 0; the row starts at nonzero `start` and ends before `end`.  Not
// inlined, because it is seldom needed and the code that a warp always runs should be short.
template <typename O, typename S>
__device__ __attribute__((noinline)) void finish_piece(pieces<S> scratch, O start, O end, uint32_t piece, unsigned warp,
                                                       S sum, uint32_t row, vectors<S> v)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t owner = (uint32_t)(start / piece), last = (uint32_t)((end - 1) / piece);
    S total;
    if (add_piece(lane, scratch, owner, warp - owner, last - owner + 1, sum, &total) && lane == 0)
        finish(&v.y[row], total, v.alpha, v.beta);
}

template <typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK, 16)
    long_kernel(uint32_t rows, O nnz, uint32_t piece, const O *__restrict__ row_offsets,
                const int32_t *__restrict__ col_indices, const V *__restrict__ values, vectors<S> v, pieces<S> scratch)
{
    __shared__ S shared[WARPS * BATCH<S>];
    S *const products = &shared[threadIdx.x / LANES * BATCH<S>];
    const unsigned lane = threadIdx.x % LANES, warp = (blockIdx.x * BLOCK + threadIdx.x) / LANES;
    if ((uint64_t)warp * piece >= nnz) return;
    const O from = (O)warp * piece, to = from + min((O)piece, nnz - from);
    items<IN_FLIGHT<S>, S> next;
    load_next(next, from, to, lane, col_indices, values);

    uint32_t row = warp ? row_of(lane, from, rows, row_offsets) : 0;
    O start = row_offsets[row];                         // first nonzero of the open row
    O ends = row_offsets[min(row + lane + 1, rows)];    // ends of the open row and the 31 rows after it
    S sum = 0;                                          // the lane's part of the open row's sum
    O at = from;
#pragma unroll 1
    while (true) {
        S product[IN_FLIGHT<S>], of_x[IN_FLIGHT<S>];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT<S>; ++j) {
            product[j] = next.value[j];
            of_x[j] = next.col[j] >= 0 ? __ldg(&v.x[next.col[j]]) : 0;
        }
        const O batch_end = at + min((O)BATCH<S>, to - at);
        if (batch_end < to) load_next(next, batch_end, to, lane, col_indices, values);
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT<S>; ++j) product[j] *= of_x[j];

        if (!__any_sync(ALL_LANES, row + lane < rows && ends <= batch_end)) { // the usual case
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT<S>; ++j) sum += product[j];
        } else {
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT<S>; ++j) products[j * LANES + lane] = product[j];
            __syncwarp(); // all products are written
            O begin = at; // the first product that is in no sum yet
#pragma unroll 1
            while (true) { // the rows that end in the batch, 32 at a time
                const bool ended = row + lane < rows && ends <= batch_end;
                const unsigned all = __ballot_sync(ALL_LANES, ended);
                if (!all) break;
                O above = __shfl_up_sync(ALL_LANES, ends, 1);
                if (lane == 0) above = begin;
                const bool alone = ended && lane > 0 && ends - above <= SHORT;
                if (alone) {
                    S mine = 0;
#pragma unroll 1
                    for (O nz = above; nz < ends; ++nz) mine += products[nz - at];
                    finish(&v.y[row + lane], mine, v.alpha, v.beta);
                }
#pragma unroll 1
                for (unsigned left = __ballot_sync(ALL_LANES, ended && !alone); left; left &= left - 1) {
                    const unsigned i = __ffs(left) - 1;
                    const O first = __shfl_sync(ALL_LANES, above, i), end = __shfl_sync(ALL_LANES, ends, i);
#pragma unroll 1
                    for (O nz = first + lane; nz < end; nz += LANES) sum += products[nz - at];
                    const S total = sum_warp(sum);
                    sum = 0;
                    if (i == 0 && start < from)
                        finish_piece(scratch, start, end, piece, warp, total, row, v); // the row's last piece
                    else if (lane == 0) finish(&v.y[row + i], total, v.alpha, v.beta);
                }
                const unsigned n = __popc(all);
                start = begin = __shfl_sync(ALL_LANES, ends, n - 1);
                row += n;
                ends = row_offsets[min(row + lane + 1, rows)];
            }
#pragma unroll 1
            for (O nz = begin + lane; nz < batch_end; nz += LANES) sum += products[nz - at];
            __syncwarp(); // all products are read
        }
        if (batch_end == to) break;
        at = batch_end;
    }

    const O end = __shfl_sync(ALL_LANES, ends, 0);
    if (start < to) finish_piece(scratch, start, end, piece, warp, sum_warp(sum), row, v); // the row goes on
}

template <typename V, typename O, typename S>
cudaError_t launch(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned blocks = (s->warps + WARPS - 1) / WARPS;
    long_kernel<V, O, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (O)A->nnz, s->cuts.span, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, v,
        pieces_in<S>(s->scratch, s->warps));
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t long_run(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE_AND_OFFSETS(A, launch, s, A, c);
}
