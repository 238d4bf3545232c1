/*
 * 03_gemv exercise - your own step
 *
 * Compute y = A |x|, with the absolute value of each x.  No step of the course computes it.
 *
 *     make exercise N=3 E=1                         a copy of this file, work/03/e1.cu
 *     make run N=3 STUDENT=work/03/e1.cu ARGS="--wide --rows 4096 --cols 16 --only v4,v17,student"
 *     make grade N=3 E=1 STUDENT=work/03/e1.cu      grades it
 *
 * Contract    y[r] = sum over c of A(r, c) * |x[c]|, for fp32 and fp64, both layouts, any rows and cols
 *             (0 and 1 too), every pointer aligned only to its type.  The kernel writes all of y and nothing
 *             past it; the same call twice gives the same bits.  chapter.h lists the arguments.
 * Without a GPU   the row is checked and counted: aim at 4 sectors per request for 4-byte loads, 16 for 16-byte
 *             loads, and at least 80 % useful bytes on 4096 x 16, in both layouts.
 * With a GPU  reach v4 on 1048576 x 16 and cuBLAS on 4096 x 4096, in both layouts.
 *
 * The skeleton writes nothing, so the test rejects it: y is still NaN.
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // the function that make run compares with

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
