/*
 * gpu_slices.cu - y = alpha A x + beta y, A in slices: a warp takes a slice of rows that are about equally long.
 *
 * The slice says how many lanes each row has.  Values lie in the order in which the warp reads them; columns are stored
 * as narrow as the slice allows.  The cost of a column, 4 of the 8 bytes of a nonzero in fp32, falls to 2, 1, or a
 * quarter of a byte, and to a part of that if rows have the same columns and a lane takes up to 4 of them.  A lane
 * takes several rows of 1 to 4 nonzeros, so that a warp loads enough while it waits.  A lane without a nonzero reads no
 * x, so Inf and NaN do not spread to other rows.
 *
 * After M. Kreutzer et al., A Unified Sparse Matrix Data Format (SELL-C-sigma, SIAM J. Sci. Comput. 36(5), 2014).
 */
#include "gpu_slices_steps.cuh"

namespace {

struct slice_arrays {
    const uint4 *records;
    const int32_t *bases;
    const uint32_t *order;
    const unsigned *empty;
    const unsigned char *columns;
    uint32_t count, piece_slices;
    const uint4 *pieces;
    uint32_t cols;
    uint64_t column_bytes, value_bytes;
    ahead_t early;
    const void *table;
    uint32_t table_count;
};

// Loads the values of STEPS steps of a bundle, but none from step `left` on.
template <int HEIGHT, int STEPS, typename V>
__device__ __forceinline__ void load_bundle(V value[STEPS][HEIGHT], const V *__restrict__ values, int left)
{
#pragma unroll
    for (int j = 0; j < STEPS; ++j)
#pragma unroll
        for (int h = 0; h < HEIGHT; ++h)
            if (j < left) value[j][h] = load_stored(&values[(j * HEIGHT + h) * LANES]);
}

// Multiplies the HEIGHT rows of a bundle.  It has few columns, so the lane loads those of COLUMNS steps, then x and the
// values at the same time.
template <int KIND, int HEIGHT, int COLUMNS, int IN_FLIGHT, typename V, typename S>
__device__ __forceinline__ void sum_bundle(S sums[HEIGHT], const unsigned char *__restrict__ at,
                                           const V *__restrict__ values, const S *__restrict__ x, uint32_t steps,
                                           unsigned lane, uint32_t base, const S *table)
{
    constexpr int STEPS = IN_FLIGHT > HEIGHT ? IN_FLIGHT / HEIGHT : 1, BATCHES = (COLUMNS + STEPS - 1) / STEPS;
    columns_t<KIND> columns(at, steps, lane);
    values += lane;
#pragma unroll 1
    for (int left = (int)steps; left > 0; left -= BATCHES * STEPS) {
        uint32_t col[BATCHES * STEPS];
        S of_x[BATCHES * STEPS];
        V value[2][STEPS][HEIGHT];
#pragma unroll
        for (int j = 0; j < BATCHES * STEPS; ++j) col[j] = j < left ? columns.column((unsigned)j, lane, base) : NONE_32;
        load_bundle<HEIGHT, STEPS>(value[0], values, left);
#pragma unroll
        for (int j = 0; j < BATCHES * STEPS; ++j) of_x[j] = col[j] != NONE_32 ? __ldg(&x[col[j]]) : 0;
#pragma unroll
        for (int b = 0; b < BATCHES; ++b) {
            if (b + 1 < BATCHES)
                load_bundle<HEIGHT, STEPS>(value[(b + 1) % 2], values + (b + 1) * STEPS * HEIGHT * LANES,
                                           left - (b + 1) * STEPS);
#pragma unroll
            for (int j = 0; j < STEPS; ++j)
#pragma unroll
                for (int h = 0; h < HEIGHT; ++h)
                    if (b * STEPS + j < left) {
                        const S v = number(value[b % 2][j][h], table);
                        if (!is_hole(v)) sums[h] += v * of_x[b * STEPS + j];
                    }
        }
        columns.advance(BATCHES * STEPS);
        values += BATCHES * STEPS * HEIGHT * LANES;
    }
}

// Multiplies a slice of bundles, of any height and kind.
template <int COLUMNS, int IN_FLIGHT, typename V, typename S>
__device__ __forceinline__ void sum_bundles(S sums[MAX_HEIGHT], slice_meta m, const unsigned char *__restrict__ at,
                                            const V *__restrict__ values, const S *__restrict__ x, unsigned lane,
                                            uint32_t base, const S *table)
{
    const bool narrow = m.kind == SLICE_16;
    if (m.height == 4) {
        if (narrow) sum_bundle<SLICE_16, 4, COLUMNS, IN_FLIGHT>(sums, at, values, x, m.steps, lane, base, table);
        else sum_bundle<SLICE_32, 4, COLUMNS, IN_FLIGHT>(sums, at, values, x, m.steps, lane, base, table);
    } else if (m.height == 3) {
        if (narrow) sum_bundle<SLICE_16, 3, COLUMNS, IN_FLIGHT>(sums, at, values, x, m.steps, lane, base, table);
        else sum_bundle<SLICE_32, 3, COLUMNS, IN_FLIGHT>(sums, at, values, x, m.steps, lane, base, table);
    } else {
        if (narrow) sum_bundle<SLICE_16, 2, COLUMNS, IN_FLIGHT>(sums, at, values, x, m.steps, lane, base, table);
        else sum_bundle<SLICE_32, 2, COLUMNS, IN_FLIGHT>(sums, at, values, x, m.steps, lane, base, table);
    }
}

// Multiplies short rows: a lane has PER_LANE rows of LENGTH nonzeros, and loads all of them at once.
template <int LENGTH, typename V, typename S, typename X>
__device__ __forceinline__ void finish_short_rows(const uint32_t *__restrict__ columns, const V *__restrict__ values,
                                                  const uint32_t *__restrict__ order, uint32_t rows, vectors<S> v, X x,
                                                  const S *table)
{
    constexpr int PER_LANE = SHORT_PER_LANE(LENGTH);
    const unsigned lane = threadIdx.x % LANES;
    uint32_t col[PER_LANE * LENGTH], row[PER_LANE];
    V value[PER_LANE * LENGTH];
    S product[PER_LANE * LENGTH] = {0};
#pragma unroll
    for (unsigned j = 0; j < PER_LANE * LENGTH; ++j) {
        const bool has = j / LENGTH * LANES + lane < rows && v.alpha != 0;
        col[j] = has ? __ldcs(&columns[j * LANES + lane]) : NONE_32;
        if (has) value[j] = load_stored(&values[j * LANES + lane]);
    }
#pragma unroll
    for (unsigned i = 0; i < PER_LANE; ++i) row[i] = i * LANES + lane < rows ? order[i * LANES + lane] : 0;
#pragma unroll
    for (unsigned j = 0; j < PER_LANE * LENGTH; ++j)
        if (col[j] != NONE_32) product[j] = number(value[j], table) * x.at(col[j]);
#pragma unroll
    for (unsigned i = 0; i < PER_LANE; ++i) {
        S sum = product[i * LENGTH];
#pragma unroll
        for (unsigned k = 1; k < LENGTH; ++k) sum += product[i * LENGTH + k];
        if (i * LANES + lane < rows) finish(&v.y[row[i]], sum, v.alpha, v.beta);
    }
}

template <typename V, typename S, typename X>
__device__ __noinline__ void finish_short(slice_meta m, const uint32_t *columns, const V *values, const uint32_t *order,
                                          vectors<S> v, X x, const S *table)
{
    switch (m.rows) { // m.rows is the length of each row
    case 1: finish_short_rows<1>(columns, values, order, m.steps, v, x, table); break;
    case 2: finish_short_rows<2>(columns, values, order, m.steps, v, x, table); break;
    case 3: finish_short_rows<3>(columns, values, order, m.steps, v, x, table); break;
    default: finish_short_rows<4>(columns, values, order, m.steps, v, x, table); break;
    }
}

enum { ANY_KIND = -1, GATHER = 256 };

template <typename S>
__global__ void __launch_bounds__(GATHER)
    gather_hot_kernel(uint32_t count, const uint32_t *__restrict__ columns, const S *__restrict__ x, S *hot)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::
                     : "memory");
