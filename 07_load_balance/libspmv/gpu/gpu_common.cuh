/*
 * gpu_common.cuh - what the kernels of the GPU back end share.  Not installed.
 *
 * V is the type of the values, S that of the sums, of x and of y, O that of the offsets.
 */
#ifndef SPMV_GPU_COMMON_CUH
#define SPMV_GPU_COMMON_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>

#include "gpu_engine.h"
#include "gpu_memory.h"
#include "gpu_spans.h"

enum { LANES = 32 };
#define ALL_LANES 0xffffffffu

// Blocks of 256 threads that __launch_bounds__ may ask to fit on an SM: the GPU's limit of threads, if that is less.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100)
#define BLOCKS_OF_256(n) (n)
#elif __CUDA_ARCH__ == 750
#define BLOCKS_OF_256(n) ((n) < 4 ? (n) : 4)
#else
#define BLOCKS_OF_256(n) ((n) < 6 ? (n) : 6)
#endif

// A long function that many kernels call.  It is inlined for the GPU.  For the simulator the Makefile asks for one copy
// (-DSHARED_CODE=__noinline__): sixty inlined copies take g++ most of a minute.
#ifndef SHARED_CODE
#define SHARED_CODE __forceinline__
#endif

// Returns the number of nonzeros of a row, or UINT32_MAX if that is less.
template <typename O>
__device__ __forceinline__ uint32_t row_length(const O *row_offsets, uint32_t row)
{
    const O length = row_offsets[row + 1] - row_offsets[row];
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

struct fp16 { uint16_t bits; };
struct bf16 { uint16_t bits; };

__device__ __forceinline__ float widen(float v) { return v; }
__device__ __forceinline__ double widen(double v) { return v; }
__device__ __forceinline__ float widen(fp16 v) { return __half2float(__ushort_as_half(v.bits)); }
// bf16 is the upper half of a float.  (__ushort_as_bfloat16 is for kernels only before CUDA 12.2.)
__device__ __forceinline__ float widen(bf16 v) { return __uint_as_float((unsigned)v.bits << 16); }

// Loads a value that is read once, so that it does not evict x from the caches.
__device__ __forceinline__ float load_value(const float *p) { return __ldcs(p); }
__device__ __forceinline__ double load_value(const double *p) { return __ldcs(p); }
__device__ __forceinline__ float load_value(const fp16 *p) { return widen(fp16{__ldcs(&p->bits)}); }
__device__ __forceinline__ float load_value(const bf16 *p) { return widen(bf16{__ldcs(&p->bits)}); }

// The same in the stored type: the kernel widens the value when it uses it, because widening waits for the load.
__device__ __forceinline__ float load_stored(const float *p) { return __ldcs(p); }
__device__ __forceinline__ double load_stored(const double *p) { return __ldcs(p); }
__device__ __forceinline__ fp16 load_stored(const fp16 *p) { return fp16{__ldcs(&p->bits)}; }
__device__ __forceinline__ bf16 load_stored(const bf16 *p) { return bf16{__ldcs(&p->bits)}; }

// Loads that the compiler does not move.  Otherwise it would move the loads of values behind the wait for the columns.
#ifdef __CUDA_ARCH__
#define LOAD_NOW(type, ptx, constraint)                                                                     \
    __device__ __forceinline__ type load_now(const type *p)                                                 \
    {                                                                                                       \
        type v;                                                                                             \
        asm volatile("ld.relaxed.cta.global.L1::no_allocate." ptx " %0, [%1];" : "=" constraint(v) : "l"(p)); \
        return v;                                                                                           \
    }
LOAD_NOW(uint16_t, "u16", "h")
LOAD_NOW(uint32_t, "u32", "r")
LOAD_NOW(float, "f32", "f")
LOAD_NOW(double, "f64", "d")
// Loads several words at once.
__device__ __forceinline__ void load_words_now(uint32_t (&w)[1], const void *p)
{
    w[0] = load_now((const uint32_t *)p);
}
__device__ __forceinline__ void load_words_now(uint32_t (&w)[2], const void *p)
{
    asm volatile("ld.relaxed.cta.global.L1::no_allocate.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "l"(p));
}
__device__ __forceinline__ void load_words_now(uint32_t (&w)[4], const void *p)
{
    asm volatile("ld.relaxed.cta.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "l"(p));
}
#else
template <typename T> __device__ __forceinline__ T load_now(const T *p) { return *p; }
template <int N> __device__ __forceinline__ void load_words_now(uint32_t (&words)[N], const void *p)
{
    memcpy(words, p, sizeof words);
}
#endif

// The value of a place that has no nonzero, in a row of a bundle or in a granule: -0.  A zero of A is stored as +0,
// which comes to the same sums.
__device__ __forceinline__ bool is_hole(float v) { return __float_as_uint(v) == 0x80000000u; }
__device__ __forceinline__ bool is_hole(double v) { return __double_as_longlong(v) == INT64_MIN; }

// Computes y = alpha sum + beta y.  With alpha 0 the first term is 0 even if x holds Inf; with beta 0, y is not read.
// The code fixes which of the two products is rounded, so that every kernel computes the same bits.
template <typename S>
__device__ __forceinline__ void finish(S *y, S sum, S alpha, S beta)
{
    S result = alpha != 0 ? alpha * sum : 0;
    if (beta != 0) result = fma(beta, *y, result);
    *y = result;
}

// Returns the sum over groups of `width` lanes (a power of two), in the first lane of each.
template <typename S>
__device__ __forceinline__ S sum_lanes(S sum, unsigned width)
{
#pragma unroll 1
    for (unsigned s = width / 2; s > 0; s /= 2) sum += __shfl_down_sync(ALL_LANES, sum, s);
    return sum;
}

// Returns the sum over the whole warp, in lane 0.
template <typename S>
__device__ __forceinline__ S sum_warp(S sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(ALL_LANES, sum, s);
    return sum;
}

// The vectors and numbers of one execute.
template <typename S> struct vectors {
    S alpha, beta;
    const S *x;
    S *y;
};

// The columns and values of a tile that one lane loads.
template <int ITEMS, typename S> struct items {
    int32_t col[ITEMS];
    S value[ITEMS];
};

// WHOLE: every lane has a nonzero in every step, so the kernel does not test for them.
template <bool WHOLE, int ITEMS, typename V, typename O, typename S>
__device__ __forceinline__ void load(items<ITEMS, S> &t, O first, O end, const int32_t *__restrict__ col_indices,
                                     const V *__restrict__ values)
{
    const O left = end > first ? end - first : 0;
    col_indices += first; // from here distances are constants, so loads need no address of their own
    values += first;
#pragma unroll
    for (unsigned j = 0; j < ITEMS; ++j) {
        if (!WHOLE) t.col[j] = -1;
        if (WHOLE || j * LANES < left) {
            t.col[j] = __ldcs(&col_indices[j * LANES]);
            t.value[j] = load_value(&values[j * LANES]);
        }
    }
}

// ---- small matrices -------------------------------------------------------------------------------
//
// A product takes the time of a launch and of three waits for memory, one after the other: for the offsets of a row,
// for its columns, and for x.  So each block first prefetches its share of each array into L2, before it knows what it
// needs.

struct ahead_t {
    uint32_t x, columns, values; // bytes of each that a block prefetches; 0 for none
};

// Measured with 0 to 64 MB: with 16 and more, slices take up to a sixth longer; with less than 8, rows do.
constexpr uint64_t AHEAD_MOST = 8 << 20;
static inline uint32_t ahead_share(uint64_t bytes, unsigned blocks)
{
    return (uint32_t)((bytes / blocks / 128 + 1) * 128);
}
static inline ahead_t ahead(uint64_t x, uint64_t columns, uint64_t values, unsigned blocks)
{
    if (x + columns + values > AHEAD_MOST) return ahead_t{0, 0, 0};
    return ahead_t{ahead_share(x, blocks), ahead_share(columns, blocks), ahead_share(values, blocks)};
}

// Prefetches the whole units of 16 bytes in [from, end).
__device__ __forceinline__ void ask_for_range(const void *from, const void *end)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const uint64_t first = ((uint64_t)from + 15) / 16 * 16, last = (uint64_t)end / 16 * 16;
    if (first < last)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(first), "r"((uint32_t)(last - first))
                     : "memory");
#else
    (void)from, (void)end;
#endif
}
// Prefetches this block's share of an array.
__device__ __forceinline__ void ask_ahead(const void *array, uint64_t bytes, uint32_t share)
{
    const uint64_t from = (uint64_t)blockIdx.x * share;
    if (from < bytes) ask_for_range((const char *)array + from, (const char *)array + min(from + share, bytes));
}

// The part of x that each of the first blocks prefetches, in whole lines; the last part may be shorter.  The host
// computes it, unlike the share in ask_ahead(), for kernels in which each of the first instructions counts.
struct share_t {
    uint32_t bytes, blocks; // bytes for each block, and the number of blocks
};
__device__ __forceinline__ void ask_for_share(const void *x, share_t s)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (blockIdx.x < s.blocks)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"((uint64_t)x + (uint64_t)blockIdx.x * s.bytes),
                     "r"(s.bytes)
                     : "memory");
