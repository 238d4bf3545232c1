/*
 * gpu_spans.cu - no set-up: rows and nonzeros laid on one line, cut into equal spans, a warp to each.
 *
 * On the line stands each nonzero and, after the last of a row, the row's end: rows + nnz places.  A warp finds the
 * first row that starts in its span (32 probes at a time, the first around the row that an even matrix would have
 * there) and takes all rows that start there, whole.  Only a row that reaches more than `limit` places into other
 * spans is cut at their borders; its pieces are added up by whoever finishes last.  No warp waits for another, and
 * nobody writes a row of somebody else.
 *
 * Then a tile of 32 x ITEMS nonzeros at a time: products into the warp's own shared memory, and as many lanes to each
 * row as there are to spare, while the next tile is loaded and the one after it is asked for.  The cost does not
 * depend on how long the rows are, or how uneven.
 *
 * After D. Merrill and M. Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication (SC 2016): the line of
 * nonzeros and rows that is cut into equal parts.
 */
#include "gpu_spans.h"

#include "gpu_common.cuh"

namespace {

enum { BLOCK = 256, WARPS = BLOCK / LANES };

// A search by 32 probes at a time: the answer is in [low, high].
struct search_t {
    uint32_t low, high;
    int64_t probe;
    uint64_t place;
};

// The first probes surround the row that an even matrix would have there.  They are multiples of the step, so that
// warps next to each other read the same offsets.
__device__ __forceinline__ search_t start_search(unsigned lane, uint64_t place, uint32_t rows, uint64_t places)
{
    const uint32_t guess = (uint32_t)((double)place * ((double)rows / (double)places)), step = rows / 1024 + 1;
    return search_t{0, rows, (int64_t)(guess / step * step) + ((int64_t)lane - LANES / 2) * step, place};
}

// True where the row of this lane's probe starts at the place or later.
template <typename O>
__device__ __forceinline__ bool beyond(const search_t &s, const O *__restrict__ row_offsets)
{
    if (s.probe >= (int64_t)s.high) return true;
    return s.probe >= 0 && (uint64_t)row_offsets[s.probe] + (uint64_t)s.probe >= s.place;
}

__device__ __forceinline__ void narrow(search_t &s, unsigned lane, bool is_beyond)
{
    const unsigned hits = __ballot_sync(ALL_LANES, is_beyond), f = hits ? __ffs(hits) - 1 : LANES;
    const int64_t below = __shfl_sync(ALL_LANES, s.probe, f ? f - 1 : 0);
    const int64_t at = __shfl_sync(ALL_LANES, s.probe, f < LANES ? f : LANES - 1);
    if (f > 0 && below >= (int64_t)s.low) s.low = (uint32_t)(below + 1);
    if (f < LANES && at < (int64_t)s.high) s.high = at > (int64_t)s.low ? (uint32_t)at : s.low;
    s.probe = (int64_t)s.low + (int64_t)lane * ((s.high - s.low + LANES - 1) / LANES);
}

// Shared memory with a hole after every 32 words: rows of 32 then start in different banks.
__device__ __forceinline__ unsigned slot(unsigned k) { return k + k / 32; }

// What a lane has of a tile.
template <int ITEMS, typename S> struct items {
    int32_t col[ITEMS];
    S value[ITEMS];
};

// A tile that is all there needs no questions: WHOLE.
template <bool WHOLE, int ITEMS, typename V, typename O, typename S>
__device__ __forceinline__ void load(items<ITEMS, S> &t, O first, O end, const int32_t *__restrict__ col_indices,
                                     const V *__restrict__ values)
{
#pragma unroll
    for (int j = 0; j < ITEMS; ++j) {
        const O nz = first + j * LANES;
        if (!WHOLE) t.col[j] = -1;
        if (WHOLE || nz < end) {
            t.col[j] = __ldcs(&col_indices[nz]);
            t.value[j] = load_value(&values[nz]);
        }
    }
}

template <bool WHOLE, int ITEMS, typename S>
__device__ __forceinline__ void multiply(S product[ITEMS], const items<ITEMS, S> &t, const S *__restrict__ x)
{
#pragma unroll
    for (int j = 0; j < ITEMS; ++j) product[j] = WHOLE || t.col[j] >= 0 ? t.value[j] * __ldg(&x[t.col[j]]) : 0;
}

// A piece [from, to) of a row: its sum, in lane 0.
template <int ITEMS, typename V, typename O, typename S>
__device__ __forceinline__ S sum_piece(unsigned lane, O from, O to, const int32_t *__restrict__ col_indices,
                                       const V *__restrict__ values, const S *__restrict__ x)
{
    S sum = 0;
#pragma unroll 1
    for (O nz = from + lane; nz < to; nz += ITEMS * LANES) {
        items<ITEMS, S> t;
        S product[ITEMS];
        load<false>(t, nz, to, col_indices, values);
        multiply<false>(product, t, x);
#pragma unroll
        for (int j = 0; j < ITEMS; ++j) sum += product[j];
    }
    return sum_warp(sum);
}

// The sum of products[from], from + stride, ... before `to`: four on the way at a time.
template <typename S>
__device__ __forceinline__ S sum_products(const S *products, unsigned from, unsigned to, unsigned stride)
{
    S sum = 0;
#pragma unroll 1
    for (unsigned k = from; k < to; k += 4 * stride) {
        S part[4];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) part[j] = k + j * stride < to ? products[slot(k + j * stride)] : 0;
        sum += part[0] + part[1] + (part[2] + part[3]);
    }
    return sum;
}

