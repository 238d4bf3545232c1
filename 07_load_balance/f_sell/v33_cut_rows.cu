/*
 * load_balance v33 - long rows are cut
 *
 * From    v32
 * Was     In v32 one lane processes a dense row, and 31 other rows are filled up to its length.
 * Idea    A row above 1024 nonzeros is cut into pieces of that length, and each piece is treated like a row: it is
 *         sorted and placed in a slice.  Its sum is added to y by an atomic, so y is cleared first.
 * Moves   As v32 without the fillers of long rows; y once more, and one atomic per piece.
 * Expect  No slice has more than 1024 steps: on one dense row half the sectors of v32, and the busiest block a tenth
 *         of v32's.
 * Still   The pieces of a row are added in any order, NOT DETERMINISTIC; and y is cleared by a separate launch.
 *         (-> v34)
 * Needs   A plan (v33_cut_rows_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Not deterministic where a
 *         row is cut.
 * Launch  a memset of y, then one thread per slot, 256 per block.
 * Source  As v32; merge-path also cuts long rows, but in every run.
 */
#include "f_sell/v33_cut_rows_plan.h"

enum { BLOCK = 256, IN_FLIGHT = 8, BLOCKS_PER_SM = 4 };

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v33_kernel(unsigned places, const uint32_t *__restrict__ first_step,
                            const int32_t *__restrict__ columns, const T *__restrict__ values,
                            const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned place = blockIdx.x * BLOCK + threadIdx.x, slice = place / 32, lane = place % 32;
    if (place >= places) return;
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
    const uint32_t row = place_row[place];
    if (row & SELL_PIECE) atomicAdd(&y[row & ~SELL_PIECE], sum);
    else y[row] = sum;
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v33_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned places = (unsigned)p->places, blocks = (places + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    TRY(cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream));
    load_balance_v33_kernel<T><<<blocks, BLOCK, 0, stream>>>(places, p->first_step, p->columns, (const T *)p->values,
                                                             p->place_row, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_v33)
