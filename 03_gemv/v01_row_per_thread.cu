/*
 * gemv v1 - one thread per row
 *
 * Was     One CPU core multiplies row after row.
 * Idea    The rows do not depend on each other: give each one to a thread.
 * Moves   rows * cols elements of A, x and y, which is the minimum.
 * Expect  Far from the GPU's bandwidth: in every iteration the 32 lanes of a warp
 *         load 32 elements a whole row apart, so 32 sectors of 32 bytes for 128
 *         bytes. Caches save some of it while the rows are short.  With few rows (64
 *         x 1048576) 64 threads work and the rest of the GPU is idle.
 * Still   Neighbouring lanes read far apart.                            (-> v2)
 * Needs   Row-major A.  Any rows, any cols.
 * Launch  grid = ceil(rows / BLOCK), block = BLOCK.
 * Source  The loop of the definition.
 */
#include "chapter.h"

enum { BLOCK = 256 };

template <typename T>
__global__ void __launch_bounds__(BLOCK)
    gemv_v1_kernel(size_t rows, size_t cols, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y)
{
    const size_t row = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;

    T sum = 0;
    for (size_t c = 0; c < cols; ++c) sum += A[row * cols + c] * x[c];
    y[row] = sum;
}

template <typename T>
static cudaError_t gemv_v1_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                  cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((rows + BLOCK - 1) / BLOCK);
    gemv_v1_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, cols, d_A, d_x, d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v1)
