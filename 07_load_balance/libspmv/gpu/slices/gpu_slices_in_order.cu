/*
 * gpu_slices_in_order.cu - slices of 32 consecutive rows, one lane on each: for grids, bands and other diagonals.
 *
 * If a slice has few steps, its warp would wait for the slice's record most of the time.  So the grid is then no larger
 * than the GPU holds; a warp takes one slice after the other, and loads the record of the next one meanwhile.  Measured
 * (H200): with 5 steps 1.14 times as fast in fp64, with 27 steps as fast as one slice per warp.
 *
 * If slices are few and have many steps, a team of warps shares each of them: every warp takes a part of the steps, and
 * the first one adds up the sums, always in the same order.
 */
#include "gpu_slices_steps.cuh"

namespace {

enum { FEW_STEPS = 16 }; // mean steps of a slice

// Multiplies diagonals, some of which have their values in another slice.  Each lane loads the record of one step to
// shared memory, [LANES], where all lanes read it.  Values and x are loaded together.
template <int IN_FLIGHT, typename V, typename S>
__device__ __forceinline__ S sum_pairs(uint4 *in_shared, const uint4 *__restrict__ pairs, const V *__restrict__ values,
                                       whole_x<S> x, uint32_t steps, unsigned lane, uint32_t row)
{
    S sum = 0;
#pragma unroll 1
    for (uint32_t first = 0; first < steps; first += LANES) {
        const uint32_t count = min(steps - first, (uint32_t)LANES);
        __syncwarp();
        in_shared[lane] = lane < count ? pairs[first + lane] : make_uint4(0, 0, 0, 0);
        __syncwarp(); // all lanes have loaded their records
#pragma unroll 1
        for (uint32_t k = 0; k < count; k += IN_FLIGHT) {
            bool has[IN_FLIGHT];
            V value[IN_FLIGHT];
            S of_x[IN_FLIGHT];
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT; ++j) { // IN_FLIGHT divides LANES
                const uint4 pair = in_shared[k + j];
                const V *from = &values[pair_place(pair, lane)];
                has[j] = pair.y >> lane & 1u;
                if (has[j]) value[j] = __ldg(from), of_x[j] = x.at(row + pair.x); // the value may be read again
            }
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT; ++j)
                if (has[j]) sum += (S)value[j] * of_x[j];
        }
    }
    return sum;
}

// Returns the sum of the steps of a slice that warp `part` of a team of 1 << team_log2 takes.
template <int IN_FLIGHT, bool PAIRS, typename V, typename S>
__device__ __forceinline__ S sum_part(const in_order_arrays &a, const V *__restrict__ all_values, whole_x<S> x,
                                      uint32_t slice, uint4 r, slice_meta m, uint32_t part, uint32_t team_log2,
                                      unsigned lane, uint4 *in_shared, const S *table)
{
    const uint32_t row = r.z + lane;
    const unsigned char *at = a.columns + (uint64_t)r.y * 32;
    const share_of_steps s = share_of(m.steps, part, team_log2);
    const uint32_t start = PAIRS && m.kind != SLICE_DIAGONALS && m.steps ? a.pairs[r.x].z / LANES : r.x;
    const V *values = all_values + (uint64_t)start * LANES;
    switch (m.kind) {
    case SLICE_DIAGONALS:
        if constexpr (PAIRS)
            return sum_pairs<IN_FLIGHT>(in_shared, a.pairs + r.x + s.first, all_values, x, s.count, lane, row);
        else
            return sum_some<SLICE_DIAGONALS, IN_FLIGHT>(at, values, x, m.steps, s.first, s.count, lane, row, table);
    case SLICE_8: return sum_some<SLICE_8, IN_FLIGHT>(at, values, x, m.steps, s.first, s.count, lane, 0, table);
    case SLICE_16:
        return sum_some<SLICE_16, IN_FLIGHT>(at, values, x, m.steps, s.first, s.count, lane, (uint32_t)a.bases[slice],
                                             table);
    default: return sum_some<SLICE_32, IN_FLIGHT>(at, values, x, m.steps, s.first, s.count, lane, 0, table);
    }
}

// Adds up a team's sums in shared memory, [threads of the block], in the order of its warps.
template <typename S>
__device__ __forceinline__ void finish_parts(S *sums, S sum, uint32_t part, uint32_t team, bool owner, S *y,
                                             vectors<S> v)
{
    sums[threadIdx.x] = sum;
    __syncthreads(); // all parts are written
    if (part || !owner) return;
#pragma unroll 1
    for (uint32_t p = 1; p < team; ++p) sum += sums[threadIdx.x + p * LANES];
    finish(y, sum, v.alpha, v.beta);
}

