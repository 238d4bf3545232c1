/*
 * Exercise 2 - a vector of your own.
 *
 * Compute y = A (x * x), with the square of each x.  No step of the course computes it.
 *
 * v2 puts 32 lanes on every row.  Write a step that puts LANES lanes on a row, 2 to 32, and adds up their parts by
 * shuffles, without reading v3: a block of 256 threads has 256 / LANES rows, and a row's lanes read neighbours.
 * Every lane in the mask of a shuffle has to execute it, also the lanes without a row.
 * spmv_vector_student gets the arguments of every step (chapter.h).  The skeleton writes nothing; the test rejects it:
 *
 *     make exercise N=5 E=2
 *     make run N=5 STUDENT=work/05/e2.cu ARGS="--wide --matrix even:5000,5000,8 --only v2,v3,student"
 *     make grade N=5 E=2 STUDENT=work/05/e2.cu
 */
#include "chapter.h"

EXERCISE(SQUARES) // the function that make run compares with

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
    // TODO: how many blocks?
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    student_kernel<LANES, T><<<1, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices,
                                                      (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_student)
