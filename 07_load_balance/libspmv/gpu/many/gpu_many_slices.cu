/*
 * gpu_many_slices.cu - several right-hand sides in column-major order, for a plan with slices of 32 consecutive rows.
 *
 * A lane has a row, as for one vector, and a sum for each of AT_ONCE columns.  Neighbouring lanes read neighbouring
 * elements of a column of X, so X is not transposed, Y is stored directly, and the plan's narrow columns of A are used.
 * For more columns than AT_ONCE the warp reads its slice again, from L1 or L2.  The terms of a sum are added in the
 * order of gpu_slices_in_order.cu, part by part if a team shares a slice, so the bits are those of a product for each
 * column.
 */
#include "gpu_many.cuh"
#include "gpu_slices_steps.cuh"

namespace {

// AT_ONCE columns of X, or the remaining `count`.
template <int AT_ONCE, typename S> struct some_columns {
    const S *x;
    int64_t apart;
    int count;

    __device__ __forceinline__ void load(S (&to)[AT_ONCE], uint32_t row) const
    {
        const S *from = x + row;
#pragma unroll
        for (int c = 0; c < AT_ONCE; ++c, from += apart)
            if (c < count) to[c] = __ldg(from);
    }
};

template <int KIND, int AT_ONCE, int IN_FLIGHT, typename V, typename S>
__device__ __forceinline__ void add_steps(S (&sums)[AT_ONCE], const unsigned char *__restrict__ at,
                                          const V *__restrict__ values, const some_columns<AT_ONCE, S> &x,
                                          uint32_t steps, share_of_steps s, unsigned lane, uint32_t base,
                                          const S *table)
{
    columns_t<KIND> columns(at, steps, lane);
    columns.advance(s.first);
    values += (uint64_t)s.first * LANES + lane;
#pragma unroll 1
    for (uint32_t k = 0; k < s.count; k += IN_FLIGHT) {
        uint32_t col[IN_FLIGHT];
        V value[IN_FLIGHT];
        S of_x[IN_FLIGHT][AT_ONCE];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = NONE_32;
            if (j < s.count - k) {
                col[j] = columns.column(j, lane, base);
                value[j] = load_stored(&values[j * LANES]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] != NONE_32) x.load(of_x[j], col[j]);
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] != NONE_32)
#pragma unroll
                for (int c = 0; c < AT_ONCE; ++c)
                    if (c < x.count) sums[c] += number(value[j], table) * of_x[j][c];
        columns.advance(IN_FLIGHT);
        values += IN_FLIGHT * LANES;
    }
}

// Multiplies diagonals, some of which have their values in another slice (gpu_slices_pairs.cu).
template <int AT_ONCE, typename V, typename S>
__device__ __forceinline__ void add_pairs(S (&sums)[AT_ONCE], const uint4 *__restrict__ pairs,
                                          const V *__restrict__ values, const some_columns<AT_ONCE, S> &x,
                                          uint32_t steps, unsigned lane, uint32_t row)
{
#pragma unroll 2
    for (uint32_t k = 0; k < steps; ++k) {
        const uint4 pair = __ldg(&pairs[k]);
        if (pair.y >> lane & 1u) {
            S of_x[AT_ONCE];
            const V value = __ldg(&values[pair_place(pair, lane)]);
            x.load(of_x, row + pair.x);
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c)
                if (c < x.count) sums[c] += (S)value * of_x[c];
        }
    }
}

