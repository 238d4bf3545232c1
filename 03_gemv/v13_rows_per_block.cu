/*
 * gemv v13 - one block for four rows
 *
 * From    v3
 * Was     v3 gives a row to a warp, as do the steps after it: 64 rows of a million columns are
 *         work for 64 warps.
 * Idea    Give four rows to all the warps of a block.  Each thread takes every BLOCK-th vector of
 *         the four; shuffles add the sums of lanes, shared memory those of warps.
 * Moves   Same A; x once for every four rows, from L2.
 * Expect  Four times the warps for the same rows: 64 rows are work for 16 blocks of 16 warps,
 *         each with four loads in flight.  If rows are short, most of a block is idle.
 * Still   16 blocks keep 16 SMs busy, and the GPU has 132.                    (-> v14)
 * Needs   As v3: 16-byte boundaries, else v2.
 * Launch  grid = ceil(rows / 4), as many as fit on the GPU at once; block = BLOCK.
 * Source  M. Harris, Optimizing Parallel Reduction in CUDA (2007), for the sums of a block.
 */
#include "chapter.h"

enum { BLOCK = 512, PER_SM = 2, WARPS = BLOCK / 32, ROWS = 4 };

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

static __device__ float dot(float4 a, float4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }
static __device__ double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }

// Lane 0 gets the sum over the 32 lanes of its warp.
template <typename T>
static __device__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

// A block takes every gridDim.x-th group of ROWS rows.
// Rows past the last one load the last row: this avoids a bounds check in the loop, and their sums are not stored.
template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v13_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A, const vector_t *__restrict__ x,
                    T *__restrict__ y)
{
    __shared__ T partial[ROWS][WARPS];
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;

#pragma unroll 1
    for (size_t row = (size_t)blockIdx.x * ROWS; row < rows; row += (size_t)gridDim.x * ROWS) {
        T sum[ROWS] = {};
#pragma unroll 1
        for (size_t k = tid; k < vectors; k += BLOCK) {
            const vector_t xk = x[k];
            vector_t a[ROWS];
#pragma unroll
            for (unsigned j = 0; j < ROWS; ++j) a[j] = A[min(row + j, rows - 1) * vectors + k];
#pragma unroll
            for (unsigned j = 0; j < ROWS; ++j) sum[j] += dot(a[j], xk);
        }

        // Add over the lanes, then over the warps: warp j gets the sum of row j.
#pragma unroll
        for (unsigned j = 0; j < ROWS; ++j) {
            sum[j] = sum_warp(sum[j]);
            if (lane == 0) partial[j][warp] = sum[j];
        }
        __syncthreads();
        if (warp < ROWS && row + warp < rows) {
            const T all = sum_warp(lane < WARPS ? partial[warp][lane] : T(0));
            if (lane == 0) y[row + warp] = all;
        }
        __syncthreads(); // from here on `partial` may be overwritten
    }
}

// Returns the number of blocks that the GPU can hold at once.
template <typename kernel_t>
static size_t resident_blocks(kernel_t kernel)
{
    int gpu = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, BLOCK, 0);
    return (size_t)sms * (size_t)blocks_per_sm;
}

template <typename T>
static cudaError_t gemv_v13_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y,
                                   T *, unsigned *, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T);
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return gemv_v2(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_ROW, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const size_t groups = (rows + ROWS - 1) / ROWS, resident = resident_blocks(gemv_v13_kernel<T, vector_t>);
    const unsigned blocks = (unsigned)(groups < resident ? groups : resident);
    gemv_v13_kernel<T, vector_t><<<blocks, BLOCK, 0, stream>>>(rows, row_bytes / sizeof(vector_t),
                                                               (const vector_t *)d_A, (const vector_t *)d_x, d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v13)
