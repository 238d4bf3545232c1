/*
 * load_balance v42 - two differences in a word
 *
 * From    v41
 * Was     A request of v41 loads 32 differences of 2 bytes; with 4-byte words it would load twice as many.
 * Idea    Two differences of a lane share a word, those of the steps 2 w and 2 w + 1.  Eight steps are four words,
 *         loaded together with their values.
 * Moves   As v41.
 * Expect  Half the load requests for columns; v41's sectors.
 * Still   The difference of a slice's first step is always 0, and the first column is read from another array.  Each
 *         step tests whether the slice is wide.  (-> v43)
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

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v42_kernel(unsigned slices, unsigned places, const uint4 *__restrict__ slice,
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

    int32_t at = steps > 0 && !wide ? __ldcs(columns) : -1; // the column that this lane has come to
    T sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; k += IN_FLIGHT) {
        int32_t col[IN_FLIGHT];
        uint32_t word[IN_FLIGHT / 2];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = -1;
            if (j % 2 == 0) word[j / 2] = 0xffffffffu;
            value[j] = 0;
            if (k + j < steps) {
                if (wide) col[j] = __ldcs(&columns[(k + j) * (size_t)32]);
                else if (j % 2 == 0) word[j / 2] = __ldcs(&words[(k + j) / 2 * (size_t)32]);
                value[j] = __ldcs(&values[(k + j) * (size_t)32]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            const uint32_t difference = j % 2 ? word[j / 2] >> 16 : word[j / 2] & 0xffff;
            if (wide ? col[j] >= 0 : difference != SELL_NONE) {
                at = wide ? col[j] : at + (int32_t)difference;
                sum += value[j] * __ldg(&x[at]);
            }
        }
    }

    sum = sum_row(sum, lanes);
    if (lane % lanes == 0 && place < places) {
        const uint32_t row = place_row ? place_row[place] : place;
        if (row & SELL_PIECE) pieces[row & ~SELL_PIECE] = sum;
        else y[row] = sum;
    }
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v42_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                          cudaStream_t stream)
{
    const packed_plan *p = (const packed_plan *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    load_balance_v42_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->slice,
                                                            p->words,
                                                            p->columns, (const T *)p->values, p->place_row, d_x, d_y,
                                                            (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v42)

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
#pragma unroll 1
    for (uint32_t w = 0; 2 * w < mine.y; ++w) {
        uint32_t word = 0;
        for (uint32_t half = 0; half < 2; ++half) {
            const uint32_t k = 2 * w + half;
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

LOAD_BALANCE_PLAN(load_balance_v42_plan, packed_plan)
