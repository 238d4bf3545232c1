/*
 * gemv v2 - one warp per row
 *
 * From    v1
 * Was     In v1 neighbouring lanes read a row apart.
 * Idea    Give the row to the 32 lanes of a warp: lane l takes elements l, l + 32,
 *         l + 64, ...  Their sums are added by shuffles at the end.
 * Moves   Same as v1, without reading anything twice.
 * Expect  128 bytes from 4 sectors instead of 32: long rows (4096 and more) come
 *         near the GPU's bandwidth.  A row of 16 keeps half of the lanes
 *         idle and still pays five shuffles.
 * Still   A lane has one 4-byte load in flight at a time.               (-> v3)
 * Needs   Row-major A, BLOCK a multiple of 32.  Any rows, any cols.
 * Launch  grid = ceil(rows / 8), block = BLOCK = 8 warps.
 * Source  N. Bell, M. Garland, SpMV on CUDA (2008), the vector kernel, for a dense row.
 */
#include "chapter.h"

enum { BLOCK = 256, WARPS = BLOCK / 32 };

// Lane 0 gets the sum over the 32 lanes of its warp.
template <typename T>
static __device__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK)
    gemv_v2_kernel(size_t rows, size_t cols, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % 32;
    const size_t row = (size_t)blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return; // the whole warp

    T sum = 0;
#pragma unroll 1
    for (size_t c = lane; c < cols; c += 32) sum += A[row * cols + c] * x[c];
    sum = sum_warp(sum);
    if (lane == 0) y[row] = sum;
}

template <typename T>
static cudaError_t gemv_v2_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                  cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((rows + WARPS - 1) / WARPS);
    gemv_v2_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, cols, d_A, d_x, d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v2)
