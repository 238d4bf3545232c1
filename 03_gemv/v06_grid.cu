/*
 * gemv v6 - a grid sized to the GPU
 *
 * From    v5
 * Was     v5 starts up to 32768 blocks that each live for a microsecond.
 * Idea    Start as many blocks as the GPU can hold and let each warp take one unit
 *         of rows after the other.
 * Moves   Same as v5.
 * Expect  A tall matrix gains what the start of its blocks cost: a 1048576 x 16 one
 *         had 4096 of them, which is 5 us of launching for 16 us of reading.
 * Still   Every warp reads all of x for itself, through the L1 cache.    (-> v7)
 *         A few long rows keep a few warps busy and leave the others without work.  (-> v14)
 * Needs   As v3: 16-byte boundaries, else v2.
 * Launch  grid = enough for rows, at most what fits on the GPU at once; block = BLOCK.
 * Source  D. Merrill, CUB, for the grid.
 */
#include "chapter.h"

enum { BLOCK = 256, PER_SM = 4, WARPS = BLOCK / 32, IN_FLIGHT = 4 };

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

static __device__ float dot(float4 a, float4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }
static __device__ double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }

// Adds up COUNT sums over LANES lanes.  In each round a lane gives half of its sums to the lane `far` away and
// receives the other half of that lane's.  In the end lane l has sums l / SHARE * HELD and up, in sum[0..HELD-1].
template <int LANES, int COUNT>
struct folded {
    enum { HELD = COUNT > LANES ? COUNT / LANES : 1, SHARE = LANES > COUNT ? LANES / COUNT : 1 };
};
template <int LANES, int COUNT, typename T>
static __device__ void fold_sums(T (&sum)[COUNT], unsigned lane)
{
    int half = COUNT / 2;
#pragma unroll
    for (unsigned far = LANES / 2; far > 0; far /= 2, half /= 2) {
        const bool upper = lane & far;
        if (half == 0) sum[0] += __shfl_xor_sync(0xffffffffu, sum[0], far);
#pragma unroll
        for (int j = 0; j < half; ++j) {
            const T given = upper ? sum[j] : sum[j + half];
            sum[j] = (upper ? sum[j + half] : sum[j]) + __shfl_xor_sync(0xffffffffu, given, far);
        }
    }
}

// A unit is IN_FLIGHT consecutive groups of 32 / LANES rows; a warp takes every warps-th unit.
// Rows past the last one load the last row: this avoids a bounds check in the loop, and their sums are not stored.
template <int LANES, typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v6_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A, const vector_t *__restrict__ x,
                   T *__restrict__ y)
{
    constexpr unsigned GROUP = 32 / LANES, HELD = folded<LANES, IN_FLIGHT>::HELD,
                       SHARE = folded<LANES, IN_FLIGHT>::SHARE;
    const unsigned lane = threadIdx.x % LANES;
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / 32, warps = (size_t)gridDim.x * WARPS;

#pragma unroll 1
    for (size_t first = warp * GROUP * IN_FLIGHT; first < rows; first += warps * GROUP * IN_FLIGHT) {
        const size_t row = first + threadIdx.x % 32 / LANES;
        T sum[IN_FLIGHT] = {};
#pragma unroll 1
        for (size_t k = lane; k < vectors; k += LANES) {
            const vector_t xk = x[k];
            vector_t a[IN_FLIGHT];
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT; ++j) a[j] = A[min(row + j * GROUP, rows - 1) * vectors + k];
#pragma unroll
            for (unsigned j = 0; j < IN_FLIGHT; ++j) sum[j] += dot(a[j], xk);
        }
        fold_sums<LANES>(sum, lane);
#pragma unroll
        for (unsigned h = 0; h < HELD; ++h) {
            const size_t r = row + (lane / SHARE * HELD + h) * GROUP;
            if (lane % SHARE == 0 && r < rows) y[r] = sum[h];
        }
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

template <int LANES, typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, const vector_t *A, const vector_t *x, T *y, cudaStream_t stream)
{
    const unsigned rows_per_block = WARPS * IN_FLIGHT * (32 / LANES);
    const unsigned blocks = grid_for(gemv_v6_kernel<LANES, T, vector_t>, (rows + rows_per_block - 1) / rows_per_block);
    gemv_v6_kernel<LANES, T, vector_t><<<blocks, BLOCK, 0, stream>>>(rows, vectors, A, x, y);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t gemv_v6_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                  cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T), vectors = row_bytes / sizeof(vector_t);
    const vector_t *A = (const vector_t *)d_A, *x = (const vector_t *)d_x;
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return gemv_v2(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_ROW, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    if (vectors <= 1) return launch<1>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 2) return launch<2>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 4) return launch<4>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 8) return launch<8>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 16) return launch<16>(rows, vectors, A, x, d_y, stream);
    return launch<32>(rows, vectors, A, x, d_y, stream);
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v6)
