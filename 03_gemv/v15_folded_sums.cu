/*
 * gemv v15 - the sums of a block folded
 *
 * From    v14
 * Was     v14 adds four sums over 32 lanes one by one: 20 shuffles, and four stores to shared
 *         memory by one lane each.
 * Idea    Fold them as v5 does: in each round a lane hands half of its sums to another.
 * Moves   Same as v14.
 * Expect  6 shuffles and one store.  The sums of a piece are a small part of its work, so
 *         the time will hardly change.
 * Still   Each thread has four loads of A in flight; odd rows go to v2. (-> v16)
 * Needs   As v3: 16-byte boundaries, else v2.  d_words zero.
 * Launch  grid = groups * pieces, as many as fit on the GPU at once; block = BLOCK.
 * Source  v5.
 */
#include "chapter.h"

enum { BLOCK = 512, PER_SM = 2, WARPS = BLOCK / 32, ROWS = 4 };

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

// Lane 0 gets the sum over the 32 lanes of its warp.
template <typename T>
static __device__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

// A unit is a piece (a range of columns) of a group of ROWS rows; a block takes every gridDim.x-th unit.
// Rows past the last one load the last row: this avoids a bounds check in the loop, and their sums are not stored.
template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v15_kernel(size_t rows, size_t vectors, unsigned pieces, const vector_t *__restrict__ A,
                   const vector_t *__restrict__ x, T *__restrict__ y, T *sums, unsigned *words)
{
    constexpr unsigned SHARE = folded<32, ROWS>::SHARE;
    __shared__ T partial[ROWS][WARPS];
    __shared__ bool last;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t units = (rows + ROWS - 1) / ROWS * pieces;
    const size_t length = ((vectors + pieces - 1) / pieces + 7) / 8 * 8; // of a piece: whole lines of 128 bytes

#pragma unroll 1
    for (size_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const size_t group = unit / pieces, piece = unit % pieces, row = group * ROWS;
        const size_t end = min(vectors, (piece + 1) * length);
        T sum[ROWS] = {};
#pragma unroll 1
        for (size_t k = piece * length + tid; k < end; k += BLOCK) {
            const vector_t xk = x[k];
            vector_t a[ROWS];
#pragma unroll
            for (unsigned j = 0; j < ROWS; ++j) a[j] = A[min(row + j, rows - 1) * vectors + k];
#pragma unroll
            for (unsigned j = 0; j < ROWS; ++j) sum[j] += dot(a[j], xk);
        }

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
template <typename kernel_t>
static size_t resident_blocks(kernel_t kernel)
{
    int gpu = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&gpu);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, kernel, BLOCK, 0);
    return (size_t)sms * (size_t)blocks_per_sm;
}

// Returns enough pieces to give each resident block a unit, as long as a piece has a load for each thread.
static size_t pieces_for(size_t groups, size_t resident, size_t vectors, size_t rows)
{
    size_t pieces = resident / groups;
    const size_t most = vectors / BLOCK, scratch = gemv_sums_count(rows) / rows;
    if (groups > GEMV_WORDS) pieces = 1;
    if (pieces > most) pieces = most;
    if (pieces > scratch) pieces = scratch;
    return pieces < 1 ? 1 : pieces;
}

template <typename T>
static cudaError_t gemv_v15_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *d_sums,
                                   unsigned *d_words, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T), vectors = row_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return gemv_v2(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_ROW, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const size_t groups = (rows + ROWS - 1) / ROWS, resident = resident_blocks(gemv_v15_kernel<T, vector_t>);
    const size_t pieces = pieces_for(groups, resident, vectors, rows), units = groups * pieces;
    gemv_v15_kernel<T, vector_t><<<(unsigned)(units < resident ? units : resident), BLOCK, 0, stream>>>(
        rows, vectors, (unsigned)pieces, (const vector_t *)d_A, (const vector_t *)d_x, d_y, d_sums, d_words);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v15)
