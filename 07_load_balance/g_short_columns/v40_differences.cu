/*
 * load_balance v40 - columns as differences in 16 bits
 *
 * From    v39
 * Was     v39 reads 8 bytes per nonzero (fp32), 4 of them for the column, which is seldom far from the one before it
 *         in the row.
 * Idea    The kernel reads a lane's first column in a slice in 32 bits, and for each later column the 16-bit
 *         difference to the one before.  0xffff means that the row has ended.  If one difference of the matrix does
 *         not fit into 16 bits, v39 runs instead.
 * Moves   6 + 4 / steps bytes per nonzero in fp32, 10 + 4 / steps in fp64; or as v39.
 * Expect  On a band of 81 columns it saves a quarter of v39's sectors in fp32 and a sixth in fp64, gathers not
 *         counted.  As many load requests as v39, and one more per slice.
 * Still   One difference that is too large affects the whole matrix.  And the host computes the differences: columns
 *         are copied there, and differences back.  (-> v41)
 * Needs   v39's plan and differences, made on the host (v40_differences_plan.c).  fp32 or fp64, 32- or 64-bit offsets.
 *         Deterministic.
 * Launch  As v39.
 * Source  K. Kourtis, G. Goumas, N. Koziris, Optimizing sparse matrix-vector multiplication using index and value
 *         compression (CF 2008): differences of columns; on the slices of v39 so that loads stay contiguous.
 */
#include "g_short_columns/v40_differences_plan.h"

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
    load_balance_v40_kernel(unsigned slices, unsigned places, const uint4 *__restrict__ slice,
                           const uint16_t *__restrict__ differences,
                           const int32_t *__restrict__ columns, const T *__restrict__ values,
                           const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y,
                           T *__restrict__ pieces)
{
    const unsigned lane = threadIdx.x % 32, number = blockIdx.x * WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    const unsigned steps = mine.y, lanes = 1u << mine.w, place = mine.z + (lane >> mine.w);
    columns += mine.x * (size_t)32 + lane;
    differences += mine.x * (size_t)32 + lane;
    values += mine.x * (size_t)32 + lane;

    int32_t at = steps > 0 ? __ldcs(columns) : -1; // the column that this lane has come to
    T sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; k += IN_FLIGHT) {
        int32_t col[IN_FLIGHT];
        T value[IN_FLIGHT];
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j) {
            col[j] = SELL_NONE;
            value[j] = 0;
            if (k + j < steps) {
                col[j] = __ldcs(&differences[(k + j) * (size_t)32]);
                value[j] = __ldcs(&values[(k + j) * (size_t)32]);
            }
        }
#pragma unroll
        for (unsigned j = 0; j < IN_FLIGHT; ++j)
            if (col[j] != SELL_NONE) {
                at += col[j];
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
static cudaError_t load_balance_v40_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                          cudaStream_t stream)
{
    const packed_plan *p = (const packed_plan *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    if (!p->differences) return load_balance_v39(A, plan, d_x, d_y, stream);
    load_balance_v40_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->slice,
                                                            p->differences,
                                                            p->columns, (const T *)p->values, p->place_row, d_x, d_y,
                                                            (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v40)

// Copies the slices and their columns to the host, and the differences back to the GPU.
static cudaError_t pack(packed_plan *p, host_memory_t *m)
{
    uint4 *slice;
    int32_t *columns;
    p->differences = nullptr;
    if (p->slices == 0) return cudaSuccess;
    TRY(plan_fetch(m, &slice, p->slice, p->slices));
    const size_t slots = 32 * ((size_t)slice[p->slices - 1].x + slice[p->slices - 1].y);
    TRY(plan_fetch(m, &columns, p->columns, slots));
    uint16_t *differences = (uint16_t *)host_take(m, slots, sizeof *differences);
    if (!differences) return cudaErrorMemoryAllocation;
    for (size_t s = 0; s < p->slices; ++s) {
        const size_t first = 32 * (size_t)slice[s].x;
        if (!sell_differences(&columns[first], slice[s].y, &differences[first])) return cudaSuccess; // v39 runs
    }
    p->differences = differences;
    return plan_upload(&p->memory, &p->differences, slots);
}

static cudaError_t create(const csr_arrays_t *A, void **plan, cudaStream_t stream)
{
    TRY(sell_plan_create(A, SELL_BY_RULE, false, plan, stream));
    return plan_extend_on_host<packed_plan>(plan, pack);
}

LOAD_BALANCE_PLAN(load_balance_v40_plan, packed_plan)
