/*
 * Exercise 2 - a segmented sum of your own.
 *
 * Compute y = A (x * x), with the square of each x.  No step of the course computes it.
 *
 * Exercise 1 adds every lane's part of a row to y by an atomic.  Most parts of a row lie in one block: let a block take
 * a tile of adjacent nonzeros, keep the products in shared memory, and flag where rows begin.  A thread adds up
 * adjacent products, and a scan over the block combines the partial sums.  Then only two rows of a tile need an atomic:
 * the one that began in an earlier tile, and the last.  Use no more atomics and load requests than v6.  search.h has a
 * search by a warp.  load_balance_student gets the arguments of every step (chapter.h; there is no plan).  The skeleton
 * leaves y at 0, so the test rejects it:
 *
 *     make exercise N=7 E=2
 *     make run N=7 STUDENT=work/07/e2.cu ARGS="--wide --matrix powerlaw:5000,5000,60000 --only v6,student"
 *     make grade N=7 E=2 STUDENT=work/07/e2.cu
 */
#include "chapter.h"

EXERCISE(SQUARES) // the function that make run compares with

enum { BLOCK = 256, PER_LANE = 8, PER_BLOCK = BLOCK * PER_LANE };

template <typename T, typename O>
__global__ void student_kernel(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y)
{
    // TODO: compute the products of this block's tile, flag its row starts, and add up by rows
    (void)rows, (void)nnz, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y;
}

template <typename T, typename O>
static cudaError_t load_balance_student_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y,
                                               cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((A->nnz + PER_BLOCK - 1) / PER_BLOCK);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    student_kernel<T, O><<<blocks, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz, (const O *)A->row_offsets,
                                                       A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_student)
