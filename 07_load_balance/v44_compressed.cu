/*
 * load_balance v44 - columns in 16 bits
 *
 * From    v39
 * Was     v39 reads 8 bytes a nonzero (fp32), 4 of them a column: a number below a million that is seldom far from
 *         the one before it in the row.
 * Idea    A lane's first column in a slice stays 32 bits.  Each further one is stored as its difference to the one
 *         before, in 16 bits, two to a word.  A slice in which a difference does not fit escapes: it keeps
 *         32-bit columns.  0xffff says that the row has ended.
 * Moves   6 + 2 / steps bytes a nonzero in fp32, 10 + 2 / steps in fp64; where a slice escapes, as v39.
 * Expect  Beyond the CSR roof on large local matrices: up to a quarter less time in fp32 and a sixth in
 *         fp64.  Where gathers are the limit, or slices have one or two steps: no change.
 * Still   Rows that repeat the same offsets (stencils) could do with one column for 32 rows; and which format suits a
 *         matrix is for a plan to find out.
 * Needs   A plan (plans/v44_compressed.cu, on the card).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  As v39.
 * Source  K. Kourtis, G. Goumas, N. Koziris, Optimizing sparse matrix-vector multiplication using index and value
 *         compression (CF 2008): differences of columns; on the slices of v39 so that loads stay contiguous.
 */
#include "plans/v44_compressed.h"

enum { BLOCK = 256, WARPS = BLOCK / 32, IN_FLIGHT = 8, BLOCKS_PER_SM = 4 };

// The sum over the lanes of each row, in all of them.
template <typename T>
static __device__ __forceinline__ T sum_row(T sum, unsigned lanes)
{
#pragma unroll 1
    for (unsigned s = lanes / 2; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    return sum;
}

// A lane's part of a slice that has escaped: as v39.
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

// A lane's part of a narrow slice: the first column, then two differences a word.
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
        // The first column is used when the loads of the first batch are on their way.
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

// The format knows no offsets: any type O of them has become slices.
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
