/*
 * spmv_scalar v4 - ELL, one thread per row
 *
 * From    v1
 * Was     In v1 the k-th nonzeros of neighbouring rows lie a row apart.  v3 reads them side by side,
 *         but pays four bytes per nonzero for its row, and atomics.
 * Idea    Fill every row up to the longest, and store the k-th entries of all rows one after the
 *         other.  Each row has a thread, as in v1: it needs no row index and no atomic.
 * Moves   ELL: w * rows * (4 + v) bytes for the longest row w; padding 1 - nnz / (w * rows).  A
 *         filler's column is read, its value only if it shares a sector with others.
 * Expect  The k-th loads of a warp lie side by side: 4 sectors instead of up to 32.  Good for
 *         even rows (stencils, meshes); one long row makes the format too large for memory.
 * Still   Each slot has a column index of 4 bytes, though in many of these matrices it is the
 *         row's number plus a constant that is the same in all rows.           (-> v5)
 * Needs   ELL; fp32 or fp64.  Any rows, cols, width; fillers have column -1.
 * Launch  grid = ceil(rows / 256), block = 256.
 * Source  ELLPACK: D. Kincaid, T. Oppe, D. Young, ITPACKV 2D (1989); Bell and Garland (2008).
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void spmv_scalar_v4_kernel(unsigned rows, unsigned width, const int32_t *__restrict__ col_indices,
                                      const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;

    T sum = 0;
#pragma unroll 4 // all lanes iterate equally often
    for (unsigned k = 0; k < width; ++k) {
        const size_t slot = (size_t)k * rows + row;
        const int32_t col = col_indices[slot];
        if (col >= 0) sum += values[slot] * x[col]; // else a filler: 0 times an infinite x would be NaN
    }
    y[row] = sum;
}

template <typename T>
static cudaError_t spmv_scalar_v4_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows, blocks = (rows + BLOCK - 1) / BLOCK;
    if (blocks == 0) return cudaSuccess;
    spmv_scalar_v4_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, (unsigned)A->ell.width, A->ell.col_indices,
                                                           (const T *)A->ell.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP(spmv_scalar_v4)
