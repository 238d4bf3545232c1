// grade 3 1 exactly 100: *
// Stages x in shared memory, one tile at a time.
#include "chapter.h"
enum { BLOCK = 256, TILE = 512 };
template <typename T>
__global__ void rows_kernel(size_t rows, size_t cols, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y, unsigned lanes)
{
    __shared__ T tile[TILE];
    const unsigned lane = threadIdx.x % lanes;
    const size_t row = (size_t)blockIdx.x * (BLOCK / lanes) + threadIdx.x / lanes;
    T sum = 0;
    for (size_t from = 0; from < cols; from += TILE) {
        const size_t n = cols - from < TILE ? cols - from : TILE;
        for (size_t k = threadIdx.x; k < n; k += BLOCK) tile[k] = x[from + k];
        __syncthreads();
        if (row < rows)
            for (size_t k = lane; k < n; k += lanes) sum += A[row * cols + from + k] * tile[k];
        __syncthreads();
    }
    for (unsigned d = lanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d, lanes);
    if (lane == 0 && row < rows) y[row] = sum;
}
template <typename T> __global__ void columns_kernel(size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    __shared__ T tile[TILE];
    const size_t row = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    T sum = 0;
    for (size_t from = 0; from < cols; from += TILE) {
        const size_t n = min((size_t)TILE, cols - from);
        for (size_t k = threadIdx.x; k < n; k += BLOCK) tile[k] = x[from + k];
        __syncthreads();
        for (size_t k = 0; k < n && row < rows; ++k) sum += A[(from + k) * rows + row] * tile[k];
        __syncthreads();
    }
    if (row < rows) y[row] = sum;
}
template <typename T>
static cudaError_t gemv_any(gemv_layout_t layout, size_t rows, size_t cols, const void *A, const void *x, void *y, cudaStream_t stream)
{
    const unsigned lanes = cols <= 16 ? 16u : 32u, each = layout == GEMV_COL ? BLOCK : BLOCK / lanes;
    const unsigned blocks = (unsigned)((rows + each - 1) / each);
    if (!rows) return cudaSuccess;
    if (layout == GEMV_COL) columns_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, cols, (const T *)A, (const T *)x, (T *)y);
    else rows_kernel<T><<<blocks, BLOCK, 0, stream>>>(rows, cols, (const T *)A, (const T *)x, (T *)y, lanes);
    return cudaGetLastError();
}
extern "C" cudaError_t gemv_student(GEMV_ARGS)
{
    (void)d_sums, (void)d_words;
    return dtype == DTYPE_F64 ? gemv_any<double>(layout, rows, cols, d_A, d_x, d_y, stream)
                              : gemv_any<float>(layout, rows, cols, d_A, d_x, d_y, stream);
}
