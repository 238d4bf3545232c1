/*
 * gemv v22 - column-major, the columns split between blocks
 *
 * From    v21
 * Was     v21 has only one block for 512 bytes of rows: 4096 rows are 32 blocks, 64 rows one.
 * Idea    Pieces of the columns go to different blocks.  Each block stores its sums in scratch memory,
 *         and a second kernel adds the sums of a row.
 * Moves   Same A; a sum for each row and piece, written and read.
 * Expect  4096 and 64 rows are as fast as 16384, except for the second launch.
 * Still   A second launch for a few additions.                                 (-> v23)
 * Needs   As v18: 16-byte boundaries, else v17.
 * Launch  grid = row tiles * pieces, as many as fit on the GPU at once; block = BLOCK.  Then
 *         grid = ceil(rows / BLOCK) for the sums.
 * Source  Split-K of matrix products.
 */
#include "chapter.h"

enum { BLOCK = 512, PER_SM = 2, WARPS = BLOCK / 32, IN_FLIGHT = 8 };

// The type of a lane's 16-byte load: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

static __device__ void add_product(float4 &sum, float4 a, float x)
{
    sum.x += a.x * x, sum.y += a.y * x, sum.z += a.z * x, sum.w += a.w * x;
}
static __device__ void add_product(double2 &sum, double2 a, double x) { sum.x += a.x * x, sum.y += a.y * x; }

// Returns the sum of the `parts` partial sums of thread t; part p is at partial[p * TILE + t].
template <unsigned TILE, typename T>
static __device__ T sum_parts(const T *partial, unsigned parts, unsigned t)
{
    T sum = 0;
    for (unsigned p = 0; p < parts; ++p) sum += partial[p * TILE + t];
    return sum;
}

// A tile consists of the rows of 32 vectors, one vector per lane; a unit is a range of the columns of a tile.
template <typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v22_kernel(size_t vectors, size_t cols, unsigned pieces, const vector_t *__restrict__ A,
                    const T *__restrict__ x, T *__restrict__ sums)
{
    constexpr unsigned WIDTH = sizeof(vector_t) / sizeof(T), TILE = 32 * WIDTH;
    __shared__ vector_t partial[BLOCK];
    T *const part = (T *)partial;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t rows = vectors * WIDTH, units = (vectors + 31) / 32 * pieces;
    const size_t length = (cols + pieces - 1) / pieces;

#pragma unroll 1
    for (size_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const size_t tile = unit / pieces, piece = unit % pieces, k = min(tile * 32 + lane, vectors - 1);
        const size_t row = tile * TILE + tid; // the first TILE threads add the sums of one row each
        const size_t end = min(cols, (piece + 1) * length);
        const bool writer = tid < TILE && row < rows;

        vector_t sum = {};
#pragma unroll 1
        for (size_t c = piece * length + warp * IN_FLIGHT; c < end; c += WARPS * IN_FLIGHT) {
            if (c + IN_FLIGHT <= end) {
                vector_t a[IN_FLIGHT];
#pragma unroll
                for (unsigned j = 0; j < IN_FLIGHT; ++j) a[j] = A[(c + j) * vectors + k];
#pragma unroll
                for (unsigned j = 0; j < IN_FLIGHT; ++j) add_product(sum, a[j], x[c + j]);
            } else {
#pragma unroll 1
                for (size_t i = c; i < end; ++i) add_product(sum, A[i * vectors + k], x[i]);
            }
        }
        partial[tid] = sum;
        __syncthreads();
        if (writer) sums[piece * rows + row] = sum_parts<TILE>(part, WARPS, tid);
        __syncthreads(); // from here on `partial` may be overwritten
    }
}

// One thread per row adds the sums of the row's pieces.
template <typename T>
__global__ void __launch_bounds__(BLOCK) gemv_v22_pieces_kernel(size_t rows, unsigned pieces, const T *sums, T *y)
{
    const size_t row = (size_t)blockIdx.x * BLOCK + threadIdx.x;
    if (row >= rows) return;
    T all = 0;
    for (unsigned p = 0; p < pieces; ++p) all += sums[p * rows + row];
    y[row] = all;
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

// Returns enough pieces to give each resident block a unit, as long as each warp has a batch of columns.
static size_t pieces_for(size_t tiles, size_t resident, size_t batches, size_t rows)
{
    size_t pieces = resident / tiles;
    const size_t most = batches / WARPS, scratch = gemv_sums_count(rows) / rows;
    if (pieces > most) pieces = most;
    if (pieces > scratch) pieces = scratch;
    return pieces < 1 ? 1 : pieces;
}

template <typename T>
static cudaError_t gemv_v22_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *d_sums,
                                   unsigned *, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t column_bytes = rows * sizeof(T), vectors = column_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_y | column_bytes) % sizeof(vector_t))
        return gemv_v17(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_COL, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    const size_t tiles = (vectors + 31) / 32, resident = resident_blocks(gemv_v22_kernel<T, vector_t>);
    const size_t pieces = pieces_for(tiles, resident, cols / IN_FLIGHT, rows), units = tiles * pieces;
    T *const to = pieces == 1 ? d_y : d_sums; // a single piece is the whole sum
    gemv_v22_kernel<T, vector_t><<<(unsigned)(units < resident ? units : resident), BLOCK, 0, stream>>>(
        vectors, cols, (unsigned)pieces, (const vector_t *)d_A, d_x, to);
    if (pieces == 1) return cudaGetLastError();
    gemv_v22_pieces_kernel<T><<<(unsigned)((rows + BLOCK - 1) / BLOCK), BLOCK, 0, stream>>>(
        rows, (unsigned)pieces, d_sums, d_y);
    return cudaGetLastError();
}

GEMV_STEP_FOR(GEMV_COL, gemv_v22)
