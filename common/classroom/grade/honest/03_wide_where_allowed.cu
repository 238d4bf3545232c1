// grade 3 2 exactly 100: *
#include "chapter.h"

#define BLOCK 128

// LANES lanes a row; LOAD is what a lane loads at a time: a T, or 16 bytes of them.
template <int LANES, typename LOAD, typename T>
__global__ void __launch_bounds__(BLOCK)
    wide_rows(size_t rows, size_t cols, const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y)
{
    constexpr unsigned WIDTH = sizeof(LOAD) / sizeof(T);
    const unsigned lane = threadIdx.x % LANES;
    const size_t row = (size_t)blockIdx.x * (BLOCK / LANES) + threadIdx.x / LANES;
    T sum = 0;
#pragma unroll 1
    for (size_t c = lane * WIDTH; row < rows && c < cols; c += LANES * WIDTH) {
        const LOAD a = *(const LOAD *)(A + row * cols + c), b = *(const LOAD *)(x + c);
        for (unsigned k = 0; k < WIDTH; ++k) sum += ((const T *)&a)[k] * ((const T *)&b)[k];
    }
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <typename T>
__global__ void __launch_bounds__(BLOCK) tall_columns(size_t rows, size_t cols, const T *__restrict__ A,
                                                              const T *__restrict__ x, T *__restrict__ y)
{
    const size_t row = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    T sum = 0;
    for (size_t c = 0; c < cols; ++c) sum += A[c * rows + row] * x[c];
    y[row] = sum;
}

template <int LANES, typename LOAD, typename T>
static cudaError_t rows_of(size_t rows, size_t cols, const T *A, const T *x, T *y, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((rows + BLOCK / LANES - 1) / (BLOCK / LANES));
    wide_rows<LANES, LOAD, T><<<blocks, BLOCK, 0, stream>>>(rows, cols, A, x, y);
    return cudaGetLastError();
}

template <typename WIDE, typename T>
static cudaError_t launch(gemv_layout_t layout, size_t rows, size_t cols, const T *A, const T *x, T *y,
                          cudaStream_t stream)
{
    if (rows == 0) return cudaSuccess;
    if (layout == GEMV_COL) {
        tall_columns<T><<<(unsigned)((rows + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(rows, cols, A, x, y);
        return cudaGetLastError();
    }
    const bool wide = ((size_t)A | (size_t)x | cols * sizeof(T)) % sizeof(WIDE) == 0;
    return wide ? rows_of<32, WIDE>(rows, cols, A, x, y, stream) : rows_of<32, T>(rows, cols, A, x, y, stream);
}

extern "C" cudaError_t gemv_student(GEMV_ARGS)
{
    (void)d_sums, (void)d_words;
    if (dtype == DTYPE_F64)
        return launch<double2>(layout, rows, cols, (const double *)d_A, (const double *)d_x, (double *)d_y, stream);
    return launch<float4>(layout, rows, cols, (const float *)d_A, (const float *)d_x, (float *)d_y, stream);
}
