// grade 4 1 exactly 70: *
// One kernel clears y; in another, one thread per row adds to y with an atomic if the row is not empty.
#include "chapter.h"
template <typename T> __global__ void clear(T *y, size_t n)
{
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) y[i] = T(0);
}
template <typename O, typename T> __global__ void rows_add(size_t rows, const O *offsets, const int32_t *columns, const T *values, const T *x, T *y)
{
    const size_t r = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (r >= rows) return;
    const O begin = offsets[r], end = offsets[r + 1];
    if (begin == end) return;
    T sum = values[begin] * x[columns[begin]];
    for (O nz = begin + 1; nz != end; ++nz) sum += values[nz] * x[columns[nz]];
    atomicAdd(&y[r], sum);
}
template <typename O, typename T>
static cudaError_t spmv_scalar_student_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const dim3 block{256}, grid{unsigned(A->rows / 256 + 1)};
    clear<T><<<grid, block, 0, stream>>>(d_y, A->rows);
    rows_add<O, T><<<grid, block, 0, stream>>>(A->rows, static_cast<const O *>(A->csr.row_offsets), A->csr.col_indices,
                                               static_cast<const T *>(A->csr.values), d_x, d_y);
    return cudaGetLastError();
}
SPMV_SCALAR_STEP_OFFSETS(spmv_scalar_student)
