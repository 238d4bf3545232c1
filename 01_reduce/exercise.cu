/*
 * Exercise - a sum of absolute values.
 *
 * Sum the absolute values: *d_out = |x_0| + |x_1| + ...  No step of the course does.
 *
 * reduce_student gets n numbers on the GPU, fp32 or fp64, and stores that sum in *d_out (chapter.h describes
 * the arguments).  The skeleton writes nothing, so the test rejects it:
 *
 *     make exercise N=1 E=1
 *     make run N=1 STUDENT=work/01/e1.cu ARGS="--wide --only v7,v8,student"
 *     make grade N=1 E=1 STUDENT=work/01/e1.cu
 */
#include "chapter.h"

EXERCISE(ABSOLUTE) // the function that make run compares with

enum { BLOCK = 256 };

template <typename T>
__global__ void student_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    // TODO: the sum of this block's numbers goes into sums[blockIdx.x]
    (void)in, (void)n, (void)sums;
}

template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *, unsigned long long *,
                                         cudaStream_t stream)
{
    // TODO: start more blocks and add up their sums
    student_kernel<T><<<1, BLOCK, 0, stream>>>(d_in, n, d_out);
    return cudaGetLastError();
}

REDUCE_STEP(reduce_student)
