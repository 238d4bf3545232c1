/*
 * Exercise - an ELL that knows where a row ends.
 *
 * Compute y = A |x|, with the absolute value of each x.  No step of the course computes it.
 *
 * v4 reads the whole width of every row, fillers included.  The fillers of a row come after its entries, so a thread
 * can stop at the first filler.  Better still, it need not load any: A->csr.row_offsets gives the length of the row.
 * spmv_scalar_student gets the arrays of ELL and of CSR (chapter.h).  The skeleton writes nothing, so the test
 * rejects it:
 *
 *     make exercise N=4 E=1
 *     make run N=4 STUDENT=work/04/e1.cu ARGS="--wide --matrix random:5000,5000,30000 --only v1,v4,student"
 *     make grade N=4 E=1 STUDENT=work/04/e1.cu
 *
 * Done when the row says ok with fewer sectors read than v1 and than v4 (on a GPU: is faster than v1).  Then try
 * --matrix empty_rows:5000,7: the offsets cost more than they save there.  Why, and what would you store instead?
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // the function that make run compares with

enum { BLOCK = 256 };

template <typename O, typename T>
__global__ void student_kernel(unsigned rows, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y)
{
    // TODO: store y[row], for every row, empty rows included
    (void)rows, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y;
}

template <typename O, typename T>
static cudaError_t spmv_scalar_student_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    student_kernel<O, T><<<1, BLOCK, 0, stream>>>(rows, (const O *)A->csr.row_offsets, A->ell.col_indices,
                                                  (const T *)A->ell.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP_OFFSETS(spmv_scalar_student)
