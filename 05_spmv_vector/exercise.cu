/*
 * Exercise - rows of one nonzero.
 *
 * Compute y = A |x|, with the absolute value of each x.  No step of the course computes it.
 *
 * In `diagonal:20000` every row has one nonzero, and even 2 lanes per row leave every other lane idle.  Write a
 * step that gives each lane one row where rows are that short, and uses v3's vectors where they are longer.
 * spmv_vector_student gets the arguments of every step (chapter.h).  The skeleton writes nothing, so the
 * test rejects it:
 *
 *     make exercise N=5 E=1
 *     make run N=5 STUDENT=work/05/e1.cu ARGS="--wide --matrix diagonal:20000 --only v3,student"
 *     make grade N=5 E=1 STUDENT=work/05/e1.cu
 *
 * Done when the row says ok with half of the load requests of v3 (on a GPU: is faster), and is still
 * ok for --matrix powerlaw:2000,2000,12000.
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // the function that make run compares with

enum { BLOCK = 256 };

template <int LANES, typename T>
__global__ void student_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y)
{
    // TODO: store y[row], for every row, empty rows included
    (void)rows, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    // TODO: compute the mean row length from A->nnz and A->rows
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    student_kernel<LANES, T><<<1, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                      (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_student)
