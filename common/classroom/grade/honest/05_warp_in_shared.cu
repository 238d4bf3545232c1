// grade 5 2 exactly 70: *
// One warp per row with its sum in shared memory: too many lanes for short rows.
#include "chapter.h"
template <typename T>
__global__ void spmv(unsigned rows, const uint32_t *offsets, const int32_t *columns, const T *values, const T *x, T *y)
{
    __shared__ volatile T sums[8][32];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 8 + warp;
    T sum = 0;
    if (row < rows)
        for (unsigned k = offsets[row] + lane; k < offsets[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    sums[warp][lane] = sum;
    __syncwarp();
    for (unsigned d = 16; d > 0; d /= 2) {
        if (lane < d) sums[warp][lane] = sums[warp][lane] + sums[warp][lane + d];
        __syncwarp();
    }
    if (lane == 0 && row < rows) y[row] = sums[warp][0];
}
template <typename T>
static cudaError_t spmv_vector_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    if (A->rows) spmv<T><<<((int)A->rows + 7) / 8, 256, 0, stream>>>(A->rows, (uint32_t *)A->row_offsets, A->col_indices, (T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
SPMV_VECTOR_STEP_32(spmv_vector_student)
