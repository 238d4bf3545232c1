/*
 * spmv_lightspmv v7 - a grid by occupancy and need
 *
 * From    v6
 * Was     v6's grid, taken from the article, depends only on the GPU.  A thousand rows of four start 264 blocks
 *         of 1024 threads, most of which get no row.  If an SM holds 1536 threads, a third of it stays empty;
 *         if a kernel needs many registers, some blocks wait until others end.
 * Idea    Use blocks of 256 threads.  The occupancy API returns how many of them fit on an SM for this
 *         kernel; the launcher starts no more than the rows need.
 * Moves   Same as v6.
 * Expect  Small matrices start fewer warps, and each warp saved is an atomic saved.  Large ones do
 *         not change on this GPU: both grids fill it.
 * Still   A call needs two launches: one is the memset.                (-> v8)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  Any rows, cols, nnz; a row may be empty.
 * Launch  A memset, then grid = enough for the rows, at most what fits on the GPU at once; block = 256.
 * Source  CUDA's occupancy API; chapter 05, v9.
 */
#include "chapter.h"

enum { BLOCK = 256 };

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

template <int LANES, typename T, typename O>
__global__ void __launch_bounds__(BLOCK)
    spmv_lightspmv_v7_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned STRETCH = 32 / LANES; // rows of a warp at a time

#pragma unroll 1
    for (;;) {
        unsigned first = 0;
        if (threadIdx.x % 32 == 0) first = atomicAdd(counter, STRETCH);
        first = __shfl_sync(0xffffffffu, first, 0);
        if (first >= rows) break;

        // A vector past the last row processes an empty row: its lanes must take part in the sum.
        const unsigned row = first + threadIdx.x % 32 / LANES;
        O start = 0, end = 0;
        if (row < rows) {
            start = row_offsets[row];
            end = row_offsets[row + 1];
        }

        T sum = 0;
#pragma unroll 1
        for (O nz = start + lane; nz < end; nz += LANES) sum += values[nz] * x[col_indices[nz]];

        sum = sum_vector<LANES>(sum);
        if (lane == 0 && row < rows) y[row] = sum;
    }
}

// Returns the number of blocks that the GPU can hold at once.
template <typename K>
static unsigned resident_blocks(K *kernel)
{
    int gpu = 0, sms = 1, per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, BLOCK, 0);
    return (unsigned)(sms * per_sm);
}

template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_v7_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                            cudaStream_t stream)
{
    const unsigned VECTORS = BLOCK / LANES;
    const unsigned rows = (unsigned)A->rows, needed = (rows + VECTORS - 1) / VECTORS;
    if (needed == 0) return cudaSuccess;
    const cudaError_t status = cudaMemsetAsync(d_counter, 0, sizeof *d_counter, stream);
    if (status != cudaSuccess) return status;
    const unsigned blocks = min(needed, resident_blocks(spmv_lightspmv_v7_kernel<LANES, T, O>));
    spmv_lightspmv_v7_kernel<LANES, T, O><<<blocks, BLOCK, 0, stream>>>(
        rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v7)
