/*
 * load_balance v44 - columns in 16 bits
 *
 * From    v43
 * Was     v43's plan holds columns and words of all slices, but the kernel reads only one of them per slice.
 * Idea    Keep one array.  A warp inspects each slice and counts its words: with differences one word per lane for the
 *         first column and half a word for each later one, otherwise its columns.  A scan gives their positions; then
 *         they are written, and v39's columns are freed.  The header of a slice stores where its words begin.
 * Moves   As v43.
 * Expect  v43's counts.  A plan smaller than v39's, by up to a quarter in fp32.  Beyond the CSR roofline on large
 *         local matrices: up to a quarter less time than v39 in fp32 and a sixth in fp64.  No change if gathers are
 *         the limit or slices have one or two steps.
 * Still   Rows that repeat the same offsets (stencils) need only one column per 32 rows; and a plan has to find out
 *         which format suits a matrix.
 * Needs   v39's plan with words for columns, made on the GPU.  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  As v39.
 * Source  As v40.
 */
#include "g_short_columns/v42_words_plan.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, IN_FLIGHT = 8, BLOCKS_PER_SM = 4 };

// All lanes of a row get the sum over the row's lanes.
template <typename T>
static __device__ __forceinline__ T sum_row(T sum, unsigned lanes)
{
#pragma unroll 1
    for (unsigned s = lanes / 2; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    return sum;
}

// Returns a lane's part of a wide slice, whose differences do not fit into 16 bits: the loop is that of v39.
template <typename T>
static __device__ __forceinline__ T sum_wide(unsigned steps, const uint32_t *__restrict__ words,
                                             const T *__restrict__ values, const T *__restrict__ x)
{
    T sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; k += IN_FLIGHT) {
        int32_t col[IN_FLIGHT];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = -1;
            value[j] = 0;
            if (k + j < steps) {
                col[j] = (int32_t)__ldcs(&words[(k + j) * (size_t)32]);
                value[j] = __ldcs(&values[(k + j) * (size_t)32]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] >= 0) sum += value[j] * __ldg(&x[col[j]]);
    }
    return sum;
}

