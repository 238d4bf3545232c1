// grade 3 1 exactly 80: *
// One thread per row in both layouts: reaches the goal for columns, but not the goal for rows.
#include "chapter.h"
template <typename T>
__global__ void gemv(int by_columns, size_t rows, size_t cols, const T *A, const T *x, T *y)
{
    size_t r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    T sum = 0;
    for (size_t c = 0; c < cols; c++) {
        if (by_columns) sum += A[c * rows + r] * x[c];
        else sum += A[r * cols + c] * x[c];
    }
    y[r] = sum;
}
extern "C" cudaError_t gemv_student(dtype_t dtype, gemv_layout_t layout, size_t rows, size_t cols, const void *d_A, const void *d_x,
                                    void *d_y, void *d_sums, unsigned *d_words, cudaStream_t stream)
{
    int blocks = (int)(rows + 255) / 256;
    if (blocks == 0) return cudaSuccess;
    if (dtype == DTYPE_F64)
        gemv<double><<<blocks, 256, 0, stream>>>(layout == GEMV_COL, rows, cols, (double *)d_A, (double *)d_x, (double *)d_y);
    else gemv<float><<<blocks, 256, 0, stream>>>(layout == GEMV_COL, rows, cols, (float *)d_A, (float *)d_x, (float *)d_y);
    return cudaGetLastError();
}
