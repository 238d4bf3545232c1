// grade 4 1 exactly 100: *
#include "chapter.h"

enum { BLOCK = 256 };

template <typename O, typename T>
__global__ void ell_with_lengths(unsigned rows, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    const unsigned length = (unsigned)(row_offsets[row + 1] - row_offsets[row]);
    T sum{};
    // no fillers are read
    for (unsigned k = 0; k < length; ++k) {
        const size_t slot = (size_t)k * rows + row;
        sum += values[slot] * x[col_indices[slot]];
    }
    y[row] = sum;
}

template <typename O, typename T>
static cudaError_t spmv_scalar_student_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    ell_with_lengths<O, T><<<(rows + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(
        rows, (const O *)A->csr.row_offsets, A->ell.col_indices, (const T *)A->ell.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP_OFFSETS(spmv_scalar_student)
