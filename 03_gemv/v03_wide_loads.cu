/*
 * gemv v3 - 16-byte loads
 *
 * From    v2
 * Was     v2 loads 4 bytes per lane: 128 bytes per request.
 * Idea    A lane loads four neighbouring floats (or two doubles) of A at once,
 *         and as many of x.
 * Moves   Same as v2, by a quarter of the requests: 512 bytes, 16 sectors each.
 * Expect  More bytes in flight with the same number of warps: good for long rows.
 *         A row of 16 floats is now four loads: 28 of 32 lanes idle.
 * Still   Short rows leave most of the warp idle.                       (-> v4)
 * Needs   Row-major A.  A and x on 16-byte boundaries, and a multiple of 16 bytes per
 *         row, so that every row starts on one: any other matrix goes to v2.
 * Launch  grid = ceil(rows / 8), block = BLOCK = 8 warps.
 * Source  J. Luitjens, Increase Performance with Vectorized Memory Access (NVIDIA blog, 2013).
 */
#include "chapter.h"

enum { BLOCK = 256, WARPS = BLOCK / 32 };

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

template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK) gemv_v3_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A,
                                                        const vector_t *__restrict__ x, T *__restrict__ y)
{
    const unsigned lane = threadIdx.x % 32;
    const size_t row = (size_t)blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return; // the whole warp

    T sum = 0;
#pragma unroll 1
    for (size_t k = lane; k < vectors; k += 32) sum += dot(A[row * vectors + k], x[k]);
    sum = sum_warp(sum);
    if (lane == 0) y[row] = sum;
}

template <typename T>
static cudaError_t gemv_v3_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y,
                                  T *, unsigned *, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T);
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return gemv_v2(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_ROW, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const unsigned blocks = (unsigned)((rows + WARPS - 1) / WARPS);
    gemv_v3_kernel<T, vector_t><<<blocks, BLOCK, 0, stream>>>(rows, row_bytes / sizeof(vector_t),
                                                              (const vector_t *)d_A, (const vector_t *)d_x, d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v3)
