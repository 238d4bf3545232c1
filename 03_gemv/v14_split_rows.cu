/*
 * gemv v14 - a row split between blocks
 *
 * From    v13
 * Was     In v13 a row belongs to one block.  64 rows are work for 16 of 132 SMs.
 * Idea    Cut the rows into pieces and give four rows of a piece to a block.  The sums of the
 *         pieces go to scratch; the block that arrives last at a group of rows adds
 *         them, always in the same order.
 * Moves   Same A; x once for every four rows, from L2; a sum for each row and piece.
 * Expect  64 x 1048576 goes from a tenth of the GPU to most of it.  For many short rows
 *         a block per row is far too much: v6 stays better there.
 * Still   The four sums are added up over the lanes one after the other.       (-> v15)
 * Needs   As v3: 16-byte boundaries, else v2.  d_words zero.
 * Launch  grid = groups * pieces, as many as fit on the GPU at once; block = BLOCK.
 * Source  threadFenceReduction, NVIDIA CUDA samples (2009), for the idea.
 */
#include "chapter.h"

enum { BLOCK = 512, PER_SM = 2, WARPS = BLOCK / 32, ROWS = 4 };

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

// A unit is a piece (a range of columns) of a group of ROWS rows; a block takes every gridDim.x-th unit.
// Rows past the last one load the last row: this avoids a bounds check in the loop, and their sums are not stored.
template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v14_kernel(size_t rows, size_t vectors, unsigned pieces, const vector_t *__restrict__ A,
                   const vector_t *__restrict__ x, T *__restrict__ y, T *sums, unsigned *words)
{
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
#pragma unroll
        for (unsigned j = 0; j < ROWS; ++j) {
            sum[j] = sum_warp(sum[j]);
            if (lane == 0) partial[j][warp] = sum[j];
        }
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
static cudaError_t gemv_v14_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y,
                                   T *d_sums, unsigned *d_words, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t row_bytes = cols * sizeof(T), vectors = row_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_x | row_bytes) % sizeof(vector_t))
        return gemv_v2(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_ROW, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const size_t groups = (rows + ROWS - 1) / ROWS, resident = resident_blocks(gemv_v14_kernel<T, vector_t>);
    const size_t pieces = pieces_for(groups, resident, vectors, rows), units = groups * pieces;
    gemv_v14_kernel<T, vector_t><<<(unsigned)(units < resident ? units : resident), BLOCK, 0, stream>>>(
        rows, vectors, (unsigned)pieces, (const vector_t *)d_A, (const vector_t *)d_x, d_y, d_sums, d_words);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_ROW, gemv_v14)
