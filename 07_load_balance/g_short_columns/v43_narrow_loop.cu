/*
 * load_balance v43 - a loop for narrow slices, which begins with the first column
 *
 * From    v42
 * Was     v42 reads a difference that is always 0, reads a slice's first column from another array, and tests in each
 *         step whether the slice is wide.
 * Idea    Write a loop for each kind.  The words of a narrow slice begin with each lane's first column; word w after
 *         it holds the differences of the steps 2 w - 1 and 2 w.  The first column is used while the loads of the
 *         first batch are in flight.
 * Moves   6 + 2 / steps bytes per nonzero in fp32, 10 + 2 / steps in fp64; where a slice escapes, as v39.
 * Expect  It saves half a word per row and lane: fewer sectors than v42 if slices are short.  As many requests as
 *         v42 if the number of steps is even.
 * Still   The plan holds the columns of all slices, though only those that escaped are read.  (-> v44)
 * Needs   v39's plan and words, made on the GPU.  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
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
static __device__ __forceinline__ T sum_wide(unsigned steps, const int32_t *__restrict__ columns,
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
                col[j] = __ldcs(&columns[(k + j) * (size_t)32]);
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
    // region: step
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
    // end: step
    return sum;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v43_kernel(unsigned slices, unsigned places, const uint4 *__restrict__ slice,
                            const uint32_t *__restrict__ words,
                            const int32_t *__restrict__ columns, const T *__restrict__ values,
                            const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y,
                            T *__restrict__ pieces)
{
    const unsigned lane = threadIdx.x % 32, number = blockIdx.x * WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    const bool wide = mine.w & SELL_WIDE;
    const unsigned steps = mine.y, log_lanes = mine.w & 7, lanes = 1u << log_lanes;
    const unsigned place = mine.z + (lane >> log_lanes);
    columns += mine.x * (size_t)32 + lane;
    words += mine.x * (size_t)32 + lane;
    values += mine.x * (size_t)32 + lane;

    T sum = wide ? sum_wide(steps, columns, values, x) : sum_narrow(steps, words, values, x);
    sum = sum_row(sum, lanes);
    if (lane % lanes == 0 && place < places) {
        const uint32_t row = place_row ? place_row[place] : place;
        if (row & SELL_PIECE) pieces[row & ~SELL_PIECE] = sum;
        else y[row] = sum;
    }
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v43_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const packed_plan *p = (const packed_plan *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    load_balance_v43_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->slice,
                                                             p->words,
                                                             p->columns, (const T *)p->values, p->place_row, d_x, d_y,
                                                             (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v43)

// One warp per slice packs two differences of columns into each word, and tests whether all fit into 16 bits.
static __global__ void words_kernel(size_t slices, uint4 *slice, const int32_t *__restrict__ columns,
                                    uint32_t *__restrict__ words)
{
    const size_t number = blockIdx.x * (size_t)WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    columns += mine.x * (size_t)32 + threadIdx.x % 32;
    words += mine.x * (size_t)32 + threadIdx.x % 32;
    bool fits = true;
    int32_t before = mine.y ? columns[0] : -1;
    if (mine.y) words[0] = (uint32_t)before;
#pragma unroll 1
    for (uint32_t w = 1; w <= mine.y / 2; ++w) {
        uint32_t word = 0;
        for (uint32_t half = 0; half < 2; ++half) {
            const uint32_t k = 2 * w - 1 + half;
            const int32_t col = k < mine.y ? columns[k * (size_t)32] : -1;
            const uint32_t difference = col >= 0 ? (uint32_t)col - (uint32_t)before : (uint32_t)SELL_NONE;
            if (col >= 0) fits = fits && difference < SELL_NONE; // a negative difference does not fit either
            word |= difference << 16 * half;
            before = col;
        }
        words[w * (size_t)32] = word;
    }
    const bool wide = !__all_sync(0xffffffffu, fits);
    __syncwarp(); // all lanes have read the record, which lane 0 now changes
    if (threadIdx.x % 32 == 0 && wide) slice[number].w = mine.w | SELL_WIDE;
}

static cudaError_t pack(packed_plan *p, cudaStream_t stream)
{
    uint4 last;
    if (p->slices == 0) return cudaSuccess;
    TRY(cudaMemcpy(&last, &p->slice[p->slices - 1], sizeof last, cudaMemcpyDeviceToHost));
    TRY(plan_take(&p->memory, &p->words, 32 * (last.x + (size_t)last.y)));
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    words_kernel<<<blocks, BLOCK, 0, stream>>>(p->slices, p->slice, p->columns, p->words);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    TRY(sell_plan_create(A, SELL_BY_RULE, false, plan, stream));
    return plan_extend<packed_plan>(plan, [=](packed_plan *p, plan_memory_t *) { return pack(p, stream); });
}

LOAD_BALANCE_PLAN(load_balance_v43_plan, packed_plan)