#else
    (void)x, (void)s;
#endif
}

// Prefetches x only, because the kernel's first instructions load columns and values.
template <typename S>
static inline share_t x_share(const gpu_csr_t *A, const gpu_call_t *c, unsigned blocks)
{
    const uint64_t bytes = c->alpha != 0 && (uint64_t)c->x % 16 == 0 ? (uint64_t)A->cols * sizeof(S) / 16 * 16 : 0;
    if (bytes > AHEAD_MOST || bytes == 0) return share_t{0, 0};
    const uint64_t share = ahead_share(bytes, blocks);
    return share < bytes ? share_t{(uint32_t)share, (uint32_t)(bytes / share)} : share_t{(uint32_t)bytes, 1};
}

// Prefetches one line.
__device__ __forceinline__ void ask_for(const void *at)
{
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
    (void)at;
#endif
}

// ---- rows that several warps share ----------------------------------------------------------------
//
// Each piece stores its sum.  In every group of GROUP pieces the last to arrive adds up the sums; the last group to
// arrive adds up the groups.  The order is always the same, so the result does not depend on which is last.  Counters
// return to 0 for the next execute.  Piece k of the row whose pieces are numbered from `first` has slot 2 * (first +
// k), + 1 for k = 0, so a warp can have the last piece of one row and the first of another.  Measured: one group of 488
// costs 2 us more than 8 groups and the group of these, because arrivals at one counter wait for each other.
enum { GROUP = 64 };

