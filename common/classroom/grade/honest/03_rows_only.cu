// grade 3 1 exactly 0: "operation not supported"
// Returns an error for the other layout, which is honest but no solution.
#include "chapter.h"
template <typename T> __global__ void gemv(size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    const size_t row = (size_t)blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows) return;
    T sum = 0;
    for (size_t c = threadIdx.x % 32; c < cols; c += 32) sum += A[row * cols + c] * x[c];
    for (unsigned d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) y[row] = sum;
}
template <typename T>
static cudaError_t gemv_student_launch(size_t rows, size_t cols, const T *A, const T *x, T *y, T *, unsigned *, cudaStream_t stream)
{
    gemv<T><<<(unsigned)((rows + 7) / 8), 256, 0, stream>>>(rows, cols, A, x, y);
    return cudaGetLastError();
}
GEMV_STEP_FOR(GEMV_ROW, gemv_student)
