/*
 * load_balance v35 - V lanes per row, V by the mean row
 *
 * From    v34
 * Was     In v34 one lane processes a row of up to 1024 nonzeros, whatever the matrix.
 * Idea    V lanes share each row, as in v1, with the same V for the whole matrix: a mean row takes four to eight
 *         steps.  A warp still processes one slice, which now has 32 / V rows.  Shuffles add the sums of the lanes.
 * Moves   As v34; V times as many slices.
 * Expect  The longest slice has 1 / V of the steps, and so has the busiest warp where the mean row is long.
 *         With a mean of three nothing changes: V is 1.
 * Still   All rows have the same V: on a power law the mean is small, and long rows keep one lane.  (-> v36)
 * Needs   A plan (v35_lanes_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  One warp per slice, 8 slices per block; a second launch only if a row has been cut.
 * Source  A. Monakov, A. Lokhmotov, A. Avetisyan (HiPEAC 2010): several lanes per row.
 */
#include "f_sell/v35_lanes_plan.h"

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
    load_balance_v35_kernel(unsigned slices, unsigned places, unsigned log_lanes,
                            const uint32_t *__restrict__ first_step,
                            const int32_t *__restrict__ columns, const T *__restrict__ values,
                            const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y,
                            T *__restrict__ pieces)
{
    const unsigned lane = threadIdx.x % 32, slice = blockIdx.x * WARPS + threadIdx.x / 32, lanes = 1u << log_lanes;
    if (slice >= slices) return; // a whole warp
    const unsigned place = (slice * 32 + lane) >> log_lanes;
    const uint32_t start = first_step[slice], steps = first_step[slice + 1] - start;
    columns += start * (size_t)32 + lane;
    values += start * (size_t)32 + lane;

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
static cudaError_t load_balance_v35_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    load_balance_v35_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->log_lanes,
                                                             p->first_step, p->columns, (const T *)p->values,
                                                             p->place_row, d_x, d_y, (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v35)
