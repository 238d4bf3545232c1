/*
 * gemv v5 - four rows in flight
 *
 * From    v4
 * Was     A lane of v4 has one load of A in flight, and loads x again for each row.
 * Idea    Give each group of LANES lanes four rows: four loads of A start together and
 *         share one of x.  The four sums fold onto different lanes, so that a
 *         warp stores neighbouring elements of y by one instruction.
 * Moves   Same A; a quarter of the loads of x; for short rows a quarter of the stores.
 * Expect  More bytes in flight, so nearer to the peak bandwidth everywhere; the short
 *         rows of a tall matrix gain most.
 * Still   One block for every 32 rows of 128 floats: 32768 blocks to start for a
 *         million rows, and each works for a microsecond only.          (-> v6)
 * Needs   As v3: 16-byte boundaries, else v2.
 * Launch  grid = enough for one warp per 4 * 32 / LANES rows, block = BLOCK.
 * Source  Register blocking as in any matrix product; V. Volkov, Better Performance at
 *         Lower Occupancy (2010), for loads in flight instead of threads.
 */
#include "chapter.h"

// With PER_SM = 4 the compiler may use enough registers to keep four loads in flight; without this
// bound it saves registers and waits for each load before it issues the next.
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

// A warp takes IN_FLIGHT consecutive groups of 32 / LANES rows.
// Rows past the last one load the last row: this avoids a bounds check in the loop, and their sums are not stored.
template <int LANES, typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM) gemv_v5_kernel(size_t rows, size_t vectors,
    const vector_t *__restrict__ A, const vector_t *__restrict__ x, T *__restrict__ y)
{
    constexpr unsigned GROUP = 32 / LANES, HELD = folded<LANES, IN_FLIGHT>::HELD,
                       SHARE = folded<LANES, IN_FLIGHT>::SHARE;
    const unsigned lane = threadIdx.x % LANES;
    const size_t warp = (size_t)blockIdx.x * WARPS + threadIdx.x / 32;
    const size_t row = warp * GROUP * IN_FLIGHT + threadIdx.x % 32 / LANES;
    if (warp * GROUP * IN_FLIGHT >= rows) return; // the whole warp

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

template <int LANES, typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, const vector_t *A, const vector_t *x, T *y, cudaStream_t stream)
{
    const unsigned rows_per_block = WARPS * IN_FLIGHT * (32 / LANES);
    const unsigned blocks = (unsigned)((rows + rows_per_block - 1) / rows_per_block);
    gemv_v5_kernel<LANES, T, vector_t><<<blocks, BLOCK, 0, stream>>>(rows, vectors, A, x, y);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t gemv_v5_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
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

GEMV_STEP_FOR(GEMV_ROW, gemv_v5)
