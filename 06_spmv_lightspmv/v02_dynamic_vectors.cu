/*
 * spmv_lightspmv v2 - rows to vectors, dynamic scheduling
 *
 * From    v1
 * Was     v1's scheduling is static and ignores the lengths of the rows.
 * Idea    One counter in memory holds the next row.  Lane 0 of a vector takes it by an atomic
 *         add and tells the other lanes: a vector that finishes early takes the next row early.
 * Moves   As v1, and a request of atomics for every 32 / LANES rows; 4 bytes zeroed before.
 * Expect  The busiest warp no longer has many times the mean work, so uneven rows gain.  Even ones
 *         lose: a trip to L2 before every row, and a memset before the kernel, 2 us.  All
 *         atomics go to one word, and L2 does them one after another.
 * Still   Every row needs an atomic.  (-> v4: one per chunk of a block; v6: one per row range of a warp)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  Any rows, cols, nnz; a row may be empty.
 * Launch  A memset, then as in the article: T = the largest block, B = SMs x (resident threads / T).
 * Source  Y. Liu, B. Schmidt, LightSpMV (ASAP 2015), its vector-level distribution.
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
    spmv_lightspmv_v2_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % LANES;

    // The vectors of a warp iterate until none of them gets a row, because every lane must take part in the sum.
#pragma unroll 1
    for (;;) {
        unsigned row = 0;
        if (lane == 0) row = atomicAdd(counter, 1u);
        row = __shfl_sync(0xffffffffu, row, 0, LANES);
        if (!__any_sync(0xffffffffu, row < rows)) break;

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
static cudaError_t spmv_lightspmv_v2_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                            cudaStream_t stream)
{
    unsigned blocks, threads;
    source_geometry(&blocks, &threads);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t status = cudaMemsetAsync(d_counter, 0, sizeof *d_counter, stream);
    if (status != cudaSuccess) return status;
    spmv_lightspmv_v2_kernel<LANES, T, O><<<blocks, threads, 0, stream>>>(
        (unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v2)
