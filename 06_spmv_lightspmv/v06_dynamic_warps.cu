/*
 * spmv_lightspmv v6 - row ranges to warps, dynamic scheduling
 *
 * From    v5
 * Was     v5 assigns the row ranges before the kernel starts.
 * Idea    Lane 0 takes the next 32 / LANES rows from the counter by one atomic add, and a
 *         shuffle tells the other lanes.  No warp waits for another.
 * Moves   As v5, and one atomic for 32 / LANES rows; 4 bytes zeroed before.
 * Expect  v2's balance, with 32 / LANES times fewer additions to the one word.  Each row range needs
 *         a trip to L2, which other warps of the SM hide as long as they have work.  Even rows
 *         take a few percent more time, and the memset.
 * Still   The geometry depends on what the GPU can hold, not on the number of rows or the
 *         registers of the kernel.                                     (-> v7)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  Any rows, cols, nnz; a row may be empty.
 * Launch  A memset, then as in the article: T = the largest block, B = SMs x (resident threads / T).
 * Source  Y. Liu, B. Schmidt, LightSpMV (ASAP 2015), its warp-level distribution.
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
    spmv_lightspmv_v6_kernel(unsigned rows, const O *__restrict__ row_offsets,
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
static cudaError_t spmv_lightspmv_v6_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                            cudaStream_t stream)
{
    unsigned blocks, threads;
    source_geometry(&blocks, &threads);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t status = cudaMemsetAsync(d_counter, 0, sizeof *d_counter, stream);
    if (status != cudaSuccess) return status;
    spmv_lightspmv_v6_kernel<LANES, T, O><<<blocks, threads, 0, stream>>>(
        (unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v6)
