/*
 * Exercise 2 - one request to the counter per warp.
 *
 * Compute y = A (x * x), with the square of each x.  No step of the course computes it.
 *
 * Each vector of v2 makes a request for every row.  Let lane 0 of a warp take 32 / LANES rows by one atomic add and
 * tell the other lanes by a shuffle: the vectors of the warp take one row each.  The warps repeat this until no row is
 * left.  spmv_lightspmv_student gets the arguments of every step (chapter.h).  The counter must be zero before each
 * call: a memset before the kernel does that.  The skeleton writes nothing, so the test rejects it:
 *
 *     make exercise N=6 E=2
 *     make run N=6 STUDENT=work/06/e2.cu ARGS="--wide --matrix random:8000,8000,60000 --only v2,v6,student"
 *     make grade N=6 E=2 STUDENT=work/06/e2.cu
 */
#include "chapter.h"

EXERCISE(SQUARES) // the function that make run compares with

enum { BLOCK = 256 };

template <int LANES, typename T, typename O>
__global__ void student_kernel(unsigned rows, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    // TODO: store y[row], for every row, empty rows included
    (void)rows, (void)row_offsets, (void)col_indices, (void)values, (void)x, (void)y, (void)counter;
}

template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                                 cudaStream_t stream)
{
    // TODO: use the grid of v6 or v7
    if (A->rows == 0) return cudaSuccess;
    student_kernel<LANES, T, O><<<1, BLOCK, 0, stream>>>((unsigned)A->rows, (const O *)A->row_offsets, A->col_indices,
                                                         (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_student)
