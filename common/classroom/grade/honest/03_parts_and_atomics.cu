// grade 3 1 exactly 80: *
// Several blocks share the columns of a row and add to y: atomics count as loads, and v4 has none.
#include "chapter.h"
template <typename T> __global__ void part_rows(size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    const unsigned lanes = cols > 16 ? 32 : 16, lane = threadIdx.x % lanes;
    const size_t row = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / lanes, half = (cols + gridDim.y - 1) / gridDim.y;
    const size_t from = blockIdx.y * half, to = from + half < cols ? from + half : cols;
    T sum = 0;
    if (row < rows) for (size_t c = from + lane; c < to; c += lanes) sum += A[row * cols + c] * x[c];
    for (unsigned d = lanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d, lanes);
    if (lane == 0 && row < rows) atomicAdd(&y[row], sum);
}
template <typename T> __global__ void part_columns(size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x, half = (cols + gridDim.y - 1) / gridDim.y;
    if (row >= rows) return;
    T sum = 0;
    for (size_t c = blockIdx.y * half; c < cols && c < (blockIdx.y + 1) * half; ++c) sum += A[c * rows + row] * x[c];
    atomicAdd(y + row, sum);
}
template <typename T>
static cudaError_t run(gemv_layout_t layout, size_t rows, size_t cols, const void *A, const void *x, void *y, cudaStream_t stream)
{
    if (rows == 0) return cudaSuccess;
    cudaError_t e = cudaMemsetAsync(y, 0, rows * sizeof(T), stream);
    if (e != cudaSuccess || cols == 0) return e;
    const unsigned parts = cols > 64 ? 2 : 1;
    const size_t threads = layout == GEMV_ROW ? rows * (cols > 16 ? 32 : 16) : rows;
    const dim3 grid((unsigned)((threads + 127) / 128), parts);
    if (layout == GEMV_ROW) part_rows<T><<<grid, 128, 0, stream>>>(rows, cols, (const T *)A, (const T *)x, (T *)y);
    else part_columns<T><<<grid, 128, 0, stream>>>(rows, cols, (const T *)A, (const T *)x, (T *)y);
    return cudaGetLastError();
}
extern "C" cudaError_t gemv_student(GEMV_ARGS)
{
    (void)d_sums, (void)d_words;
    if (dtype == DTYPE_F64) return run<double>(layout, rows, cols, d_A, d_x, d_y, stream);
    return run<float>(layout, rows, cols, d_A, d_x, d_y, stream);
}
