/*
 * gemv v18 - column-major, 16-byte loads
 *
 * From    v17
 * Was     v17 reads 4 bytes per lane: 128 bytes per request.
 * Idea    A thread takes four neighbouring rows (two of doubles): it loads 16 bytes of each column
 *         at once, keeps four sums, and stores 16 bytes of y at once.
 * Moves   Same as v17, by a quarter of the requests.
 * Expect  Fewer requests, and a quarter of the threads: a million rows have enough of them,
 *         fewer rows lose.  v3 keeps 32 lanes per row; here fewer rows mean fewer threads.
 * Still   The compiler decides how many loads are in flight at once. (-> v19)
 * Needs   Column-major A.  A and y on 16-byte boundaries, and a multiple of 16 bytes per column: any
 *         other matrix goes to v17.
 * Launch  grid = ceil(rows / 4 / BLOCK), for doubles ceil(rows / 2 / BLOCK); block = BLOCK.
 * Source  v3, transposed.
 */
#include "chapter.h"

enum { BLOCK = 256 };

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
__global__ void __launch_bounds__(BLOCK)
    gemv_v18_kernel(size_t vectors, size_t cols, const vector_t *__restrict__ A, const T *__restrict__ x,
                    vector_t *__restrict__ y)
{
    const size_t k = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (k >= vectors) return;

    vector_t sum = {};
    for (size_t c = 0; c < cols; ++c) add_product(sum, A[c * vectors + k], x[c]);
    y[k] = sum;
}

template <typename T>
static cudaError_t gemv_v18_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                   cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t column_bytes = rows * sizeof(T), vectors = column_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_y | column_bytes) % sizeof(vector_t))
        return gemv_v17(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_COL, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const unsigned blocks = (unsigned)((vectors + BLOCK - 1) / BLOCK);
    gemv_v18_kernel<T, vector_t><<<blocks, BLOCK, 0, stream>>>(vectors, cols, (const vector_t *)d_A, d_x,
                                                     (vector_t *)d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_COL, gemv_v18)
