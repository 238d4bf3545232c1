/*
 * gemv v11 - the same kernel for any alignment
 *
 * From    v10
 * Was     v10 leaves rows that do not begin on a 16-byte boundary to v2: 1000 columns of floats
 *         are fast, 1001 are slow.
 * Idea    Make the type that a lane loads a template parameter.  If 16 bytes are not allowed,
 *         it is one element: the same number of loads in flight, only narrower ones.
 * Moves   Same as v10; odd rows as v2, with x read once for several rows.
 * Expect  Odd shapes run far faster than in v2, but slower than even ones: each load brings a
 *         quarter of the bytes.  Even shapes do not change.
 * Still   A small matrix is a few blocks of 512, and most SMs have none.       (-> v12)
 * Needs   Row-major A.  Any rows, any cols, any alignment.
 * Launch  grid = enough for rows, at most what fits on the GPU at once; block = BLOCK.
 * Source  C++ templates; the narrow loads are those of v2.
 */
#include "chapter.h"

enum { BLOCK = 512, WARPS = BLOCK / 32 };

// How many blocks of 512 threads an SM can hold: 1024 threads on sm_75, 1536 on sm_86, 89 and 120, else 2048.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define AT_MOST_PER_SM(n) ((n) < 2 ? (n) : 2)
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
#define AT_MOST_PER_SM(n) ((n) < 3 ? (n) : 3)
#else
#define AT_MOST_PER_SM(n) (n)
#endif

// Measured to be fastest: rows in flight, 16-byte vectors of each row in flight, blocks per SM.
struct tuned { int rows, vectors, per_sm; };
static constexpr tuned TUNED_F32[] = {
    {8, 1, 2}, // 4 lanes per row: up to 16 columns
    {4, 1, 4}, // 8
    {8, 1, 2}, // 16
    {8, 1, 2}, // 32, one vector each: up to 128 columns
    {4, 2, 2}, // 32, two vectors each: up to 256 columns
    {1, 8, 1}, // 32, many vectors
};
static constexpr tuned TUNED_F64[] = {
    {4, 1, 3}, // 4 lanes per row: up to 8 columns
    {4, 1, 4}, // 8
    {8, 1, 2}, // 16
    {8, 1, 2}, // 32, one vector each: up to 64 columns
    {4, 2, 2}, // 32, two vectors each: up to 128 columns
    {1, 8, 1}, // 32, many vectors
};
enum { MANY_VECTORS = 5 };

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

// dot() also takes single elements, for arrays that do not allow 16-byte loads.
static __device__ float dot(float a, float b) { return a * b; }
static __device__ double dot(double a, double b) { return a * b; }
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
__global__ void __launch_bounds__(BLOCK, AT_MOST_PER_SM(PER_SM))
    gemv_v11_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A, const vector_t *__restrict__ x,
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

template <int LANES, int LINE, typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, const vector_t *A, const vector_t *x, T *y, cudaStream_t stream)
{
    constexpr tuned t = sizeof(T) == 8 ? TUNED_F64[LINE] : TUNED_F32[LINE];
    const unsigned rows_per_block = WARPS * t.rows * (32 / LANES);
    const auto kernel = gemv_v11_kernel<LANES, LINE != MANY_VECTORS, t.rows, t.vectors, t.per_sm, T, vector_t>;
    const unsigned blocks = grid_for(kernel, (rows + rows_per_block - 1) / rows_per_block);
    kernel<<<blocks, BLOCK, 0, stream>>>(rows, vectors, A, x, y);
    return cudaGetLastError();
}

template <typename T, typename vector_t>
static cudaError_t launch_loads(size_t rows, size_t vectors, const T *d_A, const T *d_x, T *y, cudaStream_t stream)
{
    const vector_t *A = (const vector_t *)d_A, *x = (const vector_t *)d_x;
    if (vectors <= 4) return launch<4, 0>(rows, vectors, A, x, y, stream);
    if (vectors <= 8) return launch<8, 1>(rows, vectors, A, x, y, stream);
    if (vectors <= 16) return launch<16, 2>(rows, vectors, A, x, y, stream);
    if (vectors <= 32) return launch<32, 3>(rows, vectors, A, x, y, stream);
    if (vectors <= 64) return launch<32, 4>(rows, vectors, A, x, y, stream);
    return launch<32, MANY_VECTORS>(rows, vectors, A, x, y, stream);
}

template <typename T>
static cudaError_t gemv_v11_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                   cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T);
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return launch_loads<T, T>(rows, cols, d_A, d_x, d_y, stream);
    return launch_loads<T, vector_t>(rows, row_bytes / sizeof(vector_t), d_A, d_x, d_y, stream);
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v11)
