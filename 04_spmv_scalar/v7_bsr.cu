/*
 * spmv_scalar v7 - BSR, one thread per row
 *
 * From    v1
 * Was     Matrices from meshes have a few unknowns at every node: their nonzeros form small
 *         dense blocks, and CSR stores a column for each.
 * Idea    BSR is CSR of B x B blocks, B = 2, 3 or 4, with one column index per block.  The B threads of a
 *         block row read it together, and their values side by side (blocks are stored by columns).
 * Moves   BSR: 4 + B * B * v bytes per block and o per block row; padding 1 - nnz / (B * B * blocks).
 * Expect  4 + 4 / (B * B) bytes per nonzero (fp32) where blocks are full: nearly half of CSR.  Good
 *         for finite elements, bad elsewhere: a lone nonzero brings B * B - 1 fillers.
 * Still   Block rows lie far apart in memory: as in v1, a warp's load touches many sectors,
 *         at most one for each block row.                                      (-> v8)
 * Needs   BSR with B = 2, 3 or 4, column-major blocks; fp32 or fp64.  A filler is multiplied: 0 times
 *         an infinite or NaN x is NaN, in rows that do not use that x.
 * Launch  grid = ceil(rows / 256), block = 256.
 * Source  E. Im, K. Yelick, Optimizing Sparse Matrix Computations for Register Reuse in
 *         SPARSITY (2001), for blocks.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <int B, typename O, typename T>
__global__ void spmv_scalar_v7_kernel(unsigned rows, unsigned cols, const O *__restrict__ row_offsets,
                                      const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                      const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;

    const unsigned i = row % B; // row within the block
    const O start = row_offsets[row / B], end = row_offsets[row / B + 1];
    T sum = 0;
#pragma unroll 1
    for (O b = start; b < end; ++b) {
        const unsigned first = (unsigned)col_indices[b] * B;
#pragma unroll
        for (unsigned j = 0; j < B; ++j) // the last block may extend past the matrix
            if (first + j < cols) sum += values[((size_t)b * B + j) * B + i] * x[first + j];
    }
    y[row] = sum;
}

template <int B, typename O, typename T>
static cudaError_t start_kernel(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    spmv_scalar_v7_kernel<B, O, T><<<blocks, BLOCK, 0, stream>>>(
        rows, (unsigned)A->cols, (const O *)A->bsr.row_offsets, A->bsr.col_indices, (const T *)A->bsr.values, d_x, d_y);
    return cudaGetLastError();
}

template <typename O, typename T>
static cudaError_t spmv_scalar_v7_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    switch (A->bsr.block) {
    case 2: return start_kernel<2, O, T>(A, d_x, d_y, stream);
    case 3: return start_kernel<3, O, T>(A, d_x, d_y, stream);
    case 4: return start_kernel<4, O, T>(A, d_x, d_y, stream);
    default: return cudaErrorInvalidValue;
    }
}

SPMV_SCALAR_STEP_OFFSETS(spmv_scalar_v7)
