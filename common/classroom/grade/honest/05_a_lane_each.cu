// grade 5 1 exactly 100: *
#include "chapter.h"

enum { BLOCK = 256 };

// The sum over the lanes of a vector, in its lane 0.
template <int LANES, typename T>
__device__ __forceinline__ T fold(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

template <int LANES, typename T>
__global__ void vectors(unsigned rows, const uint32_t *__restrict__ row_offsets,
                                      const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                                      const T *__restrict__ x, T *__restrict__ y)
{
    constexpr unsigned VECTORS = BLOCK / LANES;
    const unsigned lane = threadIdx.x % LANES;
    const unsigned row = blockIdx.x * VECTORS + threadIdx.x / LANES;

    // A vector past the last row processes an empty row: its lanes must take part in the sum.
    uint32_t start = 0, end = 0;
    if (row < rows) {
        start = row_offsets[row];
        end = row_offsets[row + 1];
    }

    T sum = 0;
#pragma unroll 1
    for (uint32_t nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];

    sum = fold<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <typename T>
__global__ void a_lane_each(unsigned rows, const uint32_t *__restrict__ row_offsets,
                              const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                              const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned row = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    T sum = 0;
#pragma unroll 1
    for (uint32_t nz = row_offsets[row]; nz < row_offsets[row + 1]; ++nz) sum += values[nz] * x[col_indices[nz]];
    y[row] = sum;
}

template <int LANES, typename T>
static cudaError_t spmv_vector_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    if (A->rows > 0 && A->nnz <= A->rows) { // rows of one nonzero: a lane each
        const unsigned all = (unsigned)A->rows;
        a_lane_each<T><<<(all + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(
            all, (const uint32_t *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
        return cudaGetLastError();
    }
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, blocks = (rows + VECTORS - 1) / VECTORS;
    if (blocks == 0) return cudaSuccess;
    vectors<LANES, T><<<blocks, BLOCK, 0, stream>>>(rows, (const uint32_t *)A->row_offsets,
                                                                  A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_VECTOR_STEP(spmv_vector_student)