#endif
    const uint32_t i = blockIdx.x * GATHER + threadIdx.x;
    if (i < count) hot[i] = __ldg(&x[columns[i]]);
}

// Waits, in a launch that began early, until the launch before has ended.
__device__ __forceinline__ void wait_for_launch_before()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::
                     : "memory");
#endif
}

// KIND: the kind of all slices.  COLUMNS: the steps of bundles that are loaded at once; 0 if the plan has no bundles.
template <int KIND, int COLUMNS, int IN_FLIGHT, int MIN_BLOCKS, typename V, typename S, typename X>
__global__ void __launch_bounds__(256, BLOCKS_OF_256(MIN_BLOCKS))
    slices_kernel(uint32_t rows, slice_arrays a, const V *__restrict__ values, vectors<S> v, X x,
                  S *left)
{
    constexpr bool BUNDLES = COLUMNS > 0;
    __shared__ S table[HAS_TABLE<V> ? TABLE_MOST : 1];
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
    if (!HAS_TABLE<V> && slice >= a.count) return;
    const uint4 r = slice < a.count ? a.records[slice] : uint4(); // loads the record while the table is copied
    if constexpr (HAS_TABLE<V>) {
        for (uint32_t i = threadIdx.x; i < a.table_count; i += blockDim.x) table[i] = ((const S *)a.table)[i];
        __syncthreads();
        if (slice >= a.count) return;
    }
    if (lane == 0 && slice < a.piece_slices) ask_for(&a.pieces[slice]);
    if (a.early.x && threadIdx.x == 0) {
        ask_ahead(v.x, v.alpha != 0 ? (uint64_t)a.cols * sizeof *v.x : 0, a.early.x);
        ask_ahead(a.columns, a.column_bytes, a.early.columns);
        ask_ahead(values, a.value_bytes, a.early.values);
    }
    const slice_meta m = unpack_meta(r.w);
    const uint32_t first = r.z;
    if (IS_HOT<X>) wait_for_launch_before();
    if (m.kind == SLICE_EMPTY) return finish_empty(first, rows, a.empty, v);
    if ((KIND == ANY_KIND || IS_HOT<X>)&&m.kind == SLICE_SHORT)
        return finish_short(m, (const uint32_t *)(a.columns + (uint64_t)r.y * 32), values + (uint64_t)r.x * LANES,
                            a.order + first, v, x, table);
    const uint32_t width = 1u << m.width_log2, i = lane >> m.width_log2;
    const bool owner = (lane & (width - 1)) == 0 && i < m.rows;
    const uint32_t row = owner && !m.piece ? a.order[first + i] : first;

    S sums[BUNDLES ? MAX_HEIGHT : 1] = {0};
    if (v.alpha != 0) {
        const unsigned char *at = a.columns + (uint64_t)r.y * 32;
        const uint32_t base = KIND == ANY_KIND && m.kind == SLICE_16 ? (uint32_t)a.bases[slice] : 0;
        values += (uint64_t)r.x * LANES;
        bool done = false;
        if constexpr (BUNDLES) {
            done = m.height > 1;
            if (done) sum_bundles<COLUMNS, IN_FLIGHT>(sums, m, at, values, v.x, lane, base, table);
        }
        if constexpr (KIND != ANY_KIND) {
            sums[0] = sum_steps<KIND, IN_FLIGHT>(at, values, x, m.steps, lane, 0, table);
        } else if (!done) {
            switch (m.kind) {
            case SLICE_8: sums[0] = sum_steps<SLICE_8, IN_FLIGHT>(at, values, x, m.steps, lane, 0, table); break;
            case SLICE_16: sums[0] = sum_steps<SLICE_16, IN_FLIGHT>(at, values, x, m.steps, lane, base, table); break;
            default: sums[0] = sum_steps<SLICE_32, IN_FLIGHT>(at, values, x, m.steps, lane, 0, table); break;
            }
        }
#pragma unroll 1
        for (unsigned s = width / 2; s > 0; s /= 2)
#pragma unroll
            for (unsigned h = 0; h < (BUNDLES ? MAX_HEIGHT : 1); ++h) // sums of rows that do not exist are 0
                sums[h] += __shfl_down_sync(ALL_LANES, sums[h], s);
    }
    if (blockIdx.x * (blockDim.x / LANES) < a.piece_slices) { // a block has either pieces only, or no pieces
        __shared__ S team_sums[TEAM];
        return finish_team(team_sums, sums[0], m.rows, first, slice, a.pieces, left, v);
    }
    if (!owner) return;
    finish(&v.y[row], sums[0], v.alpha, v.beta);
    if constexpr (BUNDLES)
#pragma unroll
        for (unsigned h = 1; h < MAX_HEIGHT; ++h)
            if (h < m.height) finish(&v.y[row + h], sums[h], v.alpha, v.beta);
}

