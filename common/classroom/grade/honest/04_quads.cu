// grade 4 2 exactly 100: *
#include "chapter.h"

enum { BLOCK = 256 };

// One row a thread, as v4.
template <typename T>
__global__ void one_row(unsigned rows, unsigned width, const int32_t *__restrict__ col_indices,
                             const T *__restrict__ values, const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    T sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < width; ++k) {
        const size_t slot = (size_t)k * rows + row;
        const int32_t column = col_indices[slot];
        if (column >= 0) sum += values[slot] * x[column];
    }
    y[row] = sum;
}

static __device__ float part(int32_t column, float value, const float *x)
{
    return column >= 0 ? value * x[column] : 0;
}

// Four rows a thread; rows is a multiple of 4 and the arrays begin at 16-byte borders.
__global__ void four_rows(unsigned rows, unsigned width, const int4 *__restrict__ col_indices,
                              const float4 *__restrict__ values, const float *__restrict__ x, float *__restrict__ y)
{
    const unsigned quad = blockIdx.x * BLOCK + threadIdx.x;
    if (quad >= rows / 4) return;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 1
    for (unsigned k = 0; k < width; ++k) {
        const size_t slot = (size_t)k * (rows / 4) + quad;
        const int4 c = col_indices[slot];
        const float4 v = values[slot];
        sum.x += part(c.x, v.x, x);
        sum.y += part(c.y, v.y, x);
        sum.z += part(c.z, v.z, x);
        sum.w += part(c.w, v.w, x);
    }
    y[4 * quad] = sum.x, y[4 * quad + 1] = sum.y, y[4 * quad + 2] = sum.z, y[4 * quad + 3] = sum.w;
}

static inline bool try_quads(const spmv_scalar_matrix_t *A, const float *d_x, float *d_y, cudaStream_t stream)
{
    if (A->rows % 4 || ((size_t)A->ell.col_indices | (size_t)A->ell.values) % 16) return false;
    const unsigned rows = (unsigned)A->rows;
    four_rows<<<(rows / 4 + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(
        rows, (unsigned)A->ell.width, (const int4 *)A->ell.col_indices, (const float4 *)A->ell.values, d_x, d_y);
    return true;
}
static inline bool try_quads(const spmv_scalar_matrix_t *, const double *, double *, cudaStream_t) { return false; }

template <typename T>
static cudaError_t spmv_scalar_student_launch(const spmv_scalar_matrix_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const unsigned rows = (unsigned)A->rows;
    if (rows == 0) return cudaSuccess;
    if (!try_quads(A, d_x, d_y, stream))
        one_row<T><<<(rows + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(
            rows, (unsigned)A->ell.width, A->ell.col_indices, (const T *)A->ell.values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_SCALAR_STEP(spmv_scalar_student)
