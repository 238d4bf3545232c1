/*
 * gpu_slices_in_order.cu - slices of 32 rows as they stand, a lane on each: grids and bands, diagonals among them.
 *
 * Where a slice has few steps, its warp would spend most of its life on the way to them.  The grid is then no larger
 * than what the card holds, and a warp takes one slice after the other, the next one's record on its way.  Measured
 * (H200): 5 steps 1.14 times as fast in fp64, 27 steps as fast as one slice a warp.
 */
#include "gpu_slices_steps.cuh"

namespace {

enum { FEW_STEPS = 16 }; // of a slice, in the mean

struct in_order_arrays {
    const uint4 *records;
    const int32_t *bases;
    const unsigned char *columns;
    uint32_t count, cols;
    uint64_t column_bytes, value_bytes;
    ahead_t early;
    const void *table;
    uint32_t table_count;
    const uint4 *pairs;
};

// Of diagonals of which some find their values elsewhere.  Each lane loads what has to be known of one step, where all
// lanes then find it: in shared memory, [LANES].  Values and x come together.
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
        __syncwarp(); // what all have loaded
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
                if (has[j]) value[j] = __ldg(from), of_x[j] = x.at(row + pair.x); // a value may be wanted again
            }
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT; ++j)
                if (has[j]) sum += (S)value[j] * of_x[j];
        }
    }
    return sum;
}

template <int IN_FLIGHT, int MIN_BLOCKS, bool PAIRS, typename V, typename S>
__global__ void __launch_bounds__(256, BLOCKS_OF_256(MIN_BLOCKS))
    in_order_kernel(uint32_t rows, in_order_arrays a, const V *__restrict__ all_values, vectors<S> v)
{
    __shared__ S table[HAS_TABLE<V> ? TABLE_MOST : 1];
    __shared__ uint4 steps_of_warps[PAIRS ? TEAM * LANES : 1];
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t stride = gridDim.x * (blockDim.x / LANES);
    const whole_x<S> x = {v.x};
    uint32_t slice = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
    uint4 next = slice < a.count ? a.records[slice] : uint4(); // on its way while the table comes
    if constexpr (HAS_TABLE<V>) {
        for (uint32_t i = threadIdx.x; i < a.table_count; i += blockDim.x) table[i] = ((const S *)a.table)[i];
        __syncthreads();
    }
    if (a.early.x && threadIdx.x == 0) {
        ask_ahead(v.x, v.alpha != 0 ? (uint64_t)a.cols * sizeof *v.x : 0, a.early.x);
        ask_ahead(a.columns, a.column_bytes, a.early.columns);
        ask_ahead(all_values, a.value_bytes, a.early.values);
    }
#pragma unroll 1
    for (; slice < a.count; slice += stride) {
        const uint4 r = next;
        if (slice + stride < a.count) next = a.records[slice + stride];
        const slice_meta m = unpack_meta(r.w);
        const uint32_t row = r.z + lane;
        const unsigned char *at = a.columns + (uint64_t)r.y * 32;
        const uint32_t start = PAIRS && m.kind != SLICE_DIAGONALS && m.steps ? a.pairs[r.x].z / LANES : r.x;
        const V *values = all_values + (uint64_t)start * LANES;
        S sum = 0;
        if (v.alpha != 0) {
            switch (m.kind) {
            case SLICE_DIAGONALS:
                if constexpr (PAIRS)
                    sum = sum_pairs<IN_FLIGHT>(steps_of_warps + threadIdx.x / LANES * LANES, a.pairs + r.x, all_values,
                                               x, m.steps, lane, row);
                else
                    sum = sum_steps<SLICE_DIAGONALS, IN_FLIGHT>(at, values, x, m.steps, lane, row, table);
                break;
            case SLICE_8: sum = sum_steps<SLICE_8, IN_FLIGHT>(at, values, x, m.steps, lane, 0, table); break;
            case SLICE_16:
                sum = sum_steps<SLICE_16, IN_FLIGHT>(at, values, x, m.steps, lane, (uint32_t)a.bases[slice], table);
                break;
            default: sum = sum_steps<SLICE_32, IN_FLIGHT>(at, values, x, m.steps, lane, 0, table); break;
            }
        }
        if (row < rows) finish(&v.y[row], sum, v.alpha, v.beta);
    }
}

template <int IN_FLIGHT, int MIN_BLOCKS, bool PAIRS, typename V, typename S>
cudaError_t start(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    const vectors<S> v = {(S)c->alpha, (S)c->beta, (const S *)c->x, (S *)c->y};
    const unsigned per_block = s->block / LANES, all = (s->count - 1) / per_block + 1,
                   on_card = (s->sms * MIN_BLOCKS - s->left) * 256 / s->block;
    const bool one_each = all <= on_card || s->value_steps > (uint64_t)FEW_STEPS * s->count;
    const unsigned blocks = one_each ? all : on_card;
    const uint64_t value_bytes = (PAIRS ? s->stored_steps : s->value_steps) * LANES * sizeof(V);
    const uint64_t x_bytes = (uint64_t)A->cols * sizeof(S);
    const in_order_arrays a = {s->records, s->bases, s->columns, s->count, (uint32_t)A->cols, s->column_bytes,
                               value_bytes, ahead(x_bytes, s->column_bytes, value_bytes, blocks), s->table,
                               s->table_count, s->pairs};
    in_order_kernel<IN_FLIGHT, MIN_BLOCKS, PAIRS, V, S>
        <<<blocks, s->block, 0, (cudaStream_t)c->stream>>>((uint32_t)A->rows, a, (const V *)s->values, v);
    return cudaPeekAtLastError();
}

template <typename V, typename S>
cudaError_t launch(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    // Measured: all of an SM's warps; of fp64 as many as have registers, with more on the way where values are places.
    constexpr bool WIDE = sizeof(S) == 8;
    constexpr int IN_FLIGHT = WIDE && HAS_TABLE<V> ? 8 : 4;
    constexpr int MIN_BLOCKS = !WIDE ? 8 : HAS_TABLE<V> ? 5
                                                        : 6;
    constexpr int OF_PAIRS = WIDE ? 2 : 4, PAIRS_BLOCKS = 6; // more registers for a step
    if (s->count == 0) return cudaSuccess;
    if constexpr (!HAS_TABLE<V> && sizeof(V) >= 4)
        if (s->pairs) return start<OF_PAIRS, PAIRS_BLOCKS, true, V, S>(s, A, c);
    return start<IN_FLIGHT, MIN_BLOCKS, false, V, S>(s, A, c);
}

} // namespace

cudaError_t slices_run_in_order(const slices_t *s, const gpu_csr_t *A, const gpu_call_t *c)
{
    if (s->table)
        return A->value_type == SPMV_F64 ? launch<in_table<double>, double>(s, A, c)
                                         : launch<in_table<float>, float>(s, A, c);
    switch (A->value_type) {
    case SPMV_F32: return launch<float, float>(s, A, c);
    case SPMV_F64: return launch<double, double>(s, A, c);
    case SPMV_F16: return launch<fp16, float>(s, A, c);
    case SPMV_BF16: return launch<bf16, float>(s, A, c);
    case SPMV_F32_F64: return launch<float, double>(s, A, c);
    }
    return cudaErrorInvalidValue;
}
