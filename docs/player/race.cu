/*
 * race.cu - v3 of the reduction without the barrier of its rounds: what the player shows of a race.
 *
 *     make play N=1 STUDENT=docs/player/race.cu
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void race_kernel(const T *__restrict__ in, size_t n, T *__restrict__ sums)
{
    __shared__ T partial[BLOCK];
    const unsigned tid = threadIdx.x;
    T sum = 0;
    for (size_t i = tid; i < n; i += BLOCK) sum += in[i];
    partial[tid] = sum;
    __syncthreads();

    for (unsigned s = BLOCK / 2; s > 0; s /= 2)
        if (tid < s) partial[tid] += partial[tid + s]; // who says that the other warp has written partial[tid + s]?

    if (tid == 0) *sums = partial[0];
}

template <typename T>
static cudaError_t reduce_student_launch(const T *d_in, size_t n, T *d_out, T *, unsigned long long *,
                                         cudaStream_t stream)
{
    race_kernel<T><<<1, BLOCK, 0, stream>>>(d_in, n, d_out);
    return cudaGetLastError();
}

REDUCE_STEP(reduce_student)
