/*
 * spmv_lightspmv v5 - row ranges to warps, static scheduling
 *
 * From    v1
 * Was     v1 assigns single rows to vectors.  One row per request is too little (v2), a block's chunk too much (v4).
 * Idea    Assign ranges of 32 / LANES rows to warps, whose lanes run together anyway: one row for
 *         each of its vectors.  Static scheduling first: warp w of n takes row ranges
 *         w, w + n, ...
 * Moves   Same as v1: the same rows go to the same lanes.
 * Expect  v1's time and counts; a warp keeps one row number instead of one per vector.
 * Still   The scheduling is static. (-> v6)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  Any rows, cols, nnz; a row may be empty.
 * Launch  As in the article: T = the largest block, B = SMs x (resident threads / T).
 * Source  Y. Liu, B. Schmidt, LightSpMV (ASAP 2015), its warp-level distribution with static scheduling.
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
    spmv_lightspmv_v5_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned STRETCH = 32 / LANES; // rows of a warp at a time
    const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const unsigned warps = gridDim.x * (blockDim.x / 32);

#pragma unroll 1
    for (unsigned first = warp * STRETCH; first < rows; first += warps * STRETCH) {
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
static cudaError_t spmv_lightspmv_v5_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *,
                                            cudaStream_t stream)
{
    unsigned blocks, threads;
    source_geometry(&blocks, &threads);
    if (A->rows == 0) return cudaSuccess;
    spmv_lightspmv_v5_kernel<LANES, T, O><<<blocks, threads, 0, stream>>>(
        (unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v5)
