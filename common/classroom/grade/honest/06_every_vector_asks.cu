// grade 6 2 exactly 80: *
// Each vector draws one row at a time: right, but more lanes in atomics than the goal allows.
#include "chapter.h"
template <int LANES, typename T, typename O>
__global__ void k(unsigned rows, const O *p, const int32_t *c, const T *v, const T *x, T *y, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % LANES;
    unsigned row = 0;
    if (lane == 0) row = atomicAdd(counter, 1u);
    row = __shfl_sync(0xffffffffu, row, 0, LANES);
    while (__any_sync(0xffffffffu, row < rows)) {
        T sum = 0;
        if (row < rows)
            for (O nz = p[row] + lane; nz < p[row + 1]; nz += LANES) sum += v[nz] * x[c[nz]];
        __syncwarp();
        for (int d = LANES / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d, LANES);
        if (lane == 0 && row < rows) y[row] = sum;
        if (lane == 0) row = atomicAdd(counter, 1u);
        row = __shfl_sync(0xffffffffu, row, 0, LANES);
    }
}
template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter, cudaStream_t stream)
{
    if (A->rows == 0) return cudaSuccess;
    cudaError_t e = cudaMemsetAsync(d_counter, 0, sizeof *d_counter, stream);
    if (e) return e;
    k<LANES, T, O><<<2, 1024, 0, stream>>>((unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}
SPMV_LIGHTSPMV_STEP(spmv_lightspmv_student)
