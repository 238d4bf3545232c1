// grade 7 1 exactly 90: "lanes in global atomics"
// One atomic per nonzero: no thread waits for a long row, but all wait for memory.
#include "chapter.h"
enum { BLOCK = 256 };
template <typename T, typename O>
__global__ void each(unsigned rows, O nnz, const O *p, const int32_t *c, const T *val, const T *x, T *y)
{
    const O nz = (O)blockIdx.x * BLOCK + threadIdx.x;
    if (nz >= nnz) return;
    unsigned row = 0, beyond = rows;
    while (row + 1 < beyond) {
        const unsigned middle = (row + beyond) / 2;
        if (p[middle] <= nz) row = middle;
        else beyond = middle;
    }
    atomicAdd(&y[row], val[nz] * x[c[nz]]);
}
template <typename T, typename O>
static cudaError_t load_balance_student_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y, cudaStream_t stream)
{
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t cleared = cudaMemsetAsync(d_y, 0, A->rows * sizeof(T), stream);
    if (cleared != cudaSuccess || A->nnz == 0) return cleared;
    each<T, O><<<(unsigned)((A->nnz + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(
        (unsigned)A->rows, (O)A->nnz, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
LOAD_BALANCE_STEP(load_balance_student)
