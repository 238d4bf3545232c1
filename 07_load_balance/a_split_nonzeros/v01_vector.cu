/*
 * load_balance v1 - a vector of lanes per row, as many as the mean row can use
 *
 * Was     This is the starting point: v3 of chapter 05, for both offset types.
 * Idea    LANES lanes share a row, 2 to 32 by the mean row length; the GPU schedules blocks of rows.
 * Moves   Every value, column and offset once; x by gathers; y once.
 * Expect  Good if rows have similar lengths.  Otherwise the longest row decides: in a matrix of mean 2, two
 *         lanes process a row of a million long after all other lanes are done.
 * Still   A warp works as long as its longest row, a block as long as its longest warp, the
 *         GPU as long as its longest block.                           (-> v2)
 * Needs   fp32 or fp64, 32- or 64-bit offsets.  No plan.  Deterministic.
 * Launch  grid = ceil(rows / VECTORS), block = 256 = VECTORS vectors of LANES.
 * Source  N. Bell, M. Garland, CUSP's csr_vector (2008); 05_spmv_vector/v03_lanes_by_mean.cu.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <int LANES, typename T, typename O>
__global__ void load_balance_v1_kernel(unsigned rows, const O *__restrict__ row_offsets,
                                       const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                       const T *__restrict__ x, T *__restrict__ y)
{
    constexpr unsigned VECTORS = BLOCK / LANES;
    const unsigned lane = threadIdx.x % LANES;
    const unsigned row = blockIdx.x * VECTORS + threadIdx.x / LANES;

    // A vector past the last row processes an empty row: its lanes must take part in the sum.
    O start = 0, end = 0;
    if (row < rows) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }

    T sum = 0;
#pragma unroll 1
    for (O nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];

#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T, typename O>
static cudaError_t start_kernel(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    load_balance_v1_kernel<LANES, T, O><<<blocks, BLOCK, 0, stream>>>(rows, (const O *)A->row_offsets, A->col_indices,
                                                                      (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

template <typename T, typename O>
static cudaError_t load_balance_v1_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y, cudaStream_t stream)
{
    const double mean = A->rows ? (double)A->nnz / (double)A->rows : 0;
    if (mean <= 3) return start_kernel<2, T, O>(A, d_x, d_y, stream);
    if (mean <= 8) return start_kernel<4, T, O>(A, d_x, d_y, stream);
    if (mean <= 16) return start_kernel<8, T, O>(A, d_x, d_y, stream);
    if (mean <= 32) return start_kernel<16, T, O>(A, d_x, d_y, stream);
    return start_kernel<32, T, O>(A, d_x, d_y, stream);
}

LOAD_BALANCE_STEP(load_balance_v1)
