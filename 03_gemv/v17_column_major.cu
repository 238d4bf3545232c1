/*
 * gemv v17 - column-major, one thread per row
 *
 * From    v1
 * Was     v1 gave a row to a thread and its loads lay a row apart.
 * Idea    Store A by columns, and the same kernel is coalesced: in turn c the 32 lanes
 *         read 32 neighbours of column c.  No shuffle, no sum across lanes.
 * Moves   Same bytes as any step; x[c] is one word for all lanes of a warp.
 * Expect  4 sectors per request, y stored in 128-byte pieces.  A million rows are a million
 *         threads: near the peak.  4096 rows are 128 warps, one for each SM: slow.
 * Still   A lane loads four bytes at a time.                               (-> v18)
 * Needs   Column-major A.  Any rows, any cols.
 * Launch  grid = ceil(rows / BLOCK), block = BLOCK.
 * Source  BLAS has stored matrices by columns since 1979; its GEMV therefore adds columns (AXPY).
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void __launch_bounds__(BLOCK)
    gemv_v17_kernel(size_t rows, size_t cols, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y)
{
    const size_t row = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;

    T sum = 0;
    for (size_t c = 0; c < cols; ++c) sum += A[c * rows + row] * x[c];
    y[row] = sum;
}

template <typename T>
static cudaError_t gemv_v17_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                  cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((rows + BLOCK - 1) / BLOCK);
    gemv_v17_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, cols, d_A, d_x, d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_COL, gemv_v17)
