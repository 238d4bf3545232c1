/*
 * gemv v4 - as many lanes as a row can use
 *
 * From    v3
 * Was     v3 gives a warp to a row of 16 floats, which is work for four lanes.
 * Idea    Give a row LANES lanes, the power of two that reads it with one load per lane: a
 *         warp reads 32 / LANES rows at a time.  There are no gaps between rows,
 *         so the warp still reads 512 consecutive bytes.
 * Moves   Same as v3.  For 16 floats all 32 lanes load, not 4: an eighth of the requests.
 * Expect  Several times v3 on 16 and 32 columns; the same as v3 from 128 floats on.
 * Still   A lane has one load in flight, and its warp ends after it.    (-> v5)
 * Needs   As v3: 16-byte boundaries, else v2.
 * Launch  grid = ceil(rows * LANES / BLOCK), block = BLOCK.
 * Source  N. Bell, M. Garland, CUSP: THREADS_PER_VECTOR, for a dense matrix.
 */
#include "chapter.h"

enum { BLOCK = 256 };

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

static __device__ float dot(float4 a, float4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }
static __device__ double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }

// Lane 0 of a row gets the sum over the row's LANES lanes.
template <int LANES, typename T>
static __device__ T sum_row(T sum)
{
#pragma unroll
    for (unsigned s = LANES / 2; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s, LANES);
    return sum;
}

template <int LANES, typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK) gemv_v4_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A,
                                                        const vector_t *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % LANES;
    const size_t row = (size_t)blockIdx.x * (BLOCK / LANES) + threadIdx.x / LANES;

    // Lanes past the last row take part in the shuffles.
    T sum = 0;
#pragma unroll 1
    for (size_t k = lane; row < rows && k < vectors; k += LANES) sum += dot(A[row * vectors + k], x[k]);
    sum = sum_row<LANES>(sum);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES, typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, const vector_t *A, const vector_t *x, T *y, cudaStream_t stream)
{
    const unsigned rows_per_block = BLOCK / LANES;
    const unsigned blocks = (unsigned)((rows + rows_per_block - 1) / rows_per_block);
    gemv_v4_kernel<LANES, T, vector_t><<<blocks, BLOCK, 0, stream>>>(rows, vectors, A, x, y);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t gemv_v4_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
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

GEMV_STEP_FOR(GEMV_ROW, gemv_v4)
