/*
 * gemv v19 - column-major, eight columns in flight
 *
 * From    v18
 * Was     v18 lets the compiler decide how many loads are in flight at once.
 * Idea    A thread starts the loads of eight columns before it uses the first: 128 bytes in
 *         flight in each thread.  Grid as in v6.
 * Moves   Same as v18.
 * Expect  1048576 rows come near the peak.  16384 rows are now 4096 threads with 128 bytes
 *         each in flight: a tenth of what the memory needs.
 * Still   The number eight is a guess, and odd columns go to v17.              (-> v20)
 *         Threads come from rows only: few rows, few threads.                  (-> v21)
 * Needs   As v18: 16-byte boundaries, else v17.
 * Launch  grid = enough for rows, at most what fits on the GPU at once; block = BLOCK.
 * Source  v5, transposed.
 */
#include "chapter.h"

enum { BLOCK = 256, PER_SM = 4, IN_FLIGHT = 8 };

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

static __device__ void add_product(float4 &sum, float4 a, float x)
{
    sum.x += a.x * x, sum.y += a.y * x, sum.z += a.z * x, sum.w += a.w * x;
}
static __device__ void add_product(double2 &sum, double2 a, double x) { sum.x += a.x * x, sum.y += a.y * x; }

template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v19_kernel(size_t vectors, size_t cols, const vector_t *__restrict__ A, const T *__restrict__ x,
                    vector_t *__restrict__ y)
{
    const size_t threads = (size_t)gridDim.x * BLOCK;

#pragma unroll 1
    for (size_t k = (size_t)blockIdx.x * BLOCK + threadIdx.x; k < vectors; k += threads) {
        vector_t sum = {};
        size_t c = 0;
#pragma unroll 1
        for (; c + IN_FLIGHT <= cols; c += IN_FLIGHT) {
            vector_t a[IN_FLIGHT];
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT; ++j) a[j] = A[(c + j) * vectors + k];
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT; ++j) add_product(sum, a[j], x[c + j]);
        }
#pragma unroll 1
        for (; c < cols; ++c) add_product(sum, A[c * vectors + k], x[c]);
        y[k] = sum;
    }
}

// Returns as many blocks as have work, but no more than the GPU can hold at once.
template <typename kernel_t>
static unsigned grid_for(kernel_t kernel, size_t work)
{
    int gpu = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, BLOCK, 0);
    const size_t resident = (size_t)sms * (size_t)blocks_per_sm;
    return (unsigned)(work < resident ? work : resident);
}

template <typename T>
static cudaError_t gemv_v19_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                   cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t column_bytes = rows * sizeof(T), vectors = column_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_y | column_bytes) % sizeof(vector_t))
        return gemv_v17(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_COL, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const unsigned blocks = grid_for(gemv_v19_kernel<T, vector_t>, (vectors + BLOCK - 1) / BLOCK);
    gemv_v19_kernel<T, vector_t><<<blocks, BLOCK, 0, stream>>>(vectors, cols, (const vector_t *)d_A, d_x,
                                                     (vector_t *)d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_COL, gemv_v19)
