/*
 * gpu_slices_steps.cuh - how a lane multiplies the steps of a slice, for gpu_slices.cu and gpu_slices_in_order.cu.
 */
#ifndef SPMV_GPU_SLICES_STEPS_CUH
#define SPMV_GPU_SLICES_STEPS_CUH

#include "gpu_slices.cuh"
#include "gpu_table.h"

// A value as its place in the table of all values, which a block has in shared memory (gpu_table.h).
template <typename S>
struct in_table {
    uint8_t place;
};
template <typename S>
static __device__ __forceinline__ in_table<S> load_stored(const in_table<S> *p)
{
    return in_table<S>{__ldcs(&p->place)};
}
template <typename V, typename S>
static __device__ __forceinline__ S number(V v, const S *) { return (S)widen(v); }
template <typename S>
static __device__ __forceinline__ S number(in_table<S> v, const S *table)
{
    return table[v.place];
}
template <typename V>
constexpr bool HAS_TABLE = false;
template <typename S>
constexpr bool HAS_TABLE<in_table<S>> = true;

namespace {

// The addresses of a slice's columns, for one lane.  Steps are counted from here, so that the addresses of a batch
// differ by constants, and the kernel computes only one.
template <int KIND>
struct columns_t {
    static constexpr unsigned BYTES = KIND == SLICE_8 ? 1 : KIND == SLICE_16 ? 2
                                                                             : 4;
    const unsigned char *step, *lanes; // the parts of a step for all lanes, and for this one

    __device__ columns_t(const unsigned char *at, uint32_t steps, unsigned lane)
        : step(at), lanes(at + (KIND == SLICE_8 ? (steps + 7) / 8 * 32 : 0) + lane * BYTES) {}

    // Returns the column of step j, or NONE_32.  base: the slice's with SLICE_16, the lane's row with SLICE_DIAGONALS.
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

// x without a copy of hot entries.
template <typename S>
struct whole_x {
    const S *x;
    __device__ __forceinline__ S at(uint32_t column) const { return __ldg(&x[column]); }
};

// x with a copy of its hot entries side by side, which L1 keeps (gpu_hot.h).  A column below `count` is hot; `count` +
// column is in x.
template <typename S>
struct hot_x {
    const S *hot; // written by the previous launch, so read-only loads are not allowed
    const S *x;
    uint32_t count;
    __device__ __forceinline__ S at(uint32_t code) const { return *(code < count ? &hot[code] : &x[code - count]); }
};
template <typename X>
constexpr bool IS_HOT = false;
template <typename S>
constexpr bool IS_HOT<hot_x<S>> = true;

// Multiplies steps first .. first + count - 1 of a slice that has `steps`.
template <int KIND, int IN_FLIGHT, typename V, typename S, typename X>
__device__ __forceinline__ S sum_some(const unsigned char *__restrict__ at, const V *__restrict__ values, X x,
                                      uint32_t steps, uint32_t first, uint32_t count, unsigned lane, uint32_t base,
                                      const S *table)
{
    columns_t<KIND> columns(at, steps, lane);
    S sum = 0;
    columns.advance(first);
    values += (uint64_t)first * LANES + lane;
#pragma unroll 1
    for (uint32_t k = 0; k < count; k += IN_FLIGHT) {
        const uint32_t left = count - k;
        uint32_t col[IN_FLIGHT];
        V value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = NONE_32;
            if (j < left) {
                col[j] = columns.column(j, lane, base);
                value[j] = load_stored(&values[j * LANES]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] != NONE_32) sum += number(value[j], table) * x.at(col[j]);
        columns.advance(IN_FLIGHT);
        values += IN_FLIGHT * LANES;
    }
    return sum;
}

template <int KIND, int IN_FLIGHT, typename V, typename S, typename X>
__device__ __forceinline__ S sum_steps(const unsigned char *__restrict__ at, const V *__restrict__ values, X x,
                                       uint32_t steps, unsigned lane, uint32_t base, const S *table)
{
    return sum_some<KIND, IN_FLIGHT>(at, values, x, steps, 0, steps, lane, base, table);
}

// Each warp of a team has a part of a slice's steps: the start of part p of `team`, and its number of steps.
struct share_of_steps {
    uint32_t first, count;
};
static __device__ __forceinline__ share_of_steps share_of(uint32_t steps, uint32_t p, uint32_t team_log2)
{
    const uint32_t each = (steps + (1u << team_log2) - 1) >> team_log2, first = min(p * each, steps);
    return share_of_steps{first, min(each, steps - first)};
}

// The arrays of slices of consecutive rows, for their kernels.
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
    uint32_t team_log2;
};

} // namespace

// BY_TYPE for slices, whose values may be places in a table.
#define BY_STORED(s, A, f, ...)                                                    \
    ((s)->table == NULL                ? BY_TYPE((A)->value_type, f, __VA_ARGS__)  \
     : (A)->value_type == SPMV_F64 ? f<in_table<double>, double>(__VA_ARGS__)      \
                                   : f<in_table<float>, float>(__VA_ARGS__))

#endif
