/*
 * spmv_lightspmv v4 - chunks to blocks, dynamic scheduling
 *
 * From    v3
 * Was     v3 assigns the chunks before the kernel starts.
 * Idea    Thread 0 takes the next chunk from the counter and stores its first row in shared
 *         memory for the block.
 * Moves   As v3, and one atomic for four rows of each vector; 4 bytes zeroed before.
 * Expect  Hardly any atomics.  But each chunk has two barriers: 31 warps wait for the one with the
 *         longest row before any may continue.  Slower than v2 if a block's rows differ.
 * Still   The whole block waits for its slowest warp.                  (-> v6)
 * Needs   fp32 or fp64; 32- or 64-bit offsets.  Any rows, cols, nnz; a row may be empty.
 * Launch  A memset, then as in the article: T = the largest block, B = SMs x (resident threads / T).
 * Source  OpenMP's schedule(dynamic, chunk).
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
    spmv_lightspmv_v4_kernel(unsigned rows, const O *__restrict__ row_offsets,
                             const int32_t *__restrict__ col_indices, const T *__restrict__ values,
                             const T *__restrict__ x, T *__restrict__ y, uint32_t *counter)
{
    const unsigned lane = threadIdx.x % LANES;
    const unsigned vectors = blockDim.x / LANES, chunk = ROUNDS * vectors;
    __shared__ unsigned next;

#pragma unroll 1
    for (;;) {
        __syncthreads(); // everyone has read the last one
        if (threadIdx.x == 0) next = atomicAdd(counter, chunk);
        __syncthreads();
        const unsigned first = next;
        if (first >= rows) break;

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
static cudaError_t spmv_lightspmv_v4_launch(const csr_arrays_t *A, const T *d_x, T *d_y, uint32_t *d_counter,
                                            cudaStream_t stream)
{
    unsigned blocks, threads;
    source_geometry(&blocks, &threads);
    if (A->rows == 0) return cudaSuccess;
    const cudaError_t status = cudaMemsetAsync(d_counter, 0, sizeof *d_counter, stream);
    if (status != cudaSuccess) return status;
    spmv_lightspmv_v4_kernel<LANES, T, O><<<blocks, threads, 0, stream>>>(
        (unsigned)A->rows, (const O *)A->row_offsets, A->col_indices, (const T *)A->values, d_x, d_y, d_counter);
    return cudaGetLastError();
}

SPMV_LIGHTSPMV_STEP(spmv_lightspmv_v4)
