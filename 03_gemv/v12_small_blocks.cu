/*
 * gemv v12 - one block for every SM
 *
 * From    v11
 * Was     v11 starts blocks of 512 threads: 16384 rows of 16 floats are work for 16 blocks, and
 *         116 of 132 SMs have none.
 * Idea    Give every SM a block before a block gets more warps, and use all warps of the GPU
 *         before a warp gets a second unit.  So blocks have 32 to 512 threads.
 * Moves   Same as v11; x once per warp of the grid.
 * Expect  Small matrices run faster, because fewer SMs are idle.  Large ones do not change.
 * Still   64 rows of a million are work for 64 warps, whatever the blocks are. (-> v13)
 * Needs   Row-major A.  Any rows, any cols, any alignment.
 * Launch  grid and block as above, at most what the table holds on the GPU at once.
 * Source  NVIDIA, CUDA C++ Best Practices Guide: blocks for every multiprocessor.
 */
#include "chapter.h"

enum { MAX_BLOCK = 512, MAX_WARPS = MAX_BLOCK / 32 };

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
__global__ void __launch_bounds__(MAX_BLOCK, AT_MOST_PER_SM(PER_SM))
    gemv_v12_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A, const vector_t *__restrict__ x,
                    T *__restrict__ y)
{
    constexpr unsigned GROUP = 32 / LANES, HELD = folded<LANES, ROWS>::HELD, SHARE = folded<LANES, ROWS>::SHARE;
    const unsigned lane = threadIdx.x % LANES, warps_per_block = blockDim.x / 32;
    const size_t warp = (size_t)blockIdx.x * warps_per_block + threadIdx.x / 32;
    const size_t warps = (size_t)gridDim.x * warps_per_block;
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

// Returns the number of multiprocessors of the GPU.
static size_t count_sms(void)
{
    int gpu = 0, sms = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    return (size_t)sms;
}

static size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static size_t at_most(size_t v, size_t most) { return v < most ? v : most; }

template <int LANES, int LINE, typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, const vector_t *A, const vector_t *x, T *y, cudaStream_t stream)
{
    constexpr tuned t = sizeof(T) == 8 ? TUNED_F64[LINE] : TUNED_F32[LINE];
    const auto kernel = gemv_v12_kernel<LANES, LINE != MANY_VECTORS, t.rows, t.vectors, t.per_sm, T, vector_t>;
    const size_t units = ceil_div(rows, t.rows * (32 / LANES)), sms = count_sms();
    const size_t warps = at_most(ceil_div(units, sms), MAX_WARPS);
    const size_t blocks = at_most(ceil_div(units, warps), sms * t.per_sm);
    kernel<<<(unsigned)blocks, (unsigned)(32 * warps), 0, stream>>>(rows, vectors, A, x, y);
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
static cudaError_t gemv_v12_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                   cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T);
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return launch_loads<T, T>(rows, cols, d_A, d_x, d_y, stream);
    return launch_loads<T, vector_t>(rows, row_bytes / sizeof(vector_t), d_A, d_x, d_y, stream);
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v12)
