/*
 * spmv_scalar v8 - BSR, one warp per block row
 *
 * From    v7
 * Was     In v7 threads that are B rows apart read addresses that are a whole block row apart.
 * Idea    The values of a block row are contiguous in memory.  A warp reads 32 of them at a time
 *         (27 for B = 3): lane l always has the same position in a block, so it keeps one sum,
 *         and at the end the lanes of a row are added by shuffles.
 * Moves   BSR as in v7.
 * Expect  Requests touch the fewest sectors possible.  Good for block rows of 8 blocks and more;
 *         shorter ones leave most lanes idle.
 * Still   Each of these formats is the best for some matrices and poor for others. (-> v9)
 * Needs   BSR with B = 2, 3 or 4, column-major blocks; fp32 or fp64.  Fillers as in v7.
 * Launch  grid = ceil(block rows / 8), block = 256 = 8 warps.
 * Source  R. Eberhardt, M. Hoemmen, Optimization of Block Sparse Matrix-Vector Multiplication on
 *         Shared-Memory Parallel Architectures (2016), by column.
 */
#include "chapter.h"

enum { BLOCK = 256, LANES = 32, WARPS = BLOCK / LANES };

template <int B, typename O, typename T>
__global__ void spmv_scalar_v8_kernel(unsigned rows, unsigned cols, unsigned block_rows,
                                      const O *__restrict__ row_offsets, const int32_t *__restrict__ col_indices,
                                      const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y)
{
    constexpr unsigned AT_ONCE = LANES / (B * B); // blocks a warp reads at once
    const unsigned lane = threadIdx.x % LANES, block_row = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (block_row >= block_rows) return; // the whole warp

    const unsigned i = lane % B, j = lane / B % B; // row and column within the block
    const O start = row_offsets[block_row], end = row_offsets[block_row + 1];
    T sum = 0;
    if (lane < AT_ONCE * B * B) {
#pragma unroll 1
        for (O b = start + lane / (B * B); b < end; b += AT_ONCE) {
            const unsigned col = (unsigned)col_indices[b] * B + j;
            if (col < cols) sum += values[((size_t)b * B + j) * B + i] * x[col];
        }
    }

    // Add over the blocks in flight, then over the columns of a block: lanes 0 .. B - 1 get the sums of the rows.
    T total = sum;
#pragma unroll
    for (unsigned k = 1; k < AT_ONCE; ++k) total += __shfl_down_sync(0xffffffffu, sum, k * B * B);
    sum = total;
#pragma unroll
    for (unsigned k = 1; k < B; ++k) total += __shfl_down_sync(0xffffffffu, sum, k * B);
    const unsigned row = block_row * B + i;
    if (lane < B && row < rows) y[row] = total;
}

template <int B, typename O, typename T>
static cudaError_t start_kernel(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned block_rows = (unsigned)A->bsr.block_rows, blocks = (block_rows + WARPS - 1) / WARPS;
    if (blocks == 0) return cudaSuccess;
    spmv_scalar_v8_kernel<B, O, T><<<blocks, BLOCK, 0, stream>>>(
        (unsigned)A->rows, (unsigned)A->cols, block_rows, (const O *)A->bsr.row_offsets, A->bsr.col_indices,
        (const T *)A->bsr.values, d_x, d_y);
    return cudaGetLastError();
}

template <typename O, typename T>
static cudaError_t spmv_scalar_v8_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    switch (A->bsr.block) {
    case 2: return start_kernel<2, O, T>(A, d_x, d_y, stream);
    case 3: return start_kernel<3, O, T>(A, d_x, d_y, stream);
    case 4: return start_kernel<4, O, T>(A, d_x, d_y, stream);
    default: return cudaErrorInvalidValue;
    }
}

SPMV_SCALAR_STEP_OFFSETS(spmv_scalar_v8)
