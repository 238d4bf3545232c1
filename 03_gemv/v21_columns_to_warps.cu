/*
 * gemv v21 - column-major, the columns split between the warps of a block
 *
 * From    v19
 * Was     v19 has only one thread for every 16 bytes of a column.
 * Idea    A warp takes 512 bytes of rows, and the 16 warps of a block take different columns of
 *         them, eight at a time.  Shared memory adds their sums.
 * Moves   Same A and y; x once for each 512 bytes of rows.
 * Expect  16 times the threads for the same rows: 16384 rows are 128 blocks, near the peak.
 *         4096 rows are 32 blocks: better than v19, and still far from the peak.
 * Still   A tile of rows has one block: 4096 rows leave 100 of 132 SMs without one.  (-> v22)
 * Needs   As v18: 16-byte boundaries, else v17.
 * Launch  grid = row tiles, as many as fit on the GPU at once; block = BLOCK.
 * Source  v13, transposed.
 */
#include "chapter.h"

enum { BLOCK = 512, PER_SM = 2, WARPS = BLOCK / 32, IN_FLIGHT = 8 };

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

static __device__ void add_product(float4 &sum, float4 a, float x)
{
    sum.x += a.x * x, sum.y += a.y * x, sum.z += a.z * x, sum.w += a.w * x;
}
static __device__ void add_product(double2 &sum, double2 a, double x) { sum.x += a.x * x, sum.y += a.y * x; }

// Returns the sum of the `parts` partial sums of thread t; part p is at partial[p * TILE + t].
template <unsigned TILE, typename T>
static __device__ T sum_parts(const T *partial, unsigned parts, unsigned t)
{
    T sum = 0;
    for (unsigned p = 0; p < parts; ++p) sum += partial[p * TILE + t];
    return sum;
}

// A tile consists of the rows of 32 vectors, one vector per lane.
template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v21_kernel(size_t vectors, size_t cols, const vector_t *__restrict__ A, const T *__restrict__ x,
                    T *__restrict__ y)
{
    constexpr unsigned WIDTH = sizeof(vector_t) / sizeof(T), TILE = 32 * WIDTH;
    __shared__ vector_t partial[BLOCK];
    T *const part = (T *)partial;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t rows = vectors * WIDTH, tiles = (vectors + 31) / 32;

#pragma unroll 1
    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const size_t k = min(tile * 32 + lane, vectors - 1);
        const size_t row = tile * TILE + tid; // the first TILE threads add the sums of one row each
        const bool writer = tid < TILE && row < rows;

        vector_t sum = {};
#pragma unroll 1
        for (size_t c = warp * IN_FLIGHT; c < cols; c += WARPS * IN_FLIGHT) {
            if (c + IN_FLIGHT <= cols) {
                vector_t a[IN_FLIGHT];
#pragma unroll
                for (unsigned j = 0; j < IN_FLIGHT; ++j) a[j] = A[(c + j) * vectors + k];
#pragma unroll
                for (unsigned j = 0; j < IN_FLIGHT; ++j) add_product(sum, a[j], x[c + j]);
            } else {
#pragma unroll 1
                for (size_t i = c; i < cols; ++i) add_product(sum, A[i * vectors + k], x[i]);
            }
        }
        partial[tid] = sum;
        __syncthreads();
        if (writer) y[row] = sum_parts<TILE>(part, WARPS, tid);
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
static cudaError_t gemv_v21_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                   cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t column_bytes = rows * sizeof(T), vectors = column_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_y | column_bytes) % sizeof(vector_t))
        return gemv_v17(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_COL, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const size_t tiles = (vectors + 31) / 32, resident = resident_blocks(gemv_v21_kernel<T, vector_t>);
    gemv_v21_kernel<T, vector_t><<<(unsigned)(tiles < resident ? tiles : resident), BLOCK, 0, stream>>>(
        vectors, cols, (const vector_t *)d_A, d_x, d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_COL, gemv_v21)
