/*
 * gemv v24 - column-major, several columns per warp
 *
 * From    v23
 * Was     v23 gives a warp to 512 bytes of a column.  64 rows of floats are 256 bytes: half of
 *         the lanes load data that other lanes have loaded already.
 * Idea    Give LANES lanes to a column, as v4 did for a row: with 16 lanes a warp reads two
 *         columns at once, with 4 lanes eight.  Short columns are neighbours in memory.
 * Moves   Same as v23, by fewer requests where columns are short.
 * Expect  Columns shorter than 512 bytes need a half, a quarter or an eighth of the requests.
 *         Longer ones run as in v23.
 * Still   Eight columns are in flight whatever the shape; odd columns go to v17.  (-> v25)
 * Needs   As v18: 16-byte boundaries, else v17.  d_words zero.
 * Launch  grid = row tiles * pieces, as many as fit on the GPU at once; block = BLOCK.
 * Source  v4, transposed.
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
static __device__ void add_other_lane(float4 &sum, unsigned far)
{
    sum.x += __shfl_xor_sync(0xffffffffu, sum.x, far), sum.y += __shfl_xor_sync(0xffffffffu, sum.y, far);
    sum.z += __shfl_xor_sync(0xffffffffu, sum.z, far), sum.w += __shfl_xor_sync(0xffffffffu, sum.w, far);
}
static __device__ void add_other_lane(double2 &sum, unsigned far)
{
    sum.x += __shfl_xor_sync(0xffffffffu, sum.x, far), sum.y += __shfl_xor_sync(0xffffffffu, sum.y, far);
}

// Returns the sum of the `parts` partial sums of thread t; part p is at partial[p * TILE + t].
template <unsigned TILE, typename T>
static __device__ T sum_parts(const T *partial, unsigned parts, unsigned t)
{
    T sum = 0;
    for (unsigned p = 0; p < parts; ++p) sum += partial[p * TILE + t];
    return sum;
}

// A tile consists of the rows of LANES vectors; a unit is a range of the columns of a tile.
template <int LANES, typename T, typename vector_t>
__global__ void __launch_bounds__(BLOCK, PER_SM)
    gemv_v24_kernel(size_t vectors, size_t cols, unsigned pieces, const vector_t *__restrict__ A,
                    const T *__restrict__ x, T *__restrict__ y, T *sums, unsigned *words)
{
    constexpr unsigned WIDTH = sizeof(vector_t) / sizeof(T), TILE = LANES * WIDTH, GROUP = 32 / LANES,
                       SLICES = BLOCK / TILE;
    __shared__ vector_t partial[BLOCK];
    __shared__ bool last;
    T *const part = (T *)partial;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t rows = vectors * WIDTH, units = (vectors + LANES - 1) / LANES * pieces;
    const size_t length = (cols + pieces - 1) / pieces;

#pragma unroll 1
    for (size_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const size_t tile = unit / pieces, piece = unit % pieces, k = min(tile * LANES + lane % LANES, vectors - 1);
        const size_t row = tile * TILE + tid; // the first TILE threads add the sums of one row each
        const size_t end = min(cols, (piece + 1) * length);
        const bool writer = tid < TILE && row < rows;

        // A warp takes IN_FLIGHT * GROUP columns at a time; lane l takes every GROUP-th of them from l / LANES on.
        vector_t sum = {};
#pragma unroll 1
        for (size_t c = piece * length + warp * IN_FLIGHT * GROUP + lane / LANES; c < end;
             c += WARPS * IN_FLIGHT * GROUP) {
            if (c + (IN_FLIGHT - 1) * GROUP < end) {
                vector_t a[IN_FLIGHT];
#pragma unroll
                for (unsigned j = 0; j < IN_FLIGHT; ++j) a[j] = A[(c + j * GROUP) * vectors + k];
#pragma unroll
                for (unsigned j = 0; j < IN_FLIGHT; ++j) add_product(sum, a[j], x[c + j * GROUP]);
            } else {
#pragma unroll 1
                for (size_t i = c; i < end; i += GROUP) add_product(sum, A[i * vectors + k], x[i]);
            }
        }
#pragma unroll
        for (unsigned far = 16; far >= LANES; far /= 2) add_other_lane(sum, far);
        if (lane < LANES) partial[warp * LANES + lane] = sum;
        __syncthreads();
        if (writer) {
            const T all = sum_parts<TILE>(part, WARPS, tid);
            if (pieces == 1) y[row] = all;
            else sums[piece * rows + row] = all;
        }
        if (pieces > 1 && tid < TILE) __threadfence(); // a block that sees the count below also sees these sums
        __syncthreads(); // from here on `partial` may be overwritten, and all its sums are stored
        if (pieces == 1) continue;

        if (tid == 0) last = atomicAdd(&words[tile], 1u) == pieces - 1;
        __syncthreads();
        if (last) {
            // SLICES threads per row: each adds every SLICES-th piece, then one thread adds the SLICES sums.
            __threadfence();
            const size_t r = tile * TILE + tid % TILE;
            T all = 0;
#pragma unroll 4
            for (unsigned p = tid / TILE; p < pieces; p += SLICES)
                if (r < rows) all += __ldcg(&sums[p * rows + r]);
            part[tid] = all;
            __syncthreads();
            if (writer) y[row] = sum_parts<TILE>(part, SLICES, tid);
            if (tid == 0) words[tile] = 0; // ready for the next launch
        }
        __syncthreads(); // from here on `last` and `partial` may be overwritten
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

// Returns enough pieces to give each resident block a unit, as long as each warp has a batch of columns.
static size_t pieces_for(size_t tiles, size_t resident, size_t batches, size_t rows)
{
    size_t pieces = resident / tiles;
    const size_t most = batches / WARPS, scratch = gemv_sums_count(rows) / rows;
    if (tiles > GEMV_WORDS) pieces = 1;
    if (pieces > most) pieces = most;
    if (pieces > scratch) pieces = scratch;
    return pieces < 1 ? 1 : pieces;
}

template <int LANES, typename T, typename vector_t>
static cudaError_t launch(size_t rows, size_t vectors, size_t cols, const vector_t *A, const T *x, T *y, T *d_sums,
                          unsigned *d_words, cudaStream_t stream)
{
    const size_t tiles = (vectors + LANES - 1) / LANES, resident = resident_blocks(gemv_v24_kernel<LANES, T, vector_t>);
    const size_t pieces = pieces_for(tiles, resident, cols / (IN_FLIGHT * (32 / LANES)), rows), units = tiles * pieces;
    gemv_v24_kernel<LANES, T, vector_t><<<(unsigned)(units < resident ? units : resident), BLOCK, 0, stream>>>(
        vectors, cols, (unsigned)pieces, A, x, y, d_sums, d_words);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t gemv_v24_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *d_sums,
                                   unsigned *d_words, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t column_bytes = rows * sizeof(T), vectors = column_bytes / sizeof(vector_t);
    const vector_t *A = (const vector_t *)d_A;
    if (((size_t)d_A | (size_t)d_y | column_bytes) % sizeof(vector_t))
        return gemv_v17(sizeof(T) == 8 ? DTYPE_F64 : DTYPE_F32, GEMV_COL, rows, cols, d_A, d_x, d_y, 0, 0, stream);
    if (vectors <= 4) return launch<4>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
    if (vectors <= 8) return launch<8>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
    if (vectors <= 16) return launch<16>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
    return launch<32>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
}

GEMV_STEP_FOR(GEMV_COL, gemv_v24)
