/*
 * gpu_span.cuh - how a warp multiplies its span of rows and nonzeros (gpu_spans.cu, gpu_mixed.cu).  Not installed.
 */
#ifndef SPMV_GPU_SPAN_CUH
#define SPMV_GPU_SPAN_CUH

#include "gpu_common.cuh"
#include "gpu_spans.h"

namespace {

// Return the place at which a warp's span begins, and the warp whose span has a place.
__device__ __forceinline__ uint64_t begin_of(cuts_t cuts, uint32_t warp)
{
    const uint32_t large = min(warp, cuts.large);
    return (uint64_t)large * cuts.span + (uint64_t)(warp - large) * cuts.small;
}
__device__ __forceinline__ uint32_t owner_of(cuts_t cuts, uint64_t place)
{
    const uint64_t behind = (uint64_t)cuts.large * cuts.span;
    return (uint32_t)(place < behind ? place / cuts.span : cuts.large + (place - behind) / cuts.small);
}

// A search that makes 32 probes at a time; the answer is in [low, high].
struct search_t {
    uint32_t low, high;
    int64_t probe;
    uint64_t place;
};

// Begins a search for which only [low, high] is known.
__device__ __forceinline__ search_t search_in(unsigned lane, uint64_t place, uint32_t low, uint32_t high)
{
    return search_t{low, high, (int64_t)low + (int64_t)lane * ((high - low + LANES - 1) / LANES), place};
}

// Begins a search near the row that an even matrix would have at the place.  The first probes are multiples of the
// step, so that neighbouring warps read the same offsets.
__device__ __forceinline__ search_t start_search(unsigned lane, uint64_t place, uint32_t rows, uint64_t places,
                                                 uint32_t step)
{
    const uint32_t guess = (uint32_t)((double)place * ((double)rows / (double)places));
    return search_t{0, rows, (int64_t)(guess / step * step) + ((int64_t)lane - LANES / 2) * step, place};
}

// Returns whether the row of this lane's probe, or its group of so many rows, starts at the place or later.
template <typename O>
__device__ __forceinline__ bool beyond(const search_t &s, const O *__restrict__ row_offsets, unsigned group = 1)
{
    if (s.probe >= (int64_t)s.high) return true;
    return s.probe >= 0 && (uint64_t)row_offsets[s.probe * group] + (uint64_t)s.probe * group >= s.place;
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

template <bool WHOLE, int ITEMS, typename S>
__device__ __forceinline__ void multiply(S product[ITEMS], const items<ITEMS, S> &t, const S *__restrict__ x)
{
#pragma unroll
    for (int j = 0; j < ITEMS; ++j) product[j] = WHOLE || t.col[j] >= 0 ? t.value[j] * __ldg(&x[t.col[j]]) : 0;
}

// Returns, in lane 0, the sum of a piece [from, to) of a row.
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

// ITEMS neighbouring products in shared memory.  A lane reads them after the warp has written the tile, and writes sums
// back.
template <typename S> struct alignas(16) wide {
    S v[16 / sizeof(S)];
};
template <int ITEMS, typename S>
__device__ __forceinline__ void own_items(S own[ITEMS], const S *products, unsigned lane)
{
    constexpr int WIDE = 16 / sizeof(S);
#pragma unroll
    for (int j = 0; j < ITEMS; j += WIDE) {
        const wide<S> w = *(const wide<S> *)&products[lane * ITEMS + j];
#pragma unroll
        for (int i = 0; i < WIDE; ++i) own[j + i] = w.v[i];
    }
}
template <int ITEMS, typename S>
__device__ __forceinline__ void put_items(S *products, const S own[ITEMS], unsigned lane)
{
    constexpr int WIDE = 16 / sizeof(S);
#pragma unroll
    for (int j = 0; j < ITEMS; j += WIDE) {
        wide<S> w;
#pragma unroll
        for (int i = 0; i < WIDE; ++i) w.v[i] = own[j + i];
        *(wide<S> *)&products[lane * ITEMS + j] = w;
    }
}

// Returns the sum that the lanes before this one add to the row in which this lane begins.  Each lane passes the sum of
// its products behind its last row end.  heads: the lanes whose predecessor has a row end.
template <typename S>
__device__ __forceinline__ S sum_before(unsigned lane, S before, unsigned heads)
{
    const unsigned reach =
        lane - (31 - __clz(heads & (ALL_LANES >> (31 - lane)))); // lanes to the left that have the same row
#pragma unroll
    for (unsigned s = 1; s < LANES; s *= 2) {
        const S more = __shfl_up_sync(ALL_LANES, before, s);
        if (reach >= s) before += more;
    }
    return before;
}

// ---- phases of the kernel ----

// Runs two searches side by side, so that the warp waits once for the probes of both.
template <typename O>
__device__ __forceinline__ void find_both(unsigned lane, search_t &a, search_t &b, const O *__restrict__ row_offsets,
                                          unsigned group = 1)
{
#pragma unroll 1
    while (a.low < a.high || b.low < b.high) {
        const bool a_beyond = beyond(a, row_offsets, group), b_beyond = beyond(b, row_offsets, group);
        narrow(a, lane, a_beyond);
        narrow(b, lane, b_beyond);
    }
}

// Adds this span's piece of a row that began in an earlier span; the span's own rows begin with `row`.
template <int ITEMS, typename V, typename O, typename S>
__device__ __forceinline__ void add_head(unsigned lane, uint32_t warp, cuts_t cuts, uint64_t limit, uint64_t begin,
                                         uint64_t end, uint32_t row, O start, const O *__restrict__ row_offsets,
                                         const int32_t *__restrict__ col_indices, const V *__restrict__ values,
                                         const vectors<S> &v, const pieces<S> &scratch)
{
    if (row > 0 && (uint64_t)start + row - 1 > begin) {
        const uint64_t head_end = (uint64_t)start + row - 1;
        const uint32_t owner = owner_of(cuts, (uint64_t)row_offsets[row - 1] + row - 1);
        if (head_end > begin_of(cuts, owner + 1) + limit) {
            const S sum = sum_piece<ITEMS>(lane, (O)(begin - (row - 1)), (O)(min(end, head_end) - (row - 1)),
                                           col_indices, values, v.x);
            S total;
            if (add_piece(lane, scratch, owner, warp - owner, owner_of(cuts, head_end - 1) - owner + 1, sum, &total) &&
                lane == 0)
                finish(&v.y[row - 1], total, v.alpha, v.beta);
        }
    }
}

// Computes the products of the tile at `at`; 0 for nonzeros before the first row of this warp, or behind its last.
template <int ITEMS, typename O, typename S>
__device__ __forceinline__ void multiply_tile(S product[ITEMS], const items<ITEMS, S> &tile, unsigned lane, O at,
                                              O start, O stop, const S *__restrict__ x)
{
    if (at + ITEMS * LANES <= stop) multiply<true>(product, tile, x);
    else multiply<false>(product, tile, x);
    if (at < start) {
#pragma unroll
        for (int j = 0; j < ITEMS; ++j)
            if (at + j * LANES + lane < start) product[j] = 0;
    }
}

// Sets a bit for every row end of the tile, 32 rows at a time; n of the first 32 end in it.  Returns the number of
// ends.
template <typename O>
__device__ __forceinline__ uint32_t mark_ends(unsigned lane, unsigned n, uint32_t row, uint32_t row_end, O ends, O at,
                                              O tile_end, const O *__restrict__ row_offsets, unsigned *end_bits)
{
    O window = ends;
    uint32_t whole = 0;
#pragma unroll 1
    while (true) {
        const unsigned k = (unsigned)(window - at) - 1; // the end of an empty row may lie before the tile
        if (lane < n && window > at) atomicOr(&end_bits[k / 32], 1u << k % 32);
        whole += n;
        if (n < LANES) break;
        window = row_offsets[min(row + whole + lane + 1, row_end)];
        n = __popc(__ballot_sync(ALL_LANES, row + whole + lane < row_end && window <= tile_end));
    }
    return whole;
}

// Turns the tile's products into running sums that start again behind every row's end, so that the product at a row's
// end becomes the row's sum.  carry: the sum of the open row, before the tile and after it.
template <int ITEMS, typename S>
__device__ __forceinline__ void sum_tile(unsigned lane, S *products, const unsigned *end_bits, S &carry)
{
    const unsigned bits = end_bits[lane * ITEMS / 32] >> lane * ITEMS % 32 & ((1u << ITEMS) - 1);
    S own[ITEMS];
    own_items<ITEMS>(own, products, lane);
#pragma unroll
    for (int j = 1; j < ITEMS; ++j)
        if (!(bits >> (j - 1) & 1u)) own[j] += own[j - 1];
    const unsigned have = __ballot_sync(ALL_LANES, bits != 0);
    const S behind = bits >> (ITEMS - 1) ? 0 : own[ITEMS - 1];
    S before = __shfl_up_sync(ALL_LANES, behind, 1);
    if (lane == 0) before = carry;
    before = sum_before(lane, before, have << 1 | 1u);
    carry = __shfl_sync(ALL_LANES, bits ? behind : behind + before, LANES - 1);
    const int first_end = bits ? __ffs(bits) - 1 : ITEMS;
#pragma unroll
    for (int j = 0; j < ITEMS; ++j)
        if (j <= first_end) own[j] += before;
    put_items<ITEMS>(products, own, lane);
}

// Stores the `whole` rows that end in the tile; the first of them begins, or goes on, at `from`.
template <typename O, typename S>
__device__ __forceinline__ void write_rows(unsigned lane, uint32_t row, uint32_t row_end, uint32_t whole, O ends, O at,
                                           O from, const O *__restrict__ row_offsets, const S *products,
                                           const vectors<S> &v)
{
    O window = ends;
#pragma unroll 1
    for (uint32_t first = 0; first < whole; first += LANES) {
        if (first) window = row_offsets[min(row + first + lane + 1, row_end)];
        O above = __shfl_up_sync(ALL_LANES, window, 1);
        if (lane == 0) above = from;
        if (first + lane < whole)
            finish(&v.y[row + first + lane], window > above ? products[window - at - 1] : (S)0, v.alpha, v.beta);
        from = __shfl_sync(ALL_LANES, window, LANES - 1);
    }
}

// Multiplies the rows [row, row_end) that start in this warp's span, or in the part [begin, end) of it, and the span's
// piece of the row before them.  products, end_bits: shared memory of the warp, ITEMS * LANES, and a bit for each.
template <int ITEMS, typename V, typename O, typename S>
__device__ __forceinline__ void run_span(unsigned lane, uint32_t warp, cuts_t cuts, uint64_t limit, uint64_t begin,
                                         uint64_t end, uint32_t row, uint32_t row_end, S *products, unsigned *end_bits,
                                         uint32_t rows, const O *__restrict__ row_offsets,
                                         const int32_t *__restrict__ col_indices, const V *__restrict__ values,
                                         const vectors<S> &v, const pieces<S> &scratch)
{
    constexpr unsigned TILE = ITEMS * LANES, WORDS = TILE / 32;
    O start = row_offsets[row], stop = row_offsets[row_end]; // the nonzeros of the warp's rows
    O ends = row_offsets[min(row + lane + 1, row_end)];      // ends of the first row and the 31 rows after it

    // The offsets are loaded at once, so that tiles of short rows need not wait for them (R-MAT: 6 %).
    if (lane == 0 && (uint64_t)rows * sizeof(O) <= AHEAD_MOST)
        ask_for_range(&row_offsets[row], &row_offsets[row_end + 1]);

    // The last row may reach into other spans.  It is cut if it reaches further than the limit.
    const uint64_t tail_end = (uint64_t)stop + row_end - 1; // the place of its end
    const bool cut_tail = row < row_end && tail_end > end + limit;
    if (cut_tail) stop = (O)(end - (row_end - 1));
    add_head<ITEMS>(lane, warp, cuts, limit, begin, end, row, start, row_offsets, col_indices, values, v, scratch);
    if (row == row_end) return;

    items<ITEMS, S> next;
    S carry = 0;        // of the row that is open, all of it, in every lane
    S carries = 0;      // ... and what the lanes have of it besides
    bool some = false;  // carries are not 0
    O at = start / LANES * LANES;
    load<false>(next, (O)(at + lane), stop, col_indices, values);
    while (true) {
        S product[ITEMS];
        multiply_tile<ITEMS>(product, next, lane, at, start, stop, v.x);
        const O tile_end = min((O)(at + TILE), stop);
        const unsigned n = __popc(__ballot_sync(ALL_LANES, row + lane < row_end && ends <= tile_end));
        if (n == 0) {
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) carries += product[j];
            some = true;
        } else {
#pragma unroll
            for (int j = 0; j < ITEMS; ++j) products[j * LANES + lane] = product[j];
            if (lane < WORDS) end_bits[lane] = 0;
        }
        if (at + 2 * TILE <= stop) load<true>(next, (O)(at + TILE + lane), stop, col_indices, values);
        else if (at + TILE < stop) load<false>(next, (O)(at + TILE + lane), stop, col_indices, values);
        if (n) {
            if (some) {
                carry += __shfl_sync(ALL_LANES, sum_warp(carries), 0);
                carries = 0;
                some = false;
            }
            __syncwarp();
            const uint32_t whole = mark_ends(lane, n, row, row_end, ends, at, tile_end, row_offsets, end_bits);
            __syncwarp();
            sum_tile<ITEMS>(lane, products, end_bits, carry);
            __syncwarp();
            write_rows(lane, row, row_end, whole, ends, at, max(start, at), row_offsets, products, v);
            row += whole;
            ends = row_offsets[min(row + lane + 1, row_end)];
            start = at; // nothing stands before the first row any more
            __syncwarp();
        }
        at += TILE;
        if (at >= stop) break;
    }

    if (cut_tail) {
        const S sum = sum_warp(carries) + carry;
        S total;
        if (add_piece(lane, scratch, warp, 0, owner_of(cuts, tail_end - 1) - warp + 1, sum, &total) && lane == 0)
            finish(&v.y[row_end - 1], total, v.alpha, v.beta);
    }
}

} // namespace

#endif
