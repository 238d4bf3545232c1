/*
 * gemv v20 - column-major, more threads with two columns each
 *
 * From    v19
 * Was     v19 has eight columns in flight in each of 1024 threads per SM.
 * Idea    Two columns in each of 2048 threads, as measured: half the bytes in flight, still
 *         64 KB per SM.  Blocks as in v12, so that each SM has one, and alignment as in v11.
 * Moves   Same as v19, or one element per load where 16 bytes are not allowed.
 * Expect  The same time for a million even rows, or a little less; odd rows no longer go to v17.
 * Still   Threads come from rows only: few rows, few threads.                  (-> v21)
 * Needs   Column-major A.  Any rows, any cols, any alignment.
 * Launch  One thread per vector of rows, 32 to 512 threads per block, at most 4 blocks per SM.
 * Source  v11 and v12, transposed.
 */
#include "chapter.h"

enum { MAX_BLOCK = 512, MAX_WARPS = MAX_BLOCK / 32, PER_SM = 4, IN_FLIGHT = 2 };

// How many blocks of 512 threads an SM can hold: 1024 threads on sm_75, 1536 on sm_86, 89 and 120, else 2048.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define AT_MOST_PER_SM(n) ((n) < 2 ? (n) : 2)
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
#define AT_MOST_PER_SM(n) ((n) < 3 ? (n) : 3)
#else
#define AT_MOST_PER_SM(n) (n)
#endif

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

static __device__ void add_product(float &sum, float a, float x) { sum += a * x; }
static __device__ void add_product(double &sum, double a, double x) { sum += a * x; }
static __device__ void add_product(float4 &sum, float4 a, float x)
{
    sum.x += a.x * x, sum.y += a.y * x, sum.z += a.z * x, sum.w += a.w * x;
}
static __device__ void add_product(double2 &sum, double2 a, double x) { sum.x += a.x * x, sum.y += a.y * x; }

template <typename T, typename vector_t>
__global__ void __launch_bounds__(MAX_BLOCK, AT_MOST_PER_SM(PER_SM))
    gemv_v20_kernel(size_t vectors, size_t cols, const vector_t *__restrict__ A,
                    const T *__restrict__ x, vector_t *__restrict__ y)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;

#pragma unroll 1
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < vectors; k += threads) {
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

template <typename T, typename vector_t>
static cudaError_t launch(size_t vectors, size_t cols, const T *A, const T *x, T *y, cudaStream_t stream)
{
    const size_t units = ceil_div(vectors, 32), sms = count_sms(), warps = at_most(ceil_div(units, sms), MAX_WARPS);
    const size_t blocks = at_most(ceil_div(units, warps), sms * PER_SM);
    gemv_v20_kernel<T, vector_t><<<(unsigned)blocks, (unsigned)(32 * warps), 0, stream>>>(
        vectors, cols, (const vector_t *)A, x, (vector_t *)y);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t gemv_v20_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *, unsigned *,
                                   cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t column_bytes = rows * sizeof(T), vectors = column_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_y | column_bytes) % sizeof(vector_t))
        return launch<T, T>(rows, cols, d_A, d_x, d_y, stream);
    return launch<T, vector_t>(vectors, cols, d_A, d_x, d_y, stream);
}

GEMV_STEP_FOR(GEMV_COL, gemv_v20)
