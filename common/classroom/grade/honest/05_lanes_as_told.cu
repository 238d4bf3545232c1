// grade 5 2 exactly 100: *
#include "chapter.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <int LANES, typename T>
__global__ void __launch_bounds__(128) vec(unsigned rows, const uint32_t *__restrict__ p, const int32_t *__restrict__ c, const T *__restrict__ v,
                                           const T *__restrict__ x, T *__restrict__ y)
{
    auto tile = cg::tiled_partition<LANES>(cg::this_thread_block());
    const unsigned row = (blockIdx.x * 128 + threadIdx.x) / LANES;
    uint32_t from = 0, to = 0;
    if (row < rows) from = p[row], to = p[row + 1];
    T sum = 0;
    for (uint32_t k = from + tile.thread_rank(); k < to; k += tile.size()) sum += v[k] * x[c[k]];
    for (int d = LANES / 2; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
    if (tile.thread_rank() == 0 && row < rows) y[row] = sum;
}
template <int LANES, typename T>
static cudaError_t spmv_vector_student_launch(const csr_arrays_t *A, const T *d_x, T *d_y, cudaStream_t stream)
{
    const size_t threads = A->rows * LANES;
    if (threads > 0)
        vec<LANES, T><<<(unsigned)((threads + 127) / 128), 128, 0, stream>>>((unsigned)A->rows, (const uint32_t *)A->row_offsets,
                                                                           A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}
SPMV_VECTOR_STEP(spmv_vector_student)