template <int AT_ONCE, int IN_FLIGHT, bool PAIRS, typename V, typename S>
__global__ void __launch_bounds__(BLOCK, BLOCKS_OF_256(4))
    many_slices_kernel(uint32_t rows, in_order_arrays a, const V *__restrict__ all_values, columns<S> m)
{
    __shared__ S table[HAS_TABLE<V> ? TABLE_MOST : 1];
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = blockIdx.x * (BLOCK / LANES) + threadIdx.x / LANES;
    if constexpr (HAS_TABLE<V>) {
        for (uint32_t i = threadIdx.x; i < a.table_count; i += BLOCK) table[i] = ((const S *)a.table)[i];
        __syncthreads();
    }
    if (slice >= a.count) return;
    const uint4 r = a.records[slice];
    const slice_meta s = unpack_meta(r.w);
    const uint32_t row = r.z + lane;
    const unsigned char *at = a.columns + (uint64_t)r.y * 32;
    const uint32_t start = PAIRS && s.kind != SLICE_DIAGONALS && s.steps ? a.pairs[r.x].z / LANES : r.x;
    const V *values = all_values + (uint64_t)start * LANES;
#pragma unroll 1
    for (int first = 0; first < m.k; first += AT_ONCE) {
        const some_columns<AT_ONCE, S> x = {m.x + first * m.x_column, m.x_column, m.k - first};
        S sums[AT_ONCE] = {};
#pragma unroll 1
        for (uint32_t p = 0; p < 1u << a.team_log2 && m.alpha != 0; ++p) {
            const share_of_steps part = share_of(s.steps, p, a.team_log2);
            S some[AT_ONCE] = {};
            switch (s.kind) {
            case SLICE_DIAGONALS:
                if constexpr (PAIRS)
                    add_pairs(some, a.pairs + r.x + part.first, all_values, x, part.count, lane, row);
                else
                    add_steps<SLICE_DIAGONALS, AT_ONCE, IN_FLIGHT>(some, at, values, x, s.steps, part, lane, row,
                                                                   table);
                break;
            case SLICE_8:
                add_steps<SLICE_8, AT_ONCE, IN_FLIGHT>(some, at, values, x, s.steps, part, lane, 0, table);
                break;
            case SLICE_16:
                add_steps<SLICE_16, AT_ONCE, IN_FLIGHT>(some, at, values, x, s.steps, part, lane,
                                                        (uint32_t)a.bases[slice], table);
                break;
            default: add_steps<SLICE_32, AT_ONCE, IN_FLIGHT>(some, at, values, x, s.steps, part, lane, 0, table); break;
            }
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c) sums[c] = p ? sums[c] + some[c] : some[c];
        }
        if (row < rows)
#pragma unroll
            for (int c = 0; c < AT_ONCE; ++c)
                if (c < x.count) finish(&m.y[row + (first + c) * m.y_column], sums[c], m.alpha, m.beta);
    }
}

template <int AT_ONCE, int IN_FLIGHT, bool PAIRS, typename V, typename S>
cudaError_t start(const slices_t *s, const gpu_csr_t *A, const gpu_many_t *c)
{
    const columns<S> all = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y, 1, c->ldx, 1, c->ldy, c->k, false};
    const in_order_arrays a = {s->records, s->bases, s->columns, s->count, 0, 0, 0, {0, 0, 0}, s->table,
                               s->table_count, s->pairs, s->team_log2};
    const unsigned per_block = BLOCK / LANES, blocks = (s->count - 1) / per_block + 1;
    many_slices_kernel<AT_ONCE, IN_FLIGHT, PAIRS, V, S><<<blocks, BLOCK, 0, (cudaStream_t)c->stream>>>(
        (uint32_t)A->rows, a, (const V *)s->values, all);
    return cudaPeekAtLastError();
}

// Measured with 8 and 32 columns: 16 at once need registers with which more warps could wait.
template <bool PAIRS, typename V, typename S>
cudaError_t launch_columns(const slices_t *s, const gpu_csr_t *A, const gpu_many_t *c)
{
    constexpr int IN_FLIGHT = sizeof(S) == 8 ? 1 : 2;
    if (c->k <= 2) return start<2, 4, PAIRS, V, S>(s, A, c);
    if (c->k <= 4) return start<4, 2, PAIRS, V, S>(s, A, c);
    return start<8, IN_FLIGHT, PAIRS, V, S>(s, A, c);
}

template <typename V, typename S> cudaError_t launch(const slices_t *s, const gpu_csr_t *A, const gpu_many_t *c)
{
    if (s->count == 0) return cudaSuccess;
    if constexpr (!HAS_TABLE<V> && sizeof(V) >= 4)
        if (s->pairs) return launch_columns<true, V, S>(s, A, c);
    return launch_columns<false, V, S>(s, A, c);
}

} // namespace

cudaError_t many_slices_run(const slices_t *s, const gpu_csr_t *A, const gpu_many_t *c)
{
    return BY_STORED(s, A, launch, s, A, c);
}