template <typename S> struct pieces {
    S *sums, *group_sums;
    unsigned *arrived, *groups_arrived; // 0 between executes
};

static __host__ __device__ __forceinline__ uint32_t piece_slot(uint32_t first, uint32_t k)
{
    return 2 * (first + k) + (k == 0);
}

// Stores `value` (of lane 0) at to[slot]; returns true in the warp that is the n-th to do so.
template <typename S>
__device__ __forceinline__ bool arrive(unsigned lane, S *to, uint32_t slot, S value, unsigned *counter, uint32_t n)
{
    unsigned ticket = 0;
    if (lane == 0) {
        ((volatile S *)to)[slot] = value;
        __threadfence();
        ticket = atomicAdd(counter, 1u);
    }
    ticket = __shfl_sync(ALL_LANES, ticket, 0);
    if (ticket != n - 1) return false;
    __threadfence();
    if (lane == 0) *counter = 0;
    return true;
}

// Returns, in lane 0, the total of the sums that n pieces have stored, `apart` pieces from each other.
template <typename S>
__device__ __forceinline__ S sum_slots(unsigned lane, const S *sums, uint32_t row_first, uint32_t from, uint32_t n,
                                       uint32_t apart)
{
    S sum = 0;
#pragma unroll 8
    for (uint32_t i = lane; i < n; i += LANES)
        sum += ((const volatile S *)sums)[piece_slot(row_first, from + i * apart)];
    return sum_warp(sum);
}

// Adds piece k of `count`, whose sum is in lane 0.  Returns true in the warp that then has the total in lane 0 of
// *total.
template <typename S>
__device__ __forceinline__ bool add_piece(unsigned lane, const pieces<S> &p, uint32_t first, uint32_t k,
                                          uint32_t count, S sum, S *total)
{
    const uint32_t k0 = k / GROUP * GROUP, n = min(count - k0, (uint32_t)GROUP), groups = (count + GROUP - 1) / GROUP;
    if (!arrive(lane, p.sums, piece_slot(first, k), sum, &p.arrived[piece_slot(first, k0)], n)) return false;
    *total = sum_slots(lane, p.sums, first, k0, n, 1);
    if (groups == 1) return true;
    if (!arrive(lane, p.group_sums, piece_slot(first, k0), *total, &p.groups_arrived[piece_slot(first, 0)], groups))
        return false;
    *total = sum_slots(lane, p.group_sums, first, 0, groups, GROUP);
    return true;
}

// The size of the scratch for pieces with slots below 2 * n, and the arrays in it.  All of it is 0 at first.
static inline size_t pieces_bytes(size_t n, size_t sum_size) { return 2 * n * 2 * (sum_size + sizeof(unsigned)); }
template <typename S>
static inline pieces<S> pieces_in(void *scratch, size_t n)
{
    S *sums = (S *)scratch;
    unsigned *arrived = (unsigned *)(sums + 4 * n);
    return pieces<S>{sums, sums + 2 * n, arrived, arrived + 2 * n};
}

// ---- rows that several blocks share, the last of them waits ----------------------------------------
//
// For pieces at the end of their blocks.  Each piece but the row's last stores its sum in a word of its own, and is
// done.  The last piece reads these words until each has a sum, adds them up, always in the same order, and resets them
// for the next execute.  The word is sum and signal in one, so no block needs a fence or an atomic.  Blocks start in
// their order, so the other blocks are running by then or have ended, and they store their sums before they wait for
// anything.

