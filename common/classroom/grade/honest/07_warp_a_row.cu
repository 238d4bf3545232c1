// grade 7 1 exactly 30: "times as long as step v6"
// One warp per row: a long row delays the kernel.
#include "chapter.h"
template <typename T, typename O>
__global__ void v(unsigned rows, const O *p, const int32_t *c, const T *val, const T *x, T *y)
{
    const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (row >= rows) return;
    T sum = 0;
    for (O i = p[row] + lane; i < p[row + 1]; i += 32) sum += val[i] * x[c[i]];
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
}
template <typename T, typename O>
static cudaError_t load_balance_student_launch(const csr_arrays_t *A, void *plan, const T *d_x, T *d_y, cudaStream_t stream)
{
    int blocks = (A->rows + 3) / 4;
    if (blocks > 0) v<T, O><<<blocks, 128, 0, stream>>>(A->rows, (O *)A->row_offsets, A->col_indices, (T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
LOAD_BALANCE_STEP(load_balance_student)
