/*
 * load_balance v38 - the builder allocates memory once
 *
 * From    v37
 * Was     v37's builder calls cudaMalloc for every array: nine scratch arrays and six that the plan keeps.
 * Idea    The sizes of the scratch arrays follow from rows and nonzeros: they are parts of one allocation.  The arrays
 *         that the plan keeps are parts of a second; only the columns and the lists of cut rows are allocated
 *         separately.
 * Moves   The kernel as v37.
 * Expect  The same format.  A shorter set-up: a call of cudaMalloc takes longer than a kernel of the builder.
 * Still   Rows are sorted even if all have similar lengths, and then x is gathered from distant addresses.  (-> v39)
 * Needs   A plan (v38_one_allocation_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  As v35.
 * Source  As v37.
 */
#include "f_sell/v36_lanes_by_slice_plan.h"

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
    load_balance_v38_kernel(unsigned slices, unsigned places, const uint4 *__restrict__ slice,
                           const int32_t *__restrict__ columns, const T *__restrict__ values,
                           const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y,
                           T *__restrict__ pieces)
{
    const unsigned lane = threadIdx.x % 32, number = blockIdx.x * WARPS + threadIdx.x / 32;
    if (number >= slices) return; // a whole warp
    const uint4 mine = slice[number];
    const unsigned steps = mine.y, lanes = 1u << mine.w, place = mine.z + (lane >> mine.w);
    columns += mine.x * (size_t)32 + lane;
    values += mine.x * (size_t)32 + lane;

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

    sum = sum_row(sum, lanes);
    if (lane % lanes == 0 && place < places) {
        const uint32_t row = place_row[place];
        if (row & SELL_PIECE) pieces[row & ~SELL_PIECE] = sum;
        else y[row] = sum;
    }
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v38_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                          cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    load_balance_v38_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->slice,
                                                            p->columns, (const T *)p->values, p->place_row, d_x, d_y,
                                                            (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v38)