template <int ITEMS, int MIN_BLOCKS, typename V, typename O, typename S>
__global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    spans_kernel(uint32_t rows, O nnz, uint32_t span, uint32_t limit, const O *__restrict__ row_offsets,
                 const int32_t *__restrict__ col_indices, const V *__restrict__ values, vectors<S> v, pieces<S> scratch)
{
    constexpr unsigned TILE = ITEMS * LANES;
    __shared__ S shared[WARPS * (TILE + TILE / 32)];
    S *products = &shared[threadIdx.x / LANES * (TILE + TILE / 32)];
    const unsigned lane = threadIdx.x % LANES, warp = (blockIdx.x * BLOCK + threadIdx.x) / LANES;
    const uint64_t places = (uint64_t)rows + nnz, begin = (uint64_t)warp * span, end = min(begin + span, places);
    if (begin >= places) return;

    // The first row of this span and the first of the next, side by side: one wait for two probes.
    search_t a = start_search(lane, begin, rows, places), b = start_search(lane, end, rows, places);
#pragma unroll 1
    while (a.low < a.high || b.low < b.high) {
        const bool a_beyond = beyond(a, row_offsets), b_beyond = beyond(b, row_offsets);
        narrow(a, lane, a_beyond);
        narrow(b, lane, b_beyond);
    }
    uint32_t row = a.low;
    const uint32_t row_end = b.low;
    O start = row_offsets[row], stop = row_offsets[row_end]; // of the nonzeros this warp has
    O ends = row_offsets[min(row + lane + 1, row_end)];      // of the first row and the 31 after it

    // The last row may reach into other spans: is it cut?
    const uint64_t tail_end = (uint64_t)stop + row_end - 1; // the place of its end
    const bool cut_tail = row < row_end && tail_end > end + limit;
    if (cut_tail) stop = (O)(end - (row_end - 1));

    // A piece of a row that was cut before this span.
    if (row > 0 && (uint64_t)start + row - 1 > begin) {
        const uint64_t head_end = (uint64_t)start + row - 1;
        const uint32_t owner = (uint32_t)(((uint64_t)row_offsets[row - 1] + row - 1) / span);
        if (head_end > (uint64_t)(owner + 1) * span + limit) {
            const S sum = sum_piece<ITEMS>(lane, (O)(begin - (row - 1)), (O)(min(end, head_end) - (row - 1)),
                                           col_indices, values, v.x);
            S total;
            if (add_piece(lane, scratch, owner, warp - owner, (uint32_t)((head_end - 1) / span) - owner + 1, sum, &total) &&
                lane == 0)
                finish(&v.y[row - 1], total, v.alpha, v.beta);
        }
    }
    if (row == row_end) return;

    items<ITEMS, S> next;
    S product[ITEMS];
    S carry = 0; // of the row that is open, lane by lane
    O at = start / LANES * LANES;
    load<false>(next, (O)(at + lane), stop, col_indices, values);
    while (true) {
        if (at + TILE <= stop) multiply<true>(product, next, v.x);
        else multiply<false>(product, next, v.x);
        if (at + 2 * TILE <= stop) load<true>(next, (O)(at + TILE + lane), stop, col_indices, values);
        else if (at + TILE < stop) load<false>(next, (O)(at + TILE + lane), stop, col_indices, values);
        if (at < start) { // before the first row of this warp
#pragma unroll
            for (int j = 0; j < ITEMS; ++j)
                if (at + j * LANES + lane < start) product[j] = 0;
        }
        const O tile_end = min((O)(at + TILE), stop);
        unsigned whole = __popc(__ballot_sync(ALL_LANES, row + lane < row_end && ends <= tile_end));
        if (whole) {
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) products[slot(j * LANES + lane)] = product[j];
            carry = sum_warp(carry);
            __syncwarp();
            O from = max(start, at);
            do {
                // Rows that end here, shared out to the lanes.
                unsigned width = LANES;
                while (width * whole > LANES) width /= 2;
                const unsigned i = lane / width, sub = lane % width;
                const O seg_end = __shfl_sync(ALL_LANES, ends, i);
                O seg_start = __shfl_sync(ALL_LANES, ends, i ? i - 1 : 0);
                if (i == 0) seg_start = from;
                S sum = i == 0 && sub == 0 ? carry : 0;
                if (i < whole) sum += sum_products(products, (unsigned)(seg_start - at) + sub, (unsigned)(seg_end - at), width);
                sum = sum_lanes(sum, width);
                if (sub == 0 && i < whole) finish(&v.y[row + i], sum, v.alpha, v.beta);
                carry = 0;
                from = __shfl_sync(ALL_LANES, ends, whole - 1);
                row += whole;
                ends = row_offsets[min(row + lane + 1, row_end)];
                whole = __popc(__ballot_sync(ALL_LANES, row + lane < row_end && ends <= tile_end));
            } while (whole);
            // What is left belongs to the row that is open now.
            start = from;
            carry = sum_products(products, (unsigned)(from - at) + lane, (unsigned)(tile_end - at), LANES);
            __syncwarp();
        } else {
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) carry += product[j];
        }
        at += TILE;
        if (at >= stop) break;
    }

    if (cut_tail) {
        const S sum = sum_warp(carry);
        S total;
        if (add_piece(lane, scratch, warp, 0, (uint32_t)((tail_end - 1) / span) - warp + 1, sum, &total) && lane == 0)
            finish(&v.y[row_end - 1], total, v.alpha, v.beta);
    }
}

