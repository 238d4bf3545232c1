/*
 * load_balance v30 - the slices are built on the GPU
 *
 * From    v29
 * Was     v29's plan is built on the host: the matrix is copied there, transposed, and copied back.
 * Idea    A warp inspects each slice: its longest row gives the number of steps.  A scan over the slices gives their
 *         starts.  Then a warp fills each slice, step by step, with one lane per row.
 * Moves   The kernel as v29. The builder reads offsets twice, columns and values once, and writes the slices.
 * Expect  The same format, bit by bit.  Set-up takes the time of about ten products instead of a thousand.
 * Still   A slice is as long as its longest row, and long and short rows share slices.  (-> v31)
 * Needs   A plan (v30_slices_on_gpu_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  As v29.
 * Source  As v28.
 */
#include "f_sell/v28_slices_plan.h"

enum { BLOCK = 256, IN_FLIGHT = 8, BLOCKS_PER_SM = 4 };

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v30_kernel(unsigned rows, const uint32_t *__restrict__ first_step,
                            const int32_t *__restrict__ columns, const T *__restrict__ values,
                            const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x, slice = row / 32, lane = row % 32;
    if (row >= rows) return;
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
    y[row] = sum;
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v30_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    load_balance_v30_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, p->first_step, p->columns, (const T *)p->values,
                                                             d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v30)