template <int KIND, int COLUMNS, int IN_FLIGHT, int MIN_BLOCKS, typename V, typename S, typename X>
void start_with(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c, X x)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned per_block = s->block / LANES, blocks = (s->count + per_block - 1) / per_block;
    const uint64_t value_bytes = s->value_steps * LANES * sizeof(V);
    const slice_arrays a = {s->records, s->bases, s->order, s->empty, s->columns, s->count, s->piece_slices, s->pieces,
                            (uint32_t)A->cols, s->column_bytes, value_bytes,
                            ahead((uint64_t)A->cols * sizeof(S), s->column_bytes, value_bytes, blocks),
                            s->table, s->table_count};
    const auto kernel = slices_kernel<KIND, COLUMNS, IN_FLIGHT, MIN_BLOCKS, V, S, X>;
    const V *values = (const V *)s->values;
    S *const left = (S *)s->left_sums;
#ifndef __SIMT__
    if (IS_HOT<X> && s->hot_overlaps) {
        cudaLaunchAttribute early;
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(s->block);
        config.stream = (cudaStream_t)c->stream;
        config.attrs = &early;
        config.numAttrs = 1;
        cudaLaunchKernelEx(&config, kernel, (uint32_t)A->rows, a, values, v, x, left);
        return;
    }
