/*
 * gpu_slices.cu - y = alpha A x + beta y, A in slices: a warp takes a slice of rows that are about equally long.
 *
 * As many lanes stand on each row as its slice says.  Values lie in the order in which the warp reads them; columns
 * are stored as narrow as the slice allows.  The cost of the columns, 4 of the 8 bytes of a nonzero in fp32, falls to
 * 2, 1, or a quarter of a byte.  A lane without a nonzero reads no x: Inf and NaN stay where they belong.
 *
 * After M. Kreutzer et al., A Unified Sparse Matrix Data Format (SELL-C-sigma, SIAM J. Sci. Comput. 36(5), 2014).
 */
#include "gpu_slices.cuh"

namespace {

struct slice_arrays {
    const uint4 *records;
    const int32_t *bases;
    const uint32_t *order;
    const unsigned *empty;
    const unsigned char *columns;
    uint32_t count, width_log2, uniform, column_units, piece_slices;
    const uint4 *pieces;
};

// Where the columns of a slice are, for one lane.  Steps are counted from here, so that the addresses of a batch differ by
// constants and none is worked out by itself.
template <int KIND> struct columns_t {
    static constexpr unsigned BYTES = KIND == SLICE_8 ? 1 : KIND == SLICE_16 ? 2 : 4;
    const unsigned char *step, *lanes; // what a step has for all lanes, and for this one

    __device__ columns_t(const unsigned char *at, uint32_t steps, unsigned lane)
        : step(at), lanes(at + (KIND == SLICE_8 ? (steps + 7) / 8 * 32 : 0) + lane * BYTES) {}

    // Of the j-th step, or NONE_32.  base: SLICE_16: of the slice, SLICE_DIAGONALS: the lane's row.
    __device__ uint32_t column(unsigned j, unsigned lane, uint32_t base) const
    {
        if (KIND == SLICE_8) {
            const uint32_t first = ((const uint32_t *)step)[j];
            const uint32_t delta = __ldcs(lanes + j * LANES);
            return delta == NONE_8 ? NONE_32 : first + delta;
        }
        if (KIND == SLICE_16) {
            const uint32_t delta = __ldcs((const unsigned short *)lanes + j * LANES);
            return delta == NONE_16 ? NONE_32 : base + delta;
        }
        if (KIND == SLICE_32) return __ldcs((const uint32_t *)lanes + j * LANES);
        const uint2 d = ((const uint2 *)step)[j];
        return d.y >> lane & 1u ? base + d.x : NONE_32;
    }
    __device__ void advance(unsigned steps)
    {
        step += steps * (KIND == SLICE_8 ? sizeof(uint32_t) : sizeof(uint2));
        lanes += steps * LANES * BYTES;
    }
};

template <int KIND, int IN_FLIGHT, typename V, typename S>
__device__ __forceinline__ S sum_steps(const unsigned char *__restrict__ at, const V *__restrict__ values,
                                       const S *__restrict__ x, uint32_t steps, unsigned lane, uint32_t base)
{
    columns_t<KIND> columns(at, steps, lane);
    S sum = 0;
    values += lane;
#pragma unroll 1
    for (uint32_t k = 0; k < steps; k += IN_FLIGHT) {
        const uint32_t left = steps - k;
        uint32_t col[IN_FLIGHT];
        S value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = NONE_32;
            if (j < left) {
                col[j] = columns.column(j, lane, base);
                value[j] = load_value(&values[j * LANES]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] != NONE_32) sum += value[j] * __ldg(&x[col[j]]);
        columns.advance(IN_FLIGHT);
        values += IN_FLIGHT * LANES;
    }
    return sum;
}

template <bool SORTED, int IN_FLIGHT, int MIN_BLOCKS, typename V, typename S>
__global__ void __launch_bounds__(256, BLOCKS_OF_256(MIN_BLOCKS))
    slices_kernel(uint32_t rows, slice_arrays a, const V *__restrict__ values, vectors<S> v, pieces<S> scratch)
{
    __shared__ S team_sums[TEAM];
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
    if (slice >= a.count) return;

    slice_meta m;
    uint64_t value_start, column_start;
    uint32_t first;
    if (!SORTED && a.uniform) {
        m = slice_meta{a.uniform & 7u, a.width_log2, 0, 0, a.uniform >> 3};
        value_start = (uint64_t)slice * m.steps;
        column_start = (uint64_t)slice * a.column_units;
        first = slice * (LANES >> a.width_log2);
    } else {
        const uint4 r = a.records[slice];
        m = unpack_meta(r.w);
        value_start = r.x;
        column_start = r.y;
        first = r.z;
    }
    if (SORTED && m.kind == SLICE_EMPTY) {
        const unsigned mine = first + lane * LANES < rows ? a.empty[first / LANES + lane] : 0;
#pragma unroll 1
        for (uint32_t i = 0; i < LANES && first + i * LANES < rows; ++i)
            if (__shfl_sync(ALL_LANES, mine, i) >> lane & 1u)
                finish(&v.y[first + i * LANES + lane], (S)0, v.alpha, v.beta);
        return;
    }
    const uint32_t width = 1u << m.width_log2, i = lane >> m.width_log2;
    const bool owner = (lane & (width - 1)) == 0 && (SORTED ? i < m.rows : first + i < rows);
    uint32_t row = first + i;
    if (SORTED && a.order && owner && !m.piece) row = a.order[row];

    S sum = 0;
    if (v.alpha != 0) {
        const unsigned char *at = a.columns + column_start * 32;
        values += value_start * LANES;
        switch (m.kind) {
        case SLICE_DIAGONALS:
            if (!SORTED) sum = sum_steps<SLICE_DIAGONALS, IN_FLIGHT>(at, values, v.x, m.steps, lane, first + lane);
            break;
        case SLICE_8: sum = sum_steps<SLICE_8, IN_FLIGHT>(at, values, v.x, m.steps, lane, 0); break;
        case SLICE_16:
            sum = sum_steps<SLICE_16, IN_FLIGHT>(at, values, v.x, m.steps, lane, (uint32_t)a.bases[slice]);
            break;
        default: sum = sum_steps<SLICE_32, IN_FLIGHT>(at, values, v.x, m.steps, lane, 0); break;
        }
        sum = sum_lanes(sum, width);
    }
    if (SORTED && blockIdx.x * (blockDim.x / LANES) < a.piece_slices) { // a block has pieces only, or none
        const unsigned warp = threadIdx.x / LANES, team = m.rows & ~SEVERAL_TEAMS;
        if (lane == 0) team_sums[warp] = sum;
        __syncthreads();
        if (team == 0 || warp % team) return;
        S total = sum_warp(lane < team ? team_sums[warp + lane] : 0);
        if (m.rows & SEVERAL_TEAMS) {
            const uint4 p = a.pieces[slice]; // row, its first slice, how many
            if (!add_piece(lane, scratch, p.y / TEAM, (slice - p.y) / TEAM, p.z / TEAM, total, &total)) return;
        }
        if (lane == 0) finish(&v.y[first], total, v.alpha, v.beta);
        return;
    }
    if (owner) finish(&v.y[row], sum, v.alpha, v.beta);
}

template <typename V, typename S>
cudaError_t launch(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const slice_arrays a = {s->records, s->bases, s->order, s->empty, s->columns, s->count, s->width_log2, s->uniform,
                            s->column_units, s->piece_slices, s->pieces};
    const pieces<S> scratch = pieces_in<S>(s->scratch, s->shared_teams);
    const unsigned per_block = s->block / LANES, blocks = (s->count + per_block - 1) / per_block;
    if (blocks == 0) return cudaSuccess;
    // Measured: where slices have few steps, all of an SM's warps (fp64: what it has room for); where they have many, fewer
    // warps with more on the way in each.  Rows as they stand need fewer registers and can have both in fp32.
    constexpr bool WIDE = sizeof(S) == 8;
    constexpr int MIN_BLOCKS = WIDE ? 6 : 8, EVEN = WIDE ? 4 : 8, FEW = 4, MANY = WIDE ? 6 : 8, MANY_BLOCKS = WIDE ? 5 : 6;
    constexpr uint32_t FEW_STEPS = WIDE ? 8 : 4;
    if (!s->sorted)
        slices_kernel<false, EVEN, MIN_BLOCKS, V, S><<<blocks, s->block, 0, (cudaStream_t)c->stream>>>(
            (uint32_t)A->rows, a, (const V *)s->values, v, scratch);
    else if (s->steps <= FEW_STEPS)
        slices_kernel<true, FEW, MIN_BLOCKS, V, S><<<blocks, s->block, 0, (cudaStream_t)c->stream>>>(
            (uint32_t)A->rows, a, (const V *)s->values, v, scratch);
    else
        slices_kernel<true, MANY, MANY_BLOCKS, V, S><<<blocks, s->block, 0, (cudaStream_t)c->stream>>>(
            (uint32_t)A->rows, a, (const V *)s->values, v, scratch);
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t slices_run(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    switch (A->value_type) {
    case SPMV_F32: return launch<float, float>(s, A, c);
    case SPMV_F64: return launch<double, double>(s, A, c);
    case SPMV_F16: return launch<fp16, float>(s, A, c);
    case SPMV_BF16: return launch<bf16, float>(s, A, c);
    }
    return cudaErrorInvalidValue;
}
