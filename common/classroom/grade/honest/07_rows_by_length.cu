// grade 7 1 exactly 60: *
// Three kernels for three lengths of rows; each skips the rows of the others.  Long rows get a block each;
// a kernel lists them in a __device__ array.
#include "chapter.h"
enum { LONG = 512, MOST = 1024 };
__device__ unsigned long_rows[MOST];
__device__ unsigned long_count;
__global__ void begin() { long_count = 0; }
template <typename T, typename O>
__global__ void short_rows(unsigned rows, const O *p, const int32_t *c, const T *v, const T *x, T *y)
{
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const O from = p[row], to = p[row + 1];
    if (to - from >= LONG) {
        const unsigned k = atomicAdd(&long_count, 1u);
        if (k < MOST) {
            long_rows[k] = row;
            return;
        }
    }
    T sum = 0;
    for (O i = from; i < to; ++i) sum += v[i] * x[c[i]];
    y[row] = sum;
}
template <typename T, typename O> __global__ void few_long_rows(const O *p, const int32_t *c, const T *v, const T *x, T *y)
{
    __shared__ T s[256];
    const unsigned count = min(long_count, (unsigned)MOST);
    for (unsigned k = blockIdx.x; k < count; k += gridDim.x) {
        const unsigned row = long_rows[k];
        T sum = 0;
        for (O i = p[row] + threadIdx.x; i < p[row + 1]; i += 256) sum += v[i] * x[c[i]];
        s[threadIdx.x] = sum;
        for (unsigned d = 128; d > 0; d /= 2) {
            __syncthreads();
            if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        }
        if (threadIdx.x == 0) y[row] = s[0];
        __syncthreads();
    }
}
template <typename T, typename O>
static cudaError_t load_balance_student_launch(const csr_arrays_t *A, void *, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    begin<<<1, 1, 0, stream>>>();
    short_rows<T, O><<<(rows + 127) / 128, 128, 0, stream>>>(rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    few_long_rows<T, O><<<8, 256, 0, stream>>>((const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
LOAD_BALANCE_STEP(load_balance_student)
