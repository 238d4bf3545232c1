/*
 * gemv v16 - eight loads in flight, for any alignment
 *
 * From    v15
 * Was     A thread of v15 has four loads of A in flight, and odd rows go to v2.
 * Idea    Do for a block what v9 and v11 did for a warp: two vectors of each of four rows
 *         (of doubles four of two), and one element per load if 16 bytes are not allowed.
 * Moves   Same as v15, or elements instead of vectors.  A piece is whole lines either way.
 * Expect  Long rows come a little nearer to the peak bandwidth; 64 rows of 1048575 columns are as
 *         fast as narrow loads allow, no longer a hundredth of that.
 * Still   Steps v1 to v16 read A by rows; a column-major A needs other loads.  (-> v17)
 * Needs   Row-major A.  Any rows, any cols, any alignment.  d_words zero.
 * Launch  grid = groups * pieces, at most PER_SM * SMs; block = BLOCK.
 * Source  v9 and v11.
 */
#include "chapter.h"

enum { BLOCK = 512, PER_SM = 2, WARPS = BLOCK / 32 };

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

// Lane 0 gets the sum over the 32 lanes of its warp.
template <typename T>
static __device__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

// Rows in flight, and vectors of each row in flight: eight loads in all, measured to be fastest.
template <typename T> struct in_flight { enum { ROWS = sizeof(T) == 8 ? 2 : 4, VECTORS = 8 / ROWS }; };

// A unit is a piece (a range of columns) of a group of ROWS rows; a block takes every gridDim.x-th unit.
// Rows past the last one load the last row: this avoids a bounds check in the loop, and their sums are not stored.
template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v16_kernel(size_t rows, size_t vectors, unsigned pieces, const vector_t *__restrict__ A,
                   const vector_t *__restrict__ x, T *__restrict__ y, T *sums, unsigned *words)
{
    constexpr unsigned ROWS = in_flight<T>::ROWS, VECTORS = in_flight<T>::VECTORS, SHARE = folded<32, ROWS>::SHARE;
    __shared__ T partial[ROWS][WARPS];
    __shared__ bool last;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t units = (rows + ROWS - 1) / ROWS * pieces;
    const size_t length = ((vectors + pieces - 1) / pieces + 31) / 32 * 32; // of a piece: whole lines of 128 bytes

#pragma unroll 1
    for (size_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const size_t group = unit / pieces, piece = unit % pieces, row = group * ROWS;
        const size_t end = min(vectors, (piece + 1) * length);
        T sum[ROWS] = {};
        size_t k = piece * length + tid;
#pragma unroll 1
        for (; k + (VECTORS - 1) * BLOCK < end; k += VECTORS * BLOCK) {
            vector_t a[VECTORS][ROWS], xk[VECTORS];
#pragma unroll
            for (unsigned v = 0; v < VECTORS; ++v) {
                xk[v] = x[k + v * BLOCK];
#pragma unroll
                for (unsigned j = 0; j < ROWS; ++j) a[v][j] = A[min(row + j, rows - 1) * vectors + k + v * BLOCK];
            }
#pragma unroll
            for (unsigned v = 0; v < VECTORS; ++v)
#pragma unroll
                for (unsigned j = 0; j < ROWS; ++j) sum[j] += dot(a[v][j], xk[v]);
        }
#pragma unroll 1
        for (; k < end; k += BLOCK)
#pragma unroll
            for (unsigned j = 0; j < ROWS; ++j) sum[j] += dot(A[min(row + j, rows - 1) * vectors + k], x[k]);

        // Add over the lanes, then over the warps: warp j gets the sum of row j.
        fold_sums<32>(sum, lane);
        if (lane % SHARE == 0) partial[lane / SHARE][warp] = sum[0];
        __syncthreads();
        if (warp < ROWS && row + warp < rows) {
            const T all = sum_warp(lane < WARPS ? partial[warp][lane] : T(0));
            if (lane == 0 && pieces == 1) y[row + warp] = all;
            if (lane == 0 && pieces > 1) {
                sums[(row + warp) * pieces + piece] = all;
                __threadfence(); // a block that sees the count below also sees this sum
            }
        }
        __syncthreads(); // from here on `partial` may be overwritten, and all its sums are stored
        if (pieces == 1) continue;

        if (tid == 0) last = atomicAdd(&words[group], 1u) == pieces - 1;
        __syncthreads();
        if (last && warp < ROWS && row + warp < rows) {
            __threadfence();
            T all = 0;
#pragma unroll 1
            for (size_t k = lane; k < pieces; k += 32) all += __ldcg(&sums[(row + warp) * pieces + k]);
            all = sum_warp(all);
            if (lane == 0) y[row + warp] = all;
        }
        if (last && tid == 0) words[group] = 0; // ready for the next launch
        __syncthreads(); // from here on `last` may be overwritten
    }
}

// Returns the number of blocks that the GPU can hold at once.
static size_t resident_blocks(void)
{
    int gpu = 0, sms = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    return (size_t)sms * PER_SM;
}

// Returns enough pieces to give each resident block a unit, as long as a piece has a batch of loads for each thread.
static size_t pieces_for(size_t groups, size_t resident, size_t vectors, size_t rows)
{
    size_t pieces = resident / groups;
    const size_t most = vectors / BLOCK + 1, scratch = gemv_sums_count(rows) / rows;
    if (groups > GEMV_WORDS) pieces = 1;
    if (pieces > most) pieces = most;
    if (pieces > scratch) pieces = scratch;
    return pieces < 1 ? 1 : pieces;
}

template <typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, const T *A, const T *x, T *y, T *sums, unsigned *words,
                          cudaStream_t stream)
{
    const size_t groups = (rows + in_flight<T>::ROWS - 1) / in_flight<T>::ROWS, resident = resident_blocks();
    const size_t pieces = pieces_for(groups, resident, vectors / in_flight<T>::VECTORS, rows), units = groups * pieces;
    gemv_v16_kernel<T, vector_t><<<(unsigned)(units < resident ? units : resident), BLOCK, 0, stream>>>(
        rows, vectors, (unsigned)pieces, (const vector_t *)A, (const vector_t *)x, y, sums, words);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t gemv_v16_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *d_sums,
                                   unsigned *d_words, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T);
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return launch<T, T>(rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);
    return launch<T, vector_t>(rows, row_bytes / sizeof(vector_t), d_A, d_x, d_y, d_sums, d_words, stream);
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v16)
