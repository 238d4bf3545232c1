/*
 * gemv v9 - several vectors of a row in flight
 *
 * From    v8
 * Was     A lane of v8 has four loads of A in flight, one from each of four rows.  Long rows
 *         put them at distant addresses, and every four need a load of x.
 * Idea    Keep ROWS x VECTORS loads in flight: 4 x 1 as before for rows of up to 32 vectors; 4 x 2
 *         up to 64, with both vectors of x in registers; 1 x 8 for longer rows.
 * Moves   Same A.  Beyond 64 vectors per row, x is read for each row instead of each fourth.
 * Expect  A lane has 16 loads in flight instead of five for long rows, and a row has a warp:
 *         4096 rows are 4096 warps instead of 1024.  Short rows are read as before.
 * Still   Four rows or one is a guess, the same for fp32 and fp64 and any number of lanes.  (-> v10)
 * Needs   As v3: 16-byte boundaries, else v2.
 * Launch  grid = enough for rows, at most what fits on the GPU at once; block = BLOCK.
 * Source  V. Volkov, Better Performance at Lower Occupancy (2010).
 */
#include "chapter.h"

enum { BLOCK = 256, WARPS = BLOCK / 32 };

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

// A unit is ROWS consecutive groups of 32 / LANES rows; a warp takes every warps-th unit.
// Rows past the last one load the last row: this avoids a bounds check in the loop, and their sums are not stored.
template <int LANES, bool KEEP, int ROWS, int VECTORS, int PER_SM, typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v9_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A, const vector_t *__restrict__ x,
                   T *__restrict__ y)
{
    constexpr unsigned GROUP = 32 / LANES, HELD = folded<LANES, ROWS>::HELD, SHARE = folded<LANES, ROWS>::SHARE;
    const unsigned lane = threadIdx.x % LANES;
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / 32, warps = (size_t)gridDim.x * WARPS;
    vector_t kept[VECTORS] = {};
#pragma unroll
    for (unsigned v = 0; v < VECTORS; ++v)
        if (KEEP && lane + v * LANES < vectors) kept[v] = x[lane + v * LANES];

#pragma unroll 1
    for (size_t first = warp * GROUP * ROWS; first < rows; first += warps * GROUP * ROWS) {
        const size_t row = first + threadIdx.x % 32 / LANES;
        T sum[ROWS] = {};
        if (KEEP) {
            vector_t a[VECTORS][ROWS] = {};
#pragma unroll
            for (unsigned v = 0; v < VECTORS; ++v)
#pragma unroll
                for (unsigned j = 0; j < ROWS; ++j)
                    if (lane + v * LANES < vectors)
                        a[v][j] = A[min(row + j * GROUP, rows - 1) * vectors + lane + v * LANES];
#pragma unroll
            for (unsigned v = 0; v < VECTORS; ++v)
#pragma unroll
                for (unsigned j = 0; j < ROWS; ++j) sum[j] += dot(a[v][j], kept[v]);
        } else { // all lanes share one row: ROWS is 1
            size_t k = lane;
#pragma unroll 1
            for (; k + (VECTORS - 1) * LANES < vectors; k += VECTORS * LANES) {
                vector_t a[VECTORS], xk[VECTORS];
#pragma unroll
                for (unsigned v = 0; v < VECTORS; ++v)
                    a[v] = A[row * vectors + k + v * LANES], xk[v] = x[k + v * LANES];
#pragma unroll
                for (unsigned v = 0; v < VECTORS; ++v) sum[0] += dot(a[v], xk[v]);
            }
#pragma unroll 1
            for (; k < vectors; k += LANES) sum[0] += dot(A[row * vectors + k], x[k]);
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

template <int LANES, bool KEEP, int ROWS, int VECTORS, int PER_SM, typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, const vector_t *A, const vector_t *x, T *y, cudaStream_t stream)
{
    const unsigned rows_per_block = WARPS * ROWS * (32 / LANES);
    const auto kernel = gemv_v9_kernel<LANES, KEEP, ROWS, VECTORS, PER_SM, T, vector_t>;
    const unsigned blocks = grid_for(kernel, (rows + rows_per_block - 1) / rows_per_block);
    kernel<<<blocks, BLOCK, 0, stream>>>(rows, vectors, A, x, y);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t gemv_v9_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                  cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T), vectors = row_bytes / sizeof(vector_t);
    const vector_t *A = (const vector_t *)d_A, *x = (const vector_t *)d_x;
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return gemv_v2(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_ROW, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    if (vectors <= 1) return launch<1, true, 4, 1, 4>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 2) return launch<2, true, 4, 1, 4>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 4) return launch<4, true, 4, 1, 4>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 8) return launch<8, true, 4, 1, 4>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 16) return launch<16, true, 4, 1, 4>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 32) return launch<32, true, 4, 1, 4>(rows, vectors, A, x, d_y, stream);
    if (vectors <= 64) return launch<32, true, 4, 2, 4>(rows, vectors, A, x, d_y, stream);
    return launch<32, false, 1, 8, 2>(rows, vectors, A, x, d_y, stream);
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v9)