template <typename V, typename O, typename S>
cudaError_t launch(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    // As much in flight as leaves room for 32 warps on an SM.
    constexpr int ITEMS = sizeof(S) == 8 ? 4 : 8, MIN_BLOCKS = 4;
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const pieces<S> scratch = pieces_in<S>(s->scratch, s->warps);
    const unsigned blocks = (s->warps + WARPS - 1) / WARPS;
    spans_kernel<ITEMS, MIN_BLOCKS, V, O, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, (O)A->nnz, s->span, s->limit, (const O *)A->row_offsets, A->col_indices,
        (const V *)A->values, v, scratch);
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t launch_offsets(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    return A->offset_bits == 64 ? launch<V, uint64_t, S>(s, A, c) : launch<V, uint32_t, S>(s, A, c);
}

} // namespace

size_t spans_scratch_bytes(uint32_t warps, spmv_type_t type)
{
    return pieces_bytes(warps, vector_size(type));
}

cudaError_t spans_run(const spans_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (A->value_type) {
    case SPMV_F32: return launch_offsets<float, float>(s, A, c);
    case SPMV_F64: return launch_offsets<double, double>(s, A, c);
    case SPMV_F16: return launch_offsets<fp16, float>(s, A, c);
    case SPMV_BF16: return launch_offsets<bf16, float>(s, A, c);
    }
    return cudaErrorInvalidValue;
}
