// grade 3 2 exactly 80: *
// The number of lanes per row from a table in constant memory; narrow loads only.
#include "chapter.h"
#include <limits.h>
struct shape { unsigned columns, lanes; };
__constant__ shape table_on_gpu[] = {{4, 4}, {8, 8}, {16, 16}, {UINT_MAX, 32}};
static const shape table[] = {{4, 4}, {8, 8}, {16, 16}, {UINT_MAX, 32}};
__host__ __device__ static inline unsigned lanes_for(const shape *t, size_t cols)
{
    while (t->columns < cols) ++t;
    return t->lanes;
}
template <typename T> __global__ void gemv_rows(size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    const unsigned lanes = lanes_for(table_on_gpu, cols), lane = threadIdx.x % lanes;
    const size_t row = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / lanes;
    T sum = 0;
    for (size_t c = lane; row < rows && c < cols; c += lanes) sum += A[row * cols + c] * x[c];
    for (unsigned d = lanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d, lanes);
    if (row < rows && lane == 0) y[row] = sum;
}
template <typename T> __global__ void gemv_cols(size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    T sum[2] = {0, 0};
    for (size_t c = 0; c < cols; ++c) sum[c & 1] += A[c * rows + row] * x[c];
    y[row] = sum[0] + sum[1];
}
template <typename T>
static cudaError_t launch(gemv_layout_t layout, size_t rows, size_t cols, const T *A, const T *x, T *y, cudaStream_t stream)
{
    if (rows == 0) return cudaSuccess;
    const size_t threads = layout == GEMV_ROW ? rows * lanes_for(table, cols) : rows;
    const unsigned blocks = (unsigned)((threads + 255) / 256);
    if (layout == GEMV_ROW) gemv_rows<T><<<blocks, 256, 0, stream>>>(rows, cols, A, x, y);
    else gemv_cols<T><<<blocks, 256, 0, stream>>>(rows, cols, A, x, y);
    return cudaGetLastError();
}
extern "C" cudaError_t gemv_student(GEMV_ARGS)
{
    (void)d_sums, (void)d_words;
    return dtype == DTYPE_F64 ? launch<double>(layout, rows, cols, (const double *)d_A, (const double *)d_x, (double *)d_y, stream)
                              : launch<float>(layout, rows, cols, (const float *)d_A, (const float *)d_x, (float *)d_y, stream);
}
