/*
 * load_balance v39 - SELL by rule: sorted only where it pays
 *
 * From    v38
 * Was     v38 sorts all rows, even if their lengths are similar: adjacent rows no longer share parts of x and y.
 * Idea    The builder first forms slices in the order of the matrix.  Only if fillers exceed 15 %, and sorting saves
 *         a tenth of all entries, it sorts all rows (sigma = rows).  Rows that stay in place need no
 *         place_row.
 * Moves   Matrix once with its fillers (a filler is read, but not multiplied); 16 bytes per slice instead of row
 *         offsets; y once, and 4 bytes per row where rows are sorted.
 * Expect  Nine tenths of the CSR roofline on large even local matrices: all loads are contiguous, and eight steps of
 *         them are in flight.  On skewed ones long slices start first and no warp has more than 64 steps.  No gain
 *         where columns are random.
 * Still   A column takes 4 of 8 bytes, though neighbours in a row are close together.  (-> v40)
 * Needs   A plan (v39_sell_plan.cu, on the GPU).  fp32 or fp64, 32- or 64-bit offsets.  Deterministic.
 * Launch  One warp per slice, 8 slices per block; a second launch only if a row has been cut.
 * Source  M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. Bishop, SIAM J. Sci.  Comput.  36(5), 2014; for several
 *         lanes per row: A. Monakov, A. Lokhmotov, A. Avetisyan, HiPEAC 2010.
 */
#include "f_sell/v39_sell_plan.h"

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
    load_balance_v39_kernel(unsigned slices, unsigned places, const uint4 *__restrict__ slice,
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
        const uint32_t row = place_row ? place_row[place] : place;
        if (row & SELL_PIECE) pieces[row & ~SELL_PIECE] = sum;
        else y[row] = sum;
    }
}

// The format has no offsets: the kernel is the same for every type O.
template <typename T, typename O>
static cudaError_t load_balance_v39_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y,
                                          cudaStream_t stream)
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    const unsigned blocks = (unsigned)((p->slices + WARPS - 1) / WARPS);
    if (blocks == 0) return cudaSuccess;
    load_balance_v39_kernel<T><<<blocks, BLOCK, 0, stream>>>((unsigned)p->slices, (unsigned)p->places, p->slice,
                                                            p->columns, (const T *)p->values, p->place_row, d_x, d_y,
                                                            (T *)p->pieces);
    TRY(cudaGetLastError());
    return plan_add_pieces(p->run, p->runs, p->pieces, false, d_y, A->value_type, stream);
}

LOAD_BALANCE_STEP(load_balance_v39)
