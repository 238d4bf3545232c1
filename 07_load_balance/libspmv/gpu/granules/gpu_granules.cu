/*
 * gpu_granules.cu - y = alpha A x + beta y, A in granules: 4 nonzeros of one row, which a thread loads at once.
 *
 * In a slice, rows of uneven length leave lanes without work, and a slice of few nonzeros has few loads at once.  Here
 * all blocks have equally many granules, whatever the lengths of the rows, and the address of a granule follows from
 * its number alone.  So a thread starts all its loads at once, and waits twice: for these, and for x.
 *
 *   products   a thread multiplies its granules by x; each granule's sum goes to shared memory
 *   rows       a thread reads 3 consecutive sums; a bit for each granule says whether it ends a row
 *   scan       the sum behind a thread's last row end is carried over the lanes of a warp, then over the warps of the
 *              block, to the next row end
 *   pieces     the last of the blocks that share a row adds up their sums (gpu_common.cuh)
 *
 * A block begins where a row begins if that is near its equal share; so few rows are shared.  Rows are padded to whole
 * granules with holes, which are not multiplied: Inf and NaN in x stay where they belong.  Sums are always added in the
 * same order.
 *
 * After W. Liu and B. Vinter, CSR5 (ICS 2015): equal shares of nonzeros, row ends as bits, a segmented scan.
 */
#include "gpu_granules.cuh"

