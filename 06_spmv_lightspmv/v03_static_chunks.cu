/*
 * spmv_lightspmv v3 - chunks to blocks, static scheduling
 *
 * From    v1
 * Was     v1 assigns single rows to vectors, and v2's vectors take single rows.  The largest useful share
 *         is a chunk of rows for a whole block.
 * Idea    Static scheduling first: rows are cut into chunks of four rows for each vector of a
 *         block, and block b of B takes chunks b, b + B, ...
 * Moves   Same as v1.
 * Expect  Even rows as v1.  With fewer than about ten chunks per block, one chunk more or less matters:
 *         a million rows at 8 lanes are 1954 chunks for 264 blocks, seven or eight each.
 * Still   The scheduling is static, in larger shares. (-> v4)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  Any rows, cols, nnz; a row may be empty.
 * Launch  As in the article: T = the largest block, B = SMs x (resident threads / T).
 * Source  OpenMP's schedule(static, chunk).
 */
#include "chapter.h"

enum { ROUNDS = 4 }; // rows of a vector in a chunk

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
    spmv_lightspmv_v3_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned vectors = blockDim.x / LANES, chunk = ROUNDS * vectors;

#pragma unroll 1
    for (unsigned first = blockIdx.x * chunk; first < rows; first += gridDim.x * chunk) {
        // In each round every vector takes one row of the chunk.  A vector past the last row processes
        // an empty row because its lanes must take part in the sum.
#pragma unroll 1
        for (unsigned at = first; at < min(first + chunk, rows); at += vectors) {
            const unsigned row = at + threadIdx.x / LANES;
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
static cudaError_t spmv_lightspmv_v3_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *,
                                            cudaStream_t stream)
{
    unsigned blocks, threads;
    source_geometry(&blocks, &threads);
    if (A->rows == 0) return cudaSuccess;
    spmv_lightspmv_v3_kernel<LANES, T, O><<<blocks, threads, 0, stream>>>(
        (unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v3)
