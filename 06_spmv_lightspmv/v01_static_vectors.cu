/*
 * spmv_lightspmv v1 - rows to vectors, static scheduling
 *
 * Was     Chapter 05 starts a block for every few rows, and the GPU schedules the blocks; its v9
 *         started a persistent grid, and lost.
 * Idea    Start as many threads as the GPU holds; they stay until all rows are done.  Vector i of n processes rows
 *         i, i + n, i + 2n, ...: static scheduling, whatever the rows' lengths are.
 * Moves   Matrix once, y once; x once per nonzero, from L1 or L2 if rows share columns.
 * Expect  On even rows the speed of chapter 05's v3, without thousands of block starts.  On
 *         uneven ones the time of the busiest warp.
 * Still   Warps with long rows keep working when all others have ended. (-> v2)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  Any rows, cols, nnz; a row may be empty.
 * Launch  As in the article: T = the largest block, B = SMs x (resident threads / T).
 * Source  Y. Liu, B. Schmidt, LightSpMV (ASAP 2015), with static scheduling; its rule for lanes is in tables.h.
 */
#include "chapter.h"

// Lane 0 of a vector gets the sum over the vector's lanes.
template <int LANES, typename T>
__device__ __forceinline__ T sum_vector(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

template <int LANES, typename T, typename O>
__global__ void __launch_bounds__(1024)
    spmv_lightspmv_v1_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned vectors = gridDim.x * (blockDim.x / LANES);
    unsigned row = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;

    // The vectors of a warp iterate until none of them has a row, because every lane must take part in the sum.
#pragma unroll 1
    while (__any_sync(0xffffffffu, row < rows)) {
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
        row += vectors;
    }
}

// Uses the largest block, and as many blocks as the SMs have threads for.
static void source_geometry(unsigned *blocks, unsigned *threads)
{
    int gpu = 0, sms = 1, resident = 1024, largest = 1024;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaDeviceGetAttribute(&resident, cudaDevAttrMaxThreadsPerMultiProcessor, gpu);
    cudaDeviceGetAttribute(&largest, cudaDevAttrMaxThreadsPerBlock, gpu);
    *threads = (unsigned)largest;
    *blocks = (unsigned)(sms * (resident / largest));
}

template <int LANES, typename T, typename O>
static cudaError_t spmv_lightspmv_v1_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *,
                                            cudaStream_t stream)
{
    unsigned blocks, threads;
    source_geometry(&blocks, &threads);
    if (A->rows == 0) return cudaSuccess;
    spmv_lightspmv_v1_kernel<LANES, T, O><<<blocks, threads, 0, stream>>>(
        (unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v1)
