/*
 * load_balance v32 - all rows sorted: sigma is the number of rows
 *
 * From    v31
 * Was     v31 sorts windows of 1024 rows: each has slices of all lengths, and any of them may come last.
 * Idea    Sort all rows.  One word of the builder changes: the counts of a length are adjacent over all windows.
 * Moves   As v31 with still fewer fillers; the rows of a slice come from anywhere in the matrix, and so do their
 *         columns.
 * Expect  The long slices start first, so that none runs alone at the end.  Fewer sectors than v31 on power
 *         laws.
 * Still   Rows of one or two nonzeros give a lane one step, and one lane processes a dense row alone.
 *         (-> v33)
 * Needs   A plan (v32_sorted_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  As v30.
 * Source  As v31; their sigma may be anything up to all rows.
 */
#include "f_sell/v28_slices_plan.h"

enum { BLOCK = 256, IN_FLIGHT = 8, BLOCKS_PER_SM = 4 };

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v32_kernel(unsigned rows, const uint32_t *__restrict__ first_step,
                            const int32_t *__restrict__ columns, const T *__restrict__ values,
                            const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned place = blockIdx.x * BLOCK + threadIdx.x, slice = place / 32, lane = place % 32;
    if (place >= rows) return;
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
    y[place_row[place]] = sum;
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v32_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    load_balance_v32_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, p->first_step, p->columns, (const T *)p->values,
                                                             p->place_row, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v32)
