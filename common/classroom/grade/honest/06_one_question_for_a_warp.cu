// grade 6 2 exactly 100: *
#include "chapter.h"
template <int LANES, typename T, typename O>
__global__ void rows_on_demand(uint32_t rows, const O *offsets, const int32_t *columns, const T *values, const T *x, T *y, uint32_t *next)
{
    const unsigned in_warp = threadIdx.x & 31u, lane = threadIdx.x & (LANES - 1);
    while (true) {
        uint32_t base;
        if (in_warp == 0) base = atomicAdd(next, 32u / LANES);
        base = __shfl_sync(0xffffffffu, base, 0);
        if (base >= rows) return;
        const uint32_t row = base + in_warp / LANES;
        O at = row < rows ? offsets[row] : 0;
        const O end = row < rows ? offsets[row + 1] : 0;
        T sum = T();
        for (at += lane; at < end; at += LANES) sum += values[at] * x[columns[at]];
        for (int half = LANES >> 1; half; half >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, half, LANES);
        if (lane == 0 && row < rows) y[row] = sum;
    }
}
template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter, cudaStream_t stream)
{
    int sms = 1;
    if (A->rows == 0) return cudaSuccess;
    cudaMemsetAsync(d_counter, 0, sizeof(uint32_t), stream);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    rows_on_demand<LANES, T, O><<<2 * sms, 1024, 0, stream>>>((uint32_t)A->rows, (const O *)A->row_offsets, A->col_indices,
                                                               (const T *)A->values, d_x, d_y, d_counter);
    cudaMemsetAsync(d_counter, 0, sizeof(uint32_t), stream);
    return cudaGetLastError();
}
SPMV_LIGHTSPMV_STEP(spmv_lightspmv_student)
