// grade 5 2 exactly 100: *
// A grid of fixed size walks over the rows; offsets are loaded by two lanes and handed on.
#include "chapter.h"
enum { BLOCK = 256, BLOCKS = 64 };
template <unsigned LANES, typename T>
__global__ void walk(unsigned rows, const uint32_t *offsets, const int32_t *columns, const T *values, const T *x, T *y)
{
    const unsigned lane = threadIdx.x % LANES, vectors = BLOCKS * BLOCK / LANES;
    for (unsigned first = 0; first < rows; first += vectors) {
        const unsigned row = first + (blockIdx.x * BLOCK + threadIdx.x) / LANES;
        uint32_t mine = 0;
        if (row < rows && lane < 2) mine = offsets[row + lane];
        const uint32_t from = __shfl_sync(0xffffffffu, mine, 0, LANES), to = __shfl_sync(0xffffffffu, mine, 1, LANES);
        T sum = 0;
        for (uint32_t nz = from + lane; nz < to; nz += LANES) sum += __ldg(values + nz) * __ldg(x + __ldg(columns + nz));
#pragma unroll
        for (unsigned s = LANES / 2; s; s >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, s, LANES);
        if (lane == 0 && row < rows) y[row] = sum;
    }
}
template <int LANES, typename T>
static cudaError_t spmv_vector_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    walk<LANES, T><<<BLOCKS, BLOCK, 0, stream>>>((unsigned)A->rows, (const uint32_t *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
SPMV_VECTOR_STEP(spmv_vector_student)