// Returns a lane's part of a narrow slice: one word for the first column, then two differences per word.
template <typename T>
static __device__ __forceinline__ T sum_narrow(unsigned steps, const uint32_t *__restrict__ words,
                                               const T *__restrict__ values, const T *__restrict__ x)
{
    if (steps == 0) return 0;
    int32_t col = (int32_t)__ldcs(words);
    const T first = __ldcs(values);
    T sum = 0;
    unsigned k = 1;
    do {
        uint32_t word[IN_FLIGHT / 2];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            value[j] = 0;
            if (j % 2 == 0) word[j / 2] = 0xffffffffu;
            if (k + j < steps) {
                if (j % 2 == 0) word[j / 2] = __ldcs(&words[(k + j + 1) / 2 * (size_t)32]);
                value[j] = __ldcs(&values[(k + j) * (size_t)32]);
            }
        }
        // The first column is used while the loads of the first batch are in flight.
        if (k == 1 && col >= 0) sum = first * __ldg(&x[col]);
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const uint32_t difference = j % 2 ? word[j / 2] >> 16 : word[j / 2] & 0xffff;
            if (difference != SELL_NONE) {
                col += (int32_t)difference;
                sum += value[j] * __ldg(&x[col]);
            }
        }
        k += IN_FLIGHT;
    } while (k < steps);
    return sum;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v44_kernel(unsigned slices, unsigned places, const uint4 *__restrict__ slice,
                            const uint32_t *__restrict__ words, const T *__restrict__ values,
                            const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y,
                            T *__restrict__ pieces)
{
    const unsigned lane = threadIdx.x % 32, number = blockIdx.x * WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    const unsigned steps = mine.w & 0xffff, log_lanes = mine.w >> 16 & 7, lanes = 1u << log_lanes;
    const unsigned place = mine.z + (lane >> log_lanes);
    values += mine.x * (size_t)32 + lane;
    words += mine.y * (size_t)32 + lane;

    T sum = mine.w & SELL_WIDE ? sum_wide(steps, words, values, x) : sum_narrow(steps, words, values, x);
    sum = sum_row(sum, lanes);
    if (lane % lanes == 0 && place < places) {
        const uint32_t row = place_row ? place_row[place] : place;
        if (row & SELL_PIECE) pieces[row & ~SELL_PIECE] = sum;
        else y[row] = sum;
    }
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v44_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    load_balance_v44_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->slice,
                                                             (const uint32_t *)p->columns, (const T *)p->values,
                                                             p->place_row, d_x, d_y, (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v44)

// One warp per slice counts the words per lane and rewrites slice[number]: first step, first word, first place, and
// steps | log2 lanes << 16 | SELL_WIDE.
static __global__ void size_kernel(size_t slices, uint4 *slice, const int32_t *__restrict__ columns,
                                   uint32_t *word_before)
{
    const size_t number = blockIdx.x * (size_t)WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    columns += mine.x * (size_t)32 + threadIdx.x % 32;
    bool fits = true;
    int32_t before = mine.y ? columns[0] : -1;
#pragma unroll 1
    for (uint32_t k = 1; k < mine.y; ++k) {
        const int32_t col = columns[k * (size_t)32];
        if (col >= 0) fits = fits && (uint32_t)col - (uint32_t)before < SELL_NONE; // nor may it be negative
        before = col;
    }
    const bool wide = !__all_sync(0xffffffffu, fits);
    __syncwarp(); // all lanes have read the record, which lane 0 now changes
    if (threadIdx.x % 32 == 0) {
        word_before[number] = wide || mine.y == 0 ? mine.y : 1 + mine.y / 2;
        slice[number] = make_uint4(mine.x, 0, mine.z, mine.y | mine.w << 16 | (wide ? SELL_WIDE : 0));
    }
}

// One warp per slice writes a lane's first column, then two differences per word; for a wide slice its columns.
static __global__ void words_kernel(size_t slices, const uint32_t *__restrict__ word_before,
                                    const int32_t *__restrict__ columns, uint4 *slice, uint32_t *words)
{
    const size_t number = blockIdx.x * (size_t)WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const unsigned lane = threadIdx.x % 32;
    const uint4 mine = slice[number];
    const uint32_t first = word_before[number], count = word_before[number + 1] - first, steps = mine.w & 0xffff;
    const bool wide = mine.w & SELL_WIDE;
    columns += mine.x * (size_t)32 + lane;
    words += first * (size_t)32 + lane;
    __syncwarp(); // all lanes have read the record, which lane 0 now changes
    if (lane == 0) slice[number].y = first;
    int32_t before = steps ? columns[0] : -1;
    if (count) words[0] = (uint32_t)before;
#pragma unroll 1
    for (uint32_t w = 1; w < count; ++w) {
        uint32_t word = 0;
        if (wide) word = (uint32_t)columns[w * (size_t)32];
        else
            for (uint32_t half = 0; half < 2; ++half) {
                const uint32_t k = 2 * w - 1 + half;
                const int32_t col = k < steps ? columns[k * (size_t)32] : -1;
                const uint32_t difference = col >= 0 ? (uint32_t)(col - before) : (uint32_t)SELL_NONE;
                word |= difference << 16 * half;
                before = col;
            }
        words[w * (size_t)32] = word;
    }
}

static cudaError_t pack(sell_plan_t *p, plan_memory_t *scratch, cudaStream_t stream)
{
    uint32_t *word_before, *words, total;
    if (p->slices == 0) return cudaSuccess;
    TRY(plan_take(scratch, &word_before, plan_scan_words(p->slices)));
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    size_kernel<<<blocks, BLOCK, 0, stream>>>(p->slices, p->slice, p->columns, word_before);
    TRY(cudaGetLastError());
    TRY(plan_scan(word_before, p->slices, &total, stream));
    TRY(plan_allocate(&p->memory, (void **)&words, (32 * (size_t)total + 1) * sizeof *words));
    words_kernel<<<blocks, BLOCK, 0, stream>>>(p->slices, word_before, p->columns, p->slice, words);
    TRY(cudaGetLastError());
    TRY(cudaStreamSynchronize(stream));
    plan_drop(&p->memory, p->columns);
    p->columns = (int32_t *)words;
    return cudaSuccess;
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    TRY(sell_plan_create(A, SELL_BY_RULE, false, plan, stream));
    return plan_extend<sell_plan_t>(plan, [=](sell_plan_t *p, plan_memory_t *m) { return pack(p, m, stream); });
}

LOAD_BALANCE_PLAN(load_balance_v44_plan, sell_plan_t)
