/*
 * load_balance v41 - differences computed on the GPU, escape by the slice
 *
 * From    v40
 * Was     v40's differences are computed on the host, and one that does not fit affects the whole matrix.
 * Idea    A warp inspects each slice: each lane reads its columns one after the other and writes the differences.
 *         A vote decides whether all fit.  If not, this slice escapes: the kernel reads its columns instead.
 * Moves   As v40; where a slice escapes, as v39.  The builder reads the columns and writes half as many bytes.
 * Expect  Where all fit, the same differences, bit by bit, so the same counts.  Set-up takes little longer than v39's.
 * Still   A request loads 32 differences of 2 bytes; with 4-byte words it would load twice as many.  (-> v42)
 * Needs   v39's plan and differences, made on the GPU.  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  As v39.
 * Source  As v40.
 */
#include "g_short_columns/v40_differences_plan.h"

constexpr uint32_t SELL_WIDE = 1u << 31; // a bit of a slice's record, beside its lanes: a difference did not fit
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
    load_balance_v41_kernel(unsigned slices, unsigned places, const uint4 *__restrict__ slice,
                           const uint16_t *__restrict__ differences,
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
    differences += mine.x * (size_t)32 + lane;
    values += mine.x * (size_t)32 + lane;

    const int32_t none = wide ? -1 : (int32_t)SELL_NONE;
    int32_t at = steps > 0 && !wide ? __ldcs(columns) : -1; // the column that this lane has come to
    T sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; k += IN_FLIGHT) {
        int32_t col[IN_FLIGHT];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = none;
            value[j] = 0;
            if (k + j < steps) {
                col[j] = wide ? __ldcs(&columns[(k + j) * (size_t)32]) : __ldcs(&differences[(k + j) * (size_t)32]);
                value[j] = __ldcs(&values[(k + j) * (size_t)32]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] != none) {
                at = wide ? col[j] : at + col[j];
                sum += value[j] * __ldg(&x[at]);
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
static cudaError_t load_balance_v41_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                          cudaStream_t stream)
{
    const packed_plan *p = (const packed_plan *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    load_balance_v41_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->slice,
                                                            p->differences,
                                                            p->columns, (const T *)p->values, p->place_row, d_x, d_y,
                                                            (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v41)

// One warp per slice computes the differences of its columns, and whether all of them fit into 16 bits.
static __global__ void differences_kernel(size_t slices, uint4 *slice, const int32_t *__restrict__ columns,
                                          uint16_t *__restrict__ differences)
{
    const size_t number = blockIdx.x * (size_t)WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    columns += mine.x * (size_t)32 + threadIdx.x % 32;
    differences += mine.x * (size_t)32 + threadIdx.x % 32;
    bool fits = true;
    int32_t before = mine.y ? columns[0] : -1;
#pragma unroll 1
    for (uint32_t k = 0; k < mine.y; ++k) {
        const int32_t col = columns[k * (size_t)32];
        const uint32_t difference = col >= 0 ? (uint32_t)col - (uint32_t)before : (uint32_t)SELL_NONE;
        if (col >= 0) fits = fits && difference < SELL_NONE; // a negative difference does not fit either
        differences[k * (size_t)32] = (uint16_t)difference;
        before = col;
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
    TRY(plan_take(&p->memory, &p->differences, 32 * (last.x + (size_t)last.y)));
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    differences_kernel<<<blocks, BLOCK, 0, stream>>>(p->slices, p->slice, p->columns, p->differences);
    TRY(cudaGetLastError());
    return cudaStreamSynchronize(stream);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    TRY(sell_plan_create(A, SELL_BY_RULE, false, plan, stream));
    return plan_extend<packed_plan>(plan, [=](packed_plan *p, plan_memory_t *) { return pack(p, stream); });
}

LOAD_BALANCE_PLAN(load_balance_v41_plan, packed_plan)
