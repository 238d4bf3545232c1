/*
 * test_mutants_split.cu - three small kernels, each a piece of the ladder, with the natural bug of one step each: rows
 * that a warp shares (v8 to v12), rows that a block shares (v13 to v16), columns that blocks share (v18 to v25).
 */
#include "chapter.h"

enum mutant {
    CORRECT, KEPT_FOR_ALL, NO_REMAINDER, OTHER_LINE, BYTES_FOR_ELEMENTS, FULL_BLOCKS,             // v8 to v12
    NO_BARRIER_OF_WARPS, FOLDED_ELSEWHERE, NEIGHBOURS_IN_FLIGHT,                                  // v13, v15, v16
    ODD_COLUMNS, LAST_COLUMN_DROPPED, NO_BARRIER_OF_COLUMNS, SHORT_PIECES, NO_FENCE, TILE_OF_BLOCK // v18 to v25
};

template <typename T>
static __device__ T sum_warp(T sum)
{
    for (unsigned s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    return sum;
}

static __device__ float dot(float a, float b) { return a * b; }
static __device__ float dot(float4 a, float4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }

// A warp to two rows, two vectors of each at a time: v8 to v12 in one.
template <int MUTANT, typename vector_t>
__global__ void rows_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A, const vector_t *__restrict__ x,
                            float *y)
{
    const unsigned lane = threadIdx.x % 32, warps_per_block = MUTANT == FULL_BLOCKS ? 16 : blockDim.x / 32;
    const size_t warp = (size_t)blockIdx.x * warps_per_block + threadIdx.x / 32,
                 warps = (size_t)gridDim.x * warps_per_block;
    vector_t kept = {};
    if (lane < vectors) kept = x[lane];

    for (size_t first = 2 * warp; first < rows; first += (MUTANT == OTHER_LINE ? 4 : 2) * warps) {
        float sum[2] = {};
        size_t k = lane;
        for (; k + 32 < vectors; k += 64)
            for (unsigned i = 0; i < 4; ++i)
                sum[i % 2] += dot(A[min(first + i % 2, rows - 1) * vectors + k + i / 2 * 32],
                                  MUTANT == KEPT_FOR_ALL ? kept : x[k + i / 2 * 32]);
        if (k < vectors && MUTANT != NO_REMAINDER)
            for (unsigned j = 0; j < 2; ++j) sum[j] += dot(A[min(first + j, rows - 1) * vectors + k], x[k]);
        for (unsigned j = 0; j < 2; ++j) {
            sum[j] = sum_warp(sum[j]);
            if (lane == 0 && first + j < rows) y[first + j] = sum[j];
        }
    }
}

// A block to four rows, two elements of each at a time: v13, v15 and v16 in one.
enum { BLOCK = 128, WARPS = BLOCK / 32 };
template <int MUTANT>
__global__ void block_kernel(size_t rows, size_t cols, const float *__restrict__ A, const float *__restrict__ x,
                             float *y)
{
    __shared__ float partial[4][WARPS];
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t row = 4 * (size_t)blockIdx.x, step = MUTANT == NEIGHBOURS_IN_FLIGHT ? 1 : BLOCK;
    float sum[4] = {};
    for (size_t k = tid; k < cols; k += 2 * BLOCK)
        for (size_t c = k; c < cols && c <= k + step; c += step)
            for (unsigned j = 0; j < 4; ++j) sum[j] += A[min(row + j, rows - 1) * cols + c] * x[c];

    // Four sums fold onto four groups of eight lanes.
    for (unsigned far = 16, half = 2; half > 0; far /= 2, half /= 2)
        for (unsigned j = 0; j < half; ++j) {
            const bool upper = lane & far;
            const float given = upper ? sum[j] : sum[j + half];
            sum[j] = (upper ? sum[j + half] : sum[j]) + __shfl_xor_sync(0xffffffffu, given, far);
        }
    for (unsigned far = 4; far > 0; far /= 2) sum[0] += __shfl_xor_sync(0xffffffffu, sum[0], far);
    if (lane % 8 == 0) partial[MUTANT == FOLDED_ELSEWHERE ? 3 - lane / 8 : lane / 8][warp] = sum[0];
    if (MUTANT != NO_BARRIER_OF_WARPS) __syncthreads();
    if (tid >= 4 || row + tid >= rows) return;
    float all = 0;
    for (unsigned w = 0; w < WARPS; ++w) all += partial[tid][w];
    y[row + tid] = all;
}

