/*
 * Exercise 2 - wide loads where a matrix allows them.
 *
 * Compute y = A (x * x), with the square of each x.  No step of the course computes it.
 *
 * v3 gives a warp to a row and loads 16 bytes at a time; v4 shares the warp among short rows.  Both need rows that
 * begin at a 16-byte boundary, and fall back on v2 where they do not.  Write a step for both layouts that loads rows of
 * 512 floats as v3 does, and rows of 509 with no more sectors than v2.  Two things decide: is A aligned to 16 bytes,
 * and is cols (by columns: rows) a multiple of the elements in 16 bytes?  gemv_student gets the arguments of every step
 * (chapter.h).  The skeleton writes nothing, so the test rejects it:
 *
 *     make exercise N=3 E=2
 *     make run N=3 STUDENT=work/03/e2.cu ARGS="--wide --rows 500 --cols 512 --only v2,v3,student"
 *     make grade N=3 E=2 STUDENT=work/03/e2.cu
 */
#include "chapter.h"

EXERCISE(SQUARES) // the function that make run compares with

enum { STUDENT_BLOCK = 256 };

template <typename T>
__global__ void __launch_bounds__(STUDENT_BLOCK)
    gemv_student_kernel(gemv_layout_t layout, size_t rows, size_t cols, const T *__restrict__ A,
                        const T *__restrict__ x, T *__restrict__ y)
{
    // TODO: which thread reads which element?  Neighbouring lanes should read neighbours, in either layout.
    (void)layout, (void)rows, (void)cols, (void)A, (void)x, (void)y;
}

template <typename T>
static cudaError_t launch(gemv_layout_t layout, size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y,
                          cudaStream_t stream)
{
    // TODO: how many blocks?
    gemv_student_kernel<T><<<1, STUDENT_BLOCK, 0, stream>>>(layout, rows, cols, d_A, d_x, d_y);
    return cudaGetLastError();
}

extern "C" cudaError_t gemv_student(GEMV_ARGS)
{
    (void)d_sums, (void)d_words; // scratch memory, if you need it
    if (dtype == DTYPE_F64)
        return launch(layout, rows, cols, (const double *)d_A, (const double *)d_x, (double *)d_y, stream);
    return launch(layout, rows, cols, (const float *)d_A, (const float *)d_x, (float *)d_y, stream);
}