// TEAMS: a block has whole teams, and each warp multiplies one part of one slice.
template <int IN_FLIGHT, int MIN_BLOCKS, bool PAIRS, bool TEAMS, typename V, typename S>
__global__ void __launch_bounds__(256, BLOCKS_OF_256(MIN_BLOCKS))
    in_order_kernel(uint32_t rows, in_order_arrays a, const V *__restrict__ all_values, vectors<S> v)
{
    __shared__ S table[HAS_TABLE<V> ? TABLE_MOST : 1];
    __shared__ uint4 steps_of_warps[PAIRS ? TEAM * LANES : 1];
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t stride = gridDim.x * (blockDim.x / LANES);
    const whole_x<S> x = {v.x};
    const uint32_t team_log2 = TEAMS ? a.team_log2 : 0;
    const uint32_t warp = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
    const uint32_t part = warp & ((1u << team_log2) - 1);
    uint4 *in_shared = &steps_of_warps[PAIRS ? threadIdx.x / LANES * LANES : 0];
    uint32_t slice = warp >> team_log2;
    uint4 next = slice < a.count ? a.records[slice] : uint4(); // loads the record while the table is copied
    if constexpr (HAS_TABLE<V>) {
        for (uint32_t i = threadIdx.x; i < a.table_count; i += blockDim.x) table[i] = ((const S *)a.table)[i];
        __syncthreads(); // the table is copied
    }
    if (a.early.x && threadIdx.x == 0) {
        ask_ahead(v.x, v.alpha != 0 ? (uint64_t)a.cols * sizeof *v.x : 0, a.early.x);
        ask_ahead(a.columns, a.column_bytes, a.early.columns);
        ask_ahead(all_values, a.value_bytes, a.early.values);
    }
    if constexpr (TEAMS) {
        __shared__ S sums[TEAM * LANES];
        const slice_meta m = unpack_meta(next.w);
        const uint32_t row = next.z + lane;
        const bool any = slice < a.count && v.alpha != 0;
        S sum = 0;
        if (any)
            sum = sum_part<IN_FLIGHT, PAIRS>(a, all_values, x, slice, next, m, part, team_log2, lane, in_shared, table);
        finish_parts(sums, sum, part, 1u << team_log2, slice < a.count && row < rows, &v.y[row], v);
    } else {
#pragma unroll 1
        for (; slice < a.count; slice += stride) {
            const uint4 r = next;
            if (slice + stride < a.count) next = a.records[slice + stride];
            const slice_meta m = unpack_meta(r.w);
            const uint32_t row = r.z + lane;
            S sum = 0;
            if (v.alpha != 0)
                sum = sum_part<IN_FLIGHT, PAIRS>(a, all_values, x, slice, r, m, 0, 0, lane, in_shared, table);
            if (row < rows) finish(&v.y[row], sum, v.alpha, v.beta);
        }
    }
}

template <int IN_FLIGHT, int MIN_BLOCKS, bool PAIRS, bool TEAMS, typename V, typename S>
cudaError_t start(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned per_block = s->block / LANES >> s->team_log2, all = (s->count - 1) / per_block + 1,
                   on_gpu = (s->sms * MIN_BLOCKS - s->left) * 256 / s->block;
    const bool one_each = TEAMS || all <= on_gpu || s->value_steps > (uint64_t)FEW_STEPS * s->count;
    const unsigned blocks = one_each ? all : on_gpu;
    const uint64_t value_bytes = (PAIRS ? s->stored_steps : s->value_steps) * LANES * sizeof(V);
    const uint64_t x_bytes = (uint64_t)A->cols * sizeof(S);
    const in_order_arrays a = {s->records, s->bases, s->columns, s->count, (uint32_t)A->cols, s->column_bytes,
                               value_bytes, ahead(x_bytes, s->column_bytes, value_bytes, blocks), s->table,
                               s->table_count, s->pairs, s->team_log2};
    in_order_kernel<IN_FLIGHT, MIN_BLOCKS, PAIRS, TEAMS, V, S>
        <<<blocks, s->block, 0, (cudaStream_t)c->stream>>>((uint32_t)A->rows, a, (const V *)s->values, v);
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t launch(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    // Measured: all of an SM's warps are best; in fp64 as many as have registers, with more loads at once if a table is
    // used.
    constexpr bool WIDE = sizeof(S) == 8;
    constexpr int IN_FLIGHT = WIDE && HAS_TABLE<V> ? 8 : 4;
    constexpr int MIN_BLOCKS = !WIDE ? 8 : HAS_TABLE<V> ? 5
                                                        : 6;
    constexpr int OF_PAIRS = WIDE ? 2 : 4, PAIRS_BLOCKS = 6;                   // a step needs more registers
    constexpr int OF_FEW = HAS_TABLE<V> ? IN_FLIGHT : 6, FEW_BLOCKS = WIDE ? 5 : 6; // if all warps of all teams fit
    if (s->count == 0) return cudaSuccess;
    if constexpr (!HAS_TABLE<V> && sizeof(V) >= 4)
        if (s->pairs)
            return s->team_log2 ? start<OF_PAIRS, PAIRS_BLOCKS, true, true, V, S>(s, A, c)
                                : start<OF_PAIRS, PAIRS_BLOCKS, true, false, V, S>(s, A, c);
    if (!s->team_log2) return start<IN_FLIGHT, MIN_BLOCKS, false, false, V, S>(s, A, c);
    if ((uint64_t)s->count << s->team_log2 <= (uint64_t)s->sms * FEW_BLOCKS * TEAM)
        return start<OF_FEW, FEW_BLOCKS, false, true, V, S>(s, A, c);
    return start<IN_FLIGHT, MIN_BLOCKS, false, true, V, S>(s, A, c);
}

} // namespace

cudaError_t slices_run_in_order(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    return BY_STORED(s, A, launch, s, A, c);
}