// A block to a piece of the columns of 64 rows, two rows to a lane, two columns at a time: v18 to v25 in one.
template <int MUTANT>
__global__ void columns_kernel(size_t rows, size_t cols, unsigned pieces, const float *__restrict__ A,
                               const float *__restrict__ x, float *y, float *sums, unsigned *words)
{
    __shared__ float2 partial[BLOCK];
    __shared__ bool last;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32, warps = blockDim.x / 32;
    const size_t tile = blockIdx.x / pieces, piece = blockIdx.x % pieces, vectors = (rows + 1) / 2;
    const size_t length = MUTANT == SHORT_PIECES ? cols / pieces : (cols + pieces - 1) / pieces;
    const size_t from = piece * length, end = min(cols, from + length), k = min(tile * 32 + lane, vectors - 1);

    float2 sum = {};
    for (size_t c = from + 2 * warp; c < end; c += 2 * warps)
        for (size_t i = c; i < c + 2 && i < end; ++i) {
            if (MUTANT == LAST_COLUMN_DROPPED && c + 1 == end) continue;
            const float2 a = MUTANT == ODD_COLUMNS
                                 ? *(const float2 *)&A[i * rows + 2 * k]
                                 : make_float2(A[i * rows + 2 * k], A[i * rows + min(2 * k + 1, rows - 1)]);
            sum.x += a.x * x[i], sum.y += a.y * x[i];
        }
    partial[tid] = sum;
    if (MUTANT != NO_BARRIER_OF_COLUMNS) __syncthreads();
    const unsigned stride =
        MUTANT == TILE_OF_BLOCK ? 64 : blockDim.x; // a block smaller than the tile needs several turns
    for (unsigned t = tid; t < 64 && tile * 64 + t < rows; t += stride) {
        float all = 0;
        for (unsigned w = 0; w < warps; ++w) all += t % 2 ? partial[w * 32 + t / 2].y : partial[w * 32 + t / 2].x;
        if (pieces == 1) y[tile * 64 + t] = all;
        else sums[piece * rows + tile * 64 + t] = all;
    }
    if (pieces == 1) return;

    if (MUTANT != NO_FENCE) __threadfence();
    __syncthreads();
    if (tid == 0) last = atomicAdd(&words[tile], 1u) == pieces - 1;
    __syncthreads();
    if (!last) return;
    if (MUTANT != NO_FENCE) __threadfence();
    for (unsigned t = tid; t < 64 && tile * 64 + t < rows; t += blockDim.x) {
        float all = 0;
        for (unsigned p = 0; p < pieces; ++p) all += sums[p * rows + tile * 64 + t];
        y[tile * 64 + t] = all;
    }
    if (tid == 0) words[tile] = 0;
}

// Blocks of 64 threads that take several rows each, 16-byte loads where rows are whole 16 bytes.
template <int MUTANT>
static cudaError_t launch_rows(GEMV_ARGS)
{
    (void)dtype, (void)d_sums, (void)d_words;
    if (layout != GEMV_ROW) return cudaErrorNotSupported;
    const size_t vectors = cols / 4;
    if (cols % 4 == 0)
        rows_kernel<MUTANT, float4><<<3, 64, 0, stream>>>(
            rows, vectors, (const float4 *)d_A, (const float4 *)d_x, (float *)d_y);
    else
        rows_kernel<MUTANT, float><<<3, 64, 0, stream>>>(rows, MUTANT == BYTES_FOR_ELEMENTS ? vectors : cols,
                                                         (const float *)d_A, (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

template <int MUTANT>
static cudaError_t launch_block(GEMV_ARGS)
{
    (void)dtype, (void)d_sums, (void)d_words;
    if (layout != GEMV_ROW) return cudaErrorNotSupported;
    block_kernel<MUTANT><<<(unsigned)((rows + 3) / 4), BLOCK, 0, stream>>>(rows, cols, (const float *)d_A,
                                                                           (const float *)d_x, (float *)d_y);
    return cudaGetLastError();
}

// A warp to 8 columns or fewer, in pieces from 64 columns on.
template <int MUTANT>
static cudaError_t launch_columns(GEMV_ARGS)
{
    (void)dtype;
    if (layout != GEMV_COL) return cudaErrorNotSupported;
    const unsigned pieces = cols < 64 ? 1 : 3, tiles = (unsigned)((rows + 63) / 64), threads = cols <= 8 ? 32 : BLOCK;
    columns_kernel<MUTANT><<<tiles * pieces, threads, 0, stream>>>(
        rows, cols, pieces, (const float *)d_A, (const float *)d_x, (float *)d_y, (float *)d_sums, d_words);
    return cudaGetLastError();
}

// v26: the step for rows, whatever the layout.
static cudaError_t launch_layout_forgotten(GEMV_ARGS)
{
    (void)layout;
    return gemv_v26(dtype, GEMV_ROW, rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);
}

#define MUTANT(name, launcher)                                                                          \
    extern "C" cudaError_t name(GEMV_ARGS)                                                              \
    {                                                                                                   \
        return launcher(dtype, layout, rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);             \
    }
MUTANT(mutant_rows_correct, launch_rows<CORRECT>)
MUTANT(mutant_kept_for_all, launch_rows<KEPT_FOR_ALL>)
MUTANT(mutant_no_remainder, launch_rows<NO_REMAINDER>)
MUTANT(mutant_other_line, launch_rows<OTHER_LINE>)
MUTANT(mutant_bytes_for_elements, launch_rows<BYTES_FOR_ELEMENTS>)
MUTANT(mutant_full_blocks, launch_rows<FULL_BLOCKS>)
MUTANT(mutant_block_correct, launch_block<CORRECT>)
MUTANT(mutant_no_barrier_of_warps, launch_block<NO_BARRIER_OF_WARPS>)
MUTANT(mutant_folded_elsewhere, launch_block<FOLDED_ELSEWHERE>)
MUTANT(mutant_neighbours_in_flight, launch_block<NEIGHBOURS_IN_FLIGHT>)
MUTANT(mutant_columns_correct, launch_columns<CORRECT>)
MUTANT(mutant_odd_columns, launch_columns<ODD_COLUMNS>)
MUTANT(mutant_last_column_dropped, launch_columns<LAST_COLUMN_DROPPED>)
MUTANT(mutant_no_barrier_of_columns, launch_columns<NO_BARRIER_OF_COLUMNS>)
MUTANT(mutant_short_pieces, launch_columns<SHORT_PIECES>)
MUTANT(mutant_no_fence, launch_columns<NO_FENCE>)
MUTANT(mutant_tile_of_block, launch_columns<TILE_OF_BLOCK>)
MUTANT(mutant_layout_forgotten, launch_layout_forgotten)