template <typename S> struct word_of;
template <> struct word_of<float> {
    using type = uint32_t;
};
template <> struct word_of<double> {
    using type = unsigned long long;
};
// The word before a sum is stored: all bits are set, which is a NaN.
template <typename S> constexpr typename word_of<S>::type NO_SUM = ~(typename word_of<S>::type)0;

template <typename S>
__device__ __forceinline__ void leave_sum(S *to, S sum)
{
    typename word_of<S>::type word;
    memcpy(&word, &sum, sizeof word);
    if (word == NO_SUM<S>) word >>= 1; // another NaN
    *(volatile typename word_of<S>::type *)to = word;
}

// Returns, in lane 0, the total of the sums that n pieces have left.
template <typename S>
__device__ __forceinline__ S sum_left(unsigned lane, S *left, uint32_t n)
{
    using word = typename word_of<S>::type;
    enum { AT_ONCE = 8 };
    volatile word *const from = (volatile word *)left;
    S sum = 0;
#pragma unroll 1
    for (uint32_t first = lane; first - lane < n; first += AT_ONCE * LANES) {
        word words[AT_ONCE];
        bool all;
        do {
            all = true;
#pragma unroll
            for (unsigned j = 0; j < AT_ONCE; ++j) {
                words[j] = first + j * LANES < n ? from[first + j * LANES] : 0;
                all = all && words[j] != NO_SUM<S>;
            }
        } while (!all);
#pragma unroll
        for (unsigned j = 0; j < AT_ONCE; ++j) {
            S one;
            memcpy(&one, &words[j], sizeof one);
            sum += one;
            if (first + j * LANES < n) from[first + j * LANES] = NO_SUM<S>;
        }
    }
    return sum_warp(sum);
}

// Stores the sum of piece k of the row's `count`, from lane 0 of *sum.  Returns true in the warp that then has the
// total of all pieces there.  Their words are left[first], left[first + 1], ...
template <typename S>
__device__ __forceinline__ bool add_in_order(unsigned lane, S *left, uint32_t first, uint32_t k, uint32_t count, S *sum)
{
    if (k + 1 < count) {
        if (lane == 0) leave_sum(&left[first + k], *sum);
        return false;
    }
    *sum += sum_left(lane, left + first, k);
    return true;
}

// Calls f for A's types: f<V, S>(...) for values and sums, f<V, O, S>(...) also for offsets, f<O>(...) for offsets
// only, and f<an integer of the values' size, O>(...), which moves values.
#define BY_TYPE(type, f, ...)                                       \
    ((type) == SPMV_F32       ? f<float, float>(__VA_ARGS__)        \
     : (type) == SPMV_F64     ? f<double, double>(__VA_ARGS__)      \
     : (type) == SPMV_F16     ? f<fp16, float>(__VA_ARGS__)         \
     : (type) == SPMV_BF16    ? f<bf16, float>(__VA_ARGS__)         \
     : (type) == SPMV_F32_F64 ? f<float, double>(__VA_ARGS__)       \
                              : cudaErrorInvalidValue)
#define BY_TYPE_WITH(O, type, f, ...)                               \
    ((type) == SPMV_F32       ? f<float, O, float>(__VA_ARGS__)     \
     : (type) == SPMV_F64     ? f<double, O, double>(__VA_ARGS__)   \
     : (type) == SPMV_F16     ? f<fp16, O, float>(__VA_ARGS__)      \
     : (type) == SPMV_BF16    ? f<bf16, O, float>(__VA_ARGS__)      \
     : (type) == SPMV_F32_F64 ? f<float, O, double>(__VA_ARGS__)    \
                              : cudaErrorInvalidValue)
#define BY_TYPE_AND_OFFSETS(A, f, ...)                                                       \
    ((A)->offset_bits == 64 ? BY_TYPE_WITH(uint64_t, (A)->value_type, f, __VA_ARGS__)        \
                            : BY_TYPE_WITH(uint32_t, (A)->value_type, f, __VA_ARGS__))
#define BY_SIZE_WITH(O, type, f, ...)                                            \
    (value_size(type) == 8   ? f<unsigned long long, O>(__VA_ARGS__)             \
     : value_size(type) == 4 ? f<uint32_t, O>(__VA_ARGS__)                       \
                             : f<unsigned short, O>(__VA_ARGS__))
#define BY_SIZE_AND_OFFSETS(A, f, ...)                                                       \
    ((A)->offset_bits == 64 ? BY_SIZE_WITH(uint64_t, (A)->value_type, f, __VA_ARGS__)        \
                            : BY_SIZE_WITH(uint32_t, (A)->value_type, f, __VA_ARGS__))
#define BY_OFFSETS(A, f, ...) ((A)->offset_bits == 64 ? f<uint64_t>(__VA_ARGS__) : f<uint32_t>(__VA_ARGS__))

#endif
