/*
 * Exercise 2 - a sum of squares: wide loads, and no tree in shared memory.
 *
 * Sum the squares: *d_out = x_0 * x_0 + x_1 * x_1 + ...  A second launch must not square the blocks' sums again.
 *
 * v9 adds up a block with warp shuffles, v11 loads 16 bytes at a time.  Write a sum that does both: at most v11's load
 * requests, and shared memory only for one number per warp.  `d_in` is aligned only to its type, so a step that loads
 * float4 must add the numbers before the first 16-byte boundary, and those after the last one, one at a time.
 * reduce_student gets the arguments of every step (chapter.h).  The skeleton writes nothing, so the test rejects it:
 *
 *     make exercise N=1 E=2
 *     make run N=1 STUDENT=work/01/e2.cu ARGS="--wide --only v9,v11,student"
 *     make grade N=1 E=2 STUDENT=work/01/e2.cu
 */
#include "chapter.h"

EXERCISE(SQUARES) // the function that make run compares with

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