#endif
    kernel<<<blocks, s->block, 0, (cudaStream_t)c->stream>>>((uint32_t)A->rows, a, values, v, x, left);
}

template <int KIND, int COLUMNS, int IN_FLIGHT, int MIN_BLOCKS, typename V, typename S>
void start(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    start_with<KIND, COLUMNS, IN_FLIGHT, MIN_BLOCKS, V, S>(s, A, c, whole_x<S>{(const S *)c->x});
}

// Two launches: one copies the hot entries of x; the other is the product, whose blocks may start while the first runs.
template <int IN_FLIGHT, int MIN_BLOCKS, typename V, typename S>
void start_hot(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    const hot_x<S> x = {(const S *)s->hot, (const S *)c->x, s->hot_count};
    if (c->alpha != 0)
        gather_hot_kernel<S><<<(s->hot_count + GATHER - 1) / GATHER, GATHER, 0, (cudaStream_t)c->stream>>>(
            s->hot_count, s->hot_columns, x.x, (S *)s->hot);
    start_with<SLICE_32, 0, IN_FLIGHT, MIN_BLOCKS, V, S>(s, A, c, x);
}

template <typename V, typename S>
cudaError_t launch(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    // Measured: if slices have few steps, all of an SM's warps are best (fp64: as many as fit); if slices have many
    // steps, fewer warps that load more at once are best.
    constexpr bool WIDE = sizeof(S) == 8;
    constexpr int MIN_BLOCKS = WIDE ? 6 : 8;
    constexpr int FEW = 4, FEW_BLOCKS = WIDE ? 5 : 6;
    constexpr int MANY = WIDE ? 6 : 8, MANY_BLOCKS = WIDE ? 5 : 6;
    constexpr int COLUMNS = WIDE ? 6 : 8, OF_BUNDLES = WIDE ? 6 : 8, BUNDLE_BLOCKS = WIDE ? 4 : 5;
    constexpr uint32_t FEW_STEPS = WIDE ? 8 : 4;
    if (s->count == 0) return cudaSuccess;
    if (s->hot_count) start_hot<MANY, MANY_BLOCKS, V, S>(s, A, c);
    else if (s->alike_rows) start<ANY_KIND, COLUMNS, OF_BUNDLES, BUNDLE_BLOCKS, V, S>(s, A, c);
    else if (s->steps <= FEW_STEPS && s->one_kind) start<SLICE_16, 0, FEW, MIN_BLOCKS, V, S>(s, A, c);
    else if (s->steps <= FEW_STEPS) start<ANY_KIND, 0, FEW, FEW_BLOCKS, V, S>(s, A, c);
    else if (s->one_kind) start<SLICE_16, 0, MANY, MANY_BLOCKS, V, S>(s, A, c);
    else start<ANY_KIND, 0, MANY, MANY_BLOCKS, V, S>(s, A, c);
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t slices_run(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    if (s->even_steps) return slices_run_even(s, A, c);
    if (slices_in_order(s)) return slices_run_in_order(s, A, c);
    return BY_STORED(s, A, launch, s, A, c);
}