namespace {

enum { WARPS = GRANULE_THREADS / LANES, PER = GRANULES_PER_THREAD };
#define NO_ROW 0xffffffffu

struct granule_arrays {
    const granule_block_t *records;
    const uint32_t *warp_rows;
    const uint16_t *marks;
    const uint32_t *columns;
    share_t early;
};

// The columns of a granule, counted from the block's base.
template <int BYTES> struct columns_of {
    uint32_t words[BYTES / 4];

    __device__ __forceinline__ void load(const uint32_t *from)
    {
        if constexpr (BYTES == 12)
            for (int w = 0; w < BYTES / 4; ++w) words[w] = load_now(&from[w * LANES]);
        else load_words_now(words, from);
    }
    __device__ __forceinline__ uint32_t operator[](int k) const
    {
        if constexpr (BYTES == 16) return words[k];
        if constexpr (BYTES == 12) {
            if (k == 3) return words[2] >> 8;
            return (k ? __funnelshift_r(words[k - 1], words[k], 32 - 8 * k) : words[0]) & 0xffffffu;
        }
        if constexpr (BYTES == 8) return words[k / 2] >> 16 * (k % 2) & 0xffffu;
        const uint32_t first = words[0] & ((1u << FIRST_BITS) - 1);
        return k == 0 ? first : first + (uint32_t)((int32_t)(words[0] << NEAR_BITS * (3 - k)) >> (32 - NEAR_BITS));
    }
};

// The values of a granule, as they are stored.
template <typename V, typename S> struct values_of {
    enum { AT_ONCE = GRANULE * 4 / sizeof(S), WORDS = AT_ONCE * sizeof(V) / 4 };
    uint32_t words[GRANULE / AT_ONCE][WORDS];

    __device__ __forceinline__ void load(const V *from)
    {
#pragma unroll
        for (int h = 0; h < GRANULE / AT_ONCE; ++h) load_words_now(words[h], from + h * (LANES * AT_ONCE));
    }
    __device__ __forceinline__ S value(int k) const
    {
        V v;
        memcpy(&v, (const char *)words[k / AT_ONCE] + k % AT_ONCE * sizeof(V), sizeof v);
        return widen(v);
    }
};

// Loads all 4 elements of x before it uses one.
template <int BYTES, typename V, typename S>
__device__ __forceinline__ S dot(const columns_of<BYTES> &columns, const values_of<V, S> &values, uint32_t base,
                                 const S *__restrict__ x)
{
    S of_x[GRANULE], sum = 0;
#pragma unroll
    for (int k = 0; k < GRANULE; ++k) of_x[k] = __ldg(&x[base + columns[k]]);
#pragma unroll
    for (int k = 0; k < GRANULE; ++k)
        if (!is_hole(values.value(k))) sum += values.value(k) * of_x[k];
    return sum;
}

// Returns the sum that lanes before this one leave open, back to the last row end.  `ends`: the lanes with row ends.
// *open becomes the sum that this lane leaves open.
template <typename S> __device__ __forceinline__ S scan_open(S *open, unsigned ends, unsigned lane)
{
    const unsigned own = ends & ((2u << lane) - 1);
    const unsigned since = own ? lane - (31 - __clz((int)own)) : lane; // lanes back to where its row begins
#pragma unroll
    for (unsigned s = 1; s < LANES; s *= 2) {
        const S before = __shfl_up_sync(ALL_LANES, *open, s);
        if (since >= s) *open += before;
    }
    const S before = __shfl_up_sync(ALL_LANES, *open, 1);
    return lane ? before : 0;
}

// The sums that the warps of a block have not yet written, because their last rows end in a later warp or block.
template <typename S> struct shared_sums {
    S open[WARPS], head; // head: the sum of a first row that begins in an earlier block
    unsigned ends[WARPS];

    __device__ __forceinline__ S before(unsigned warp) const // sums back to the last row end before this warp
    {
        S sum = 0;
        while (warp-- > 0) {
            sum += open[warp];
            if (ends[warp]) break;
        }
        return sum;
    }
};

// Finishes the rows that this block shares with others.  Not inlined, because few blocks have such rows.
template <typename S>
static __device__ __attribute__((noinline)) void add_shared(const shared_sums<S> *sums, uint32_t head_blocks,
                                                            uint32_t tail_blocks, uint32_t first,
                                                            const uint32_t *warp_rows, S *left, vectors<S> v)
{
    const unsigned lane = threadIdx.x % LANES, warps = blockDim.x / LANES;
    const uint32_t block = blockIdx.x;
    __syncthreads(); // sums->head is written
    if (threadIdx.x >= LANES) return;
    S open = sums->before(warps);
    if (tail_blocks) add_in_order(lane, left, block, 0, tail_blocks, &open); // a later block finishes its last row
    if (head_blocks) {
        unsigned any = 0;
        for (unsigned w = 0; w < warps; ++w) any |= sums->ends[w];
        S total = any ? sums->head : open;
        if (add_in_order(lane, left, first, block - first, head_blocks, &total) && lane == 0)
            finish(&v.y[warp_rows[block * warps]], total, v.alpha, v.beta);
    }
}

template <int BYTES, typename V, typename S>
__global__ void __launch_bounds__(GRANULE_THREADS, BLOCKS_OF_256(6))
    granules_kernel(granule_arrays a, const V *__restrict__ values, vectors<S> v, S *left)
{
    __shared__ S dots[GRANULE_SLOTS];
    __shared__ shared_sums<S> sums;
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const uint32_t warp_of_all = blockIdx.x * (blockDim.x / LANES) + warp;
    const uint32_t first = warp_of_all * GRANULES_PER_WARP + lane; // its slots: first, first + 32, ...
    if (threadIdx.x == 0) ask_for_share(v.x, a.early);
    columns_of<BYTES> columns[PER];
    values_of<V, S> value[PER];
    const uint32_t *const column_at = a.columns + column_place((uint64_t)first, BYTES);
    const V *const value_at = values + value_place((uint64_t)first, 0, values_of<V, S>::AT_ONCE);
#pragma unroll
    for (int j = 0; j < PER; ++j) columns[j].load(column_at + j * (LANES * BYTES / 4));
    uint32_t r[4]; // base, head_blocks, tail_blocks, head_first
    load_words_now(r, &a.records[blockIdx.x]);
#pragma unroll
    for (int j = 0; j < PER; ++j) value[j].load(value_at + j * (LANES * GRANULE));
    const unsigned marks = load_now(&a.marks[blockIdx.x * blockDim.x + threadIdx.x]);
    uint32_t row = load_now(&a.warp_rows[warp_of_all]);

    S *const of_warp = dots + warp * GRANULES_PER_WARP;
#pragma unroll
    for (int j = 0; j < PER; ++j) of_warp[j * LANES + lane] = dot(columns[j], value[j], r[0], v.x);
    __syncwarp();

    S sum[PER], open = 0;
#pragma unroll
    for (int j = 0; j < PER; ++j) {
        sum[j] = of_warp[lane * PER + j];
        open = marks >> j & 1u ? 0 : open + sum[j];
    }
    const bool ends = marks & ((1u << PER) - 1);
    const unsigned enders = __ballot_sync(ALL_LANES, ends);
    S before = scan_open(&open, enders, lane);
    if (lane == LANES - 1) {
        sums.open[warp] = open;
        sums.ends[warp] = enders;
    }
    __syncthreads(); // sums.open is written
    if (ends && !(enders & ((1u << lane) - 1))) before += sums.before(warp);
    row += marks >> PER;
    const uint32_t head_row = r[1] ? a.warp_rows[warp_of_all - warp] : NO_ROW;
#pragma unroll
    for (int j = 0; j < PER; ++j) {
        before += sum[j];
        if (!(marks >> j & 1u)) continue;
        if (row == head_row) sums.head = before;
        else finish(&v.y[row], before, v.alpha, v.beta);
        ++row;
        before = 0;
    }
    if (r[1] || r[2]) add_shared(&sums, r[1], r[2], r[3], a.warp_rows, left, v);
}

template <int BYTES, typename V, typename S>
cudaError_t launch(const granules_t *g, const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const granule_arrays a = {g->records, g->warp_rows, g->marks, g->columns, x_share<S>(A, c, g->blocks)};
    granules_kernel<BYTES, V, S><<<g->blocks, g->warps * LANES, 0, (cudaStream_t)c->stream>>>(
        a, (const V *)g->values, v, (S *)g->left_sums);
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t launch_any(const granules_t *g, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (g->column_bytes) {
    case 4: return launch<4, V, S>(g, A, c);
    case 8: return launch<8, V, S>(g, A, c);
    case 12: return launch<12, V, S>(g, A, c);
    default: return launch<16, V, S>(g, A, c);
    }
}

} // namespace

cudaError_t granules_run(const granules_t *g, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_TYPE(A->value_type, launch_any, g, A, c);
}
