// grade 5 1 exactly 80: "sectors loaded"
// One lane per row for all matrices; the goals have rows of one and of sixteen nonzeros.
#include "chapter.h"
template <typename T> __device__ __noinline__ T dot(const T *v, const int32_t *c, const T *x, uint32_t n)
{
    T sum = 0;
    while (n--) sum += *v++ * x[*c++];
    return sum;
}
template <typename T> __global__ void rows_kernel(unsigned rows, const uint32_t *p, const int32_t *c, const T *v, const T *x, T *y)
{
    const unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) y[r] = dot(v + p[r], c + p[r], x, p[r + 1] - p[r]);
}
template <int, typename T>
static cudaError_t spmv_vector_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    rows_kernel<T><<<(rows - 1) / 64 + 1, 64, 0, stream>>>(rows, (const uint32_t *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
SPMV_VECTOR_STEP(spmv_vector_student)
