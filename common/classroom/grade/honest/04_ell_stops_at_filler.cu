// grade 4 1 exactly 100: *
// A row ends at its first filler, column -1.
#include "chapter.h"
#include <stdbool.h>
struct ell_view { unsigned rows, width; const int32_t *columns; const void *values; };
template <typename O, typename T> __global__ void walk(ell_view A, const O *offsets, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= A.rows) return;
    const T *values = (const T *)A.values;
    T sum = 0;
    bool more = A.width > 0;
    unsigned left = (unsigned)(offsets[row + 1] - offsets[row]);
    size_t slot = row;
    while (more && left-- > 0) {
        const int32_t column = A.columns[slot];
        more = column != -1;
        if (more) sum += values[slot] * x[column];
        slot += A.rows;
    }
    y[row] = sum;
}
template <typename O, typename T>
static cudaError_t spmv_scalar_student_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    ell_view view = {};
    view.rows = (unsigned)A->rows, view.width = (unsigned)A->ell.width;
    view.columns = A->ell.col_indices, view.values = A->ell.values;
    if (view.rows == 0) return cudaSuccess;
    walk<O, T><<<(view.rows + 255) / 256, 256, 0, stream>>>(view, (const O *)A->csr.row_offsets, d_x, d_y);
    return cudaGetLastError();
}
SPMV_SCALAR_STEP_OFFSETS(spmv_scalar_student)
