// grade 7 1 exactly 100: *
#include "chapter.h"

enum { BLOCK = 256, PER_LANE = 8u, PER_BLOCK = BLOCK * PER_LANE };

template <typename T, typename O>
__global__ void eight_each(unsigned rows, O nnz, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                               const T *__restrict__ x, T *__restrict__ y)
{
    const O first = ((O)blockIdx.x * BLOCK + threadIdx.x) * PER_LANE, last = min(first + PER_LANE, nnz);
    if (first >= nnz) return;
    unsigned row = 0, beyond = rows; // the last row that begins at or before `first`
    while (row + 1 < beyond) {
        const unsigned middle = (row + beyond) / 2;
        if (row_offsets[middle] <= first) row = middle;
        else beyond = middle;
    }
    O end = row_offsets[row + 1];
    T sum = 0;
#pragma unroll 1
    for (O nz = first; nz < last; ++nz) {
        while (nz >= end) {
            if (sum != 0) atomicAdd(&y[row], sum);
            sum = 0;
            end = row_offsets[++row + 1];
        }
        sum += values[nz] * x[col_indices[nz]];
    }
    atomicAdd(&y[row], sum);
}

template <typename T, typename O>
static cudaError_t load_balance_student_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y,
                                               cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((A->nnz + PER_BLOCK - 1) / PER_BLOCK);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || blocks == 0) return cleared;
    eight_each<T, O><<<blocks, BLOCK, 0, stream>>>((unsigned)A->rows, (O)A->nnz, (const O *)A->row_offsets,
                                                       A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

LOAD_BALANCE_STEP(load_balance_student)
