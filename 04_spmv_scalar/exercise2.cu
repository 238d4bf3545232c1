/*
 * Exercise 2 - four rows of an ELL in one load.
 *
 * Compute y = A (x * x), with the square of each x.  No step of the course computes it.
 *
 * ELL is stored by columns: the k-th entries of rows 0 to 3 are neighbours.  A thread that takes four rows can load
 * their four columns as an int4 and their four values as a float4: a quarter of v4's requests for the matrix, and as
 * many for x.  The arrays must be aligned to 16 bytes and rows a multiple of 4, because entry k of row 0 lies at
 * k * rows.  Process other matrices (and fp64, if you like) row by row, as in v4.  spmv_scalar_student gets the arrays
 * of ELL and of CSR (chapter.h).  The skeleton writes nothing, so the test rejects it:
 *
 *     make exercise N=4 E=2
 *     make run N=4 STUDENT=work/04/e2.cu ARGS="--wide --matrix poisson2d:60,64 --only v4,student"
 *     make grade N=4 E=2 STUDENT=work/04/e2.cu
 */
#include "chapter.h"

EXERCISE(SQUARES) // the function that make run compares with

enum { BLOCK = 256 };

template <typename T>
__global__ void student_kernel(unsigned rows, unsigned width, const int32_t *__restrict__ col_indices,
                               const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y)
{
    // TODO: store y[row] .. y[row + 3]; entry k of a row lies at k * rows + row, and a filler has column -1
    (void)rows, (void)width, (void)col_indices, (void)values, (void)x, (void)y;
}

template <typename T>
static cudaError_t spmv_scalar_student_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    // TODO: when may a thread load four rows at once, and what if it may not?
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    student_kernel<T><<<1, BLOCK, 0, stream>>>(rows, (unsigned)A->ell.width, A->ell.col_indices,
                                               (const T *)A->ell.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP(spmv_scalar_student)
