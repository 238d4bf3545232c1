// grade 3 1 exactly 100: *
#include "chapter.h"
enum { BLOCK = 128 };
template <int LANES, typename T> __global__ void by_row(size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    const unsigned lane = threadIdx.x & (LANES - 1);
    const size_t row = (blockIdx.x * (size_t)BLOCK + threadIdx.x) / LANES;
    T sum = 0;
    if (row < rows)
        for (size_t c = lane; c < cols; c += LANES) sum = fma(A[row * cols + c], x[c], sum);
#pragma unroll
    for (unsigned d = LANES / 2; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d, LANES);
    if (lane == 0 && row < rows) y[row] = sum;
}
template <typename T> __global__ void by_column(size_t rows, size_t cols, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y)
{
    for (size_t r = blockIdx.x * (size_t)BLOCK + threadIdx.x; r < rows; r += (size_t)BLOCK * gridDim.x) {
        T sum = 0;
        for (size_t c = 0; c < cols; ++c) sum += A[c * rows + r] * x[c];
        y[r] = sum;
    }
}
template <typename T>
static cudaError_t go(gemv_layout_t layout, size_t rows, size_t cols, const T *A, const T *x, T *y, cudaStream_t stream)
{
    if (rows == 0) return cudaSuccess;
    if (layout == GEMV_COL) by_column<T><<<(unsigned)((rows + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(rows, cols, A, x, y);
    else if (cols <= 8) by_row<8, T><<<(unsigned)((rows * 8 + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(rows, cols, A, x, y);
    else if (cols <= 16) by_row<16, T><<<(unsigned)((rows * 16 + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(rows, cols, A, x, y);
    else by_row<32, T><<<(unsigned)((rows * 32 + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(rows, cols, A, x, y);
    return cudaGetLastError();
}
extern "C" cudaError_t gemv_student(GEMV_ARGS)
{
    (void)d_sums;
    (void)d_words;
    if (dtype == DTYPE_F64) return go(layout, rows, cols, (const double *)d_A, (const double *)d_x, (double *)d_y, stream);
    else return go(layout, rows, cols, (const float *)d_A, (const float *)d_x, (float *)d_y, stream);
}
