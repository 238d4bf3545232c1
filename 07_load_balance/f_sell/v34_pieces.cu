/*
 * load_balance v34 - the pieces of a row are added in order
 *
 * From    v33
 * Was     v33 adds the pieces of a row to y by atomics, in any order, and clears y before.
 * Idea    Pieces are numbered, and piece i writes its sum to element i of an array.  The builder lists the rows that
 *         are cut, with their first piece; a second kernel adds the pieces of each, always in the same order.
 * Moves   As v33 without clearing y; two numbers per piece.
 * Expect  v33's counts without its atomics, and the same bits in every run: DETERMINISTIC.  No second launch where no
 *         row is cut.
 * Still   A lane has up to 1024 steps while others have one; a matrix of few rows uses few lanes.  (-> v35)
 * Needs   A plan (v34_pieces_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  One thread per slot, 256 per block; a second launch (plan/pieces.cu) only if a row has been cut.
 * Source  As v33; the second kernel is like that for the carries of v8.
 */
#include "f_sell/v34_pieces_plan.h"

enum { BLOCK = 256, IN_FLIGHT = 8, BLOCKS_PER_SM = 4 };

template <typename T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    load_balance_v34_kernel(unsigned places, const uint32_t *__restrict__ first_step,
                            const int32_t *__restrict__ columns, const T *__restrict__ values,
                            const uint32_t *__restrict__ place_row, const T *__restrict__ x, T *__restrict__ y,
                            T *__restrict__ pieces)
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
    if (row & SELL_PIECE) pieces[row & ~SELL_PIECE] = sum;
    else y[row] = sum;
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v34_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                           cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned places = (unsigned)p->places, blocks = (places + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    load_balance_v34_kernel<T><<<blocks, BLOCK, 0, stream>>>(places, p->first_step, p->columns, (const T *)p->values,
                                                             p->place_row, d_x, d_y, (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v34)
