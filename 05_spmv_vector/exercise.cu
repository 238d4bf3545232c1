/*
 * Exercise - rows of one nonzero.
 *
 * What is asked for is y = A |x|: the absolute value of each x.  No step of the course computes it.
 *
 * In `diagonal:20000` every row has one nonzero, and even 2 lanes per row leave every other lane idle.  Write a
 * step that gives each lane a row of its own where rows are that short, and v3's vectors where they are not.
 * spmv_vector_student gets what every step gets (chapter.h).  As it stands it writes nothing, and the
 * course says so:
 *
 *     make exercise N=5 E=1
 *     make run N=5 STUDENT=work/05/e1.cu ARGS="--matrix diagonal:20000 --only v3,student"
 *     make grade N=5 E=1 STUDENT=work/05/e1.cu
 *
 * Done when the row says ok with half of the load requests of v3 (on a GPU: is faster), and is still
 * ok for --matrix powerlaw:2000,2000,12000.
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // what make run compares it with

enum { BLOCK = 256 };

template <int LANES, typename T>
__global__ void student_kernel(unsigned rows, const uint32_t *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y)
{
    // TODO: y[row], for every row, empty ones included
    (void)rows, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    // TODO: A->nnz and A->rows say how long the mean row is
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    student_kernel<LANES, T><<<1, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                      (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_student)
