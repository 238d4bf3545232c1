/*
 * gemv v25 - column-major, sixteen columns in flight, for any alignment
 *
 * From    v24
 * Was     v24 has eight columns in flight in blocks of 512, and odd columns go to v17.
 * Idea    Do what v10 to v12 did for rows: sixteen columns and one block per SM, as measured;
 *         fewer warps per block if the columns are too few for them; and one element per
 *         load if 16 bytes are not allowed.
 * Moves   Same as v24, or elements instead of vectors; fewer sums where pieces are fewer.
 * Expect  A little more bandwidth for wide matrices.  Warps without columns no longer start, and
 *         4095 rows are nearly as fast as 4096.
 * Still   The caller has to know which of v12, v16, v20 and v25 suits a shape.  (-> v26)
 * Needs   Column-major A.  Any rows, any cols, any alignment.  d_words zero.
 * Launch  grid = row tiles * pieces, at most one block per SM; block = 32 to BLOCK.
 * Source  v10, v11 and v12, transposed.
 */
#include "chapter.h"

// A block has at most BLOCK threads.
enum { BLOCK = 512, PER_SM = 1, WARPS = BLOCK / 32, IN_FLIGHT = 16 };

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
template <typename T>
static __device__ void add_other_lane(T &sum, unsigned far) { sum += __shfl_xor_sync(0xffffffffu, sum, far); }
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
    gemv_v25_kernel(size_t vectors, size_t cols, unsigned pieces, const vector_t *__restrict__ A,
                    const T *__restrict__ x, T *__restrict__ y, T *sums, unsigned *words)
{
    constexpr unsigned WIDTH = sizeof(vector_t) / sizeof(T), TILE = LANES * WIDTH, GROUP = 32 / LANES,
                       SLICES = BLOCK / TILE;
    __shared__ vector_t partial[BLOCK];
    __shared__ bool last;
    T *const part = (T *)partial;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32, warps = blockDim.x / 32;
    const size_t rows = vectors * WIDTH, units = (vectors + LANES - 1) / LANES * pieces;
    const size_t length = (cols + pieces - 1) / pieces;

#pragma unroll 1
    for (size_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const size_t tile = unit / pieces, piece = unit % pieces, k = min(tile * LANES + lane % LANES, vectors - 1);
        const size_t first = tile * TILE;
        const size_t end = min(cols, (piece + 1) * length);

        // A warp takes IN_FLIGHT * GROUP columns at a time; lane l takes every GROUP-th of them from l / LANES on.
        vector_t sum = {};
#pragma unroll 1
        for (size_t c = piece * length + warp * IN_FLIGHT * GROUP + lane / LANES; c < end;
             c += warps * IN_FLIGHT * GROUP) {
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
#pragma unroll 1
        for (unsigned t = tid; t < TILE && first + t < rows; t += blockDim.x) {
            const T all = sum_parts<TILE>(part, warps, t);
            if (pieces == 1) y[first + t] = all;
            else sums[piece * rows + first + t] = all;
        }
        if (pieces > 1 && tid < TILE) __threadfence(); // a block that sees the count below also sees these sums
        __syncthreads(); // from here on `partial` may be overwritten, and all its sums are stored
        if (pieces == 1) continue;

        if (tid == 0) last = atomicAdd(&words[tile], 1u) == pieces - 1;
        __syncthreads();
        if (last) {
            // SLICES threads per row (the block is full here): each adds every SLICES-th piece, one adds their sums.
            __threadfence();
            const size_t r = min(first + tid % TILE, rows - 1);
            T all = 0;
#pragma unroll 8
            for (unsigned p = tid / TILE; p < pieces; p += SLICES) all += __ldcg(&sums[p * rows + r]);
            part[tid] = all;
            __syncthreads();
            if (tid < TILE && first + tid < rows) y[first + tid] = sum_parts<TILE>(part, SLICES, tid);
            if (tid == 0) words[tile] = 0; // ready for the next launch
        }
        __syncthreads(); // from here on `last` and `partial` may be overwritten
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
    const size_t tiles = (vectors + LANES - 1) / LANES, resident = resident_blocks();
    const size_t batch = IN_FLIGHT * (32 / LANES), batches = (cols + batch - 1) / batch; // of columns; a warp takes one
    const size_t warps = batches < 1 ? 1 : batches < WARPS ? batches : (size_t)WARPS;
    const size_t pieces = pieces_for(tiles, resident, batches, rows), units = tiles * pieces;
    const unsigned blocks = (unsigned)(units < resident ? units : resident);
    gemv_v25_kernel<LANES, T, vector_t><<<blocks, (unsigned)(32 * warps), 0, stream>>>(
        vectors, cols, (unsigned)pieces, A, x, y, d_sums, d_words);
    return cudaGetLastError();
}

template <typename T, typename vector_t>
static cudaError_t launch_loads(size_t rows, size_t vectors, size_t cols, const T *d_A, const T *d_x, T *d_y, T *d_sums,
                                unsigned *d_words, cudaStream_t stream)
{
    const vector_t *A = (const vector_t *)d_A;
    if (vectors <= 4) return launch<4>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
    if (vectors <= 8) return launch<8>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
    if (vectors <= 16) return launch<16>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
    return launch<32>(rows, vectors, cols, A, d_x, d_y, d_sums, d_words, stream);
}

template <typename T>
static cudaError_t gemv_v25_launch(size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *d_sums,
                                   unsigned *d_words, cudaStream_t stream)
{
    using vector_t = typename vector_of<T>::type;
    const size_t column_bytes = rows * sizeof(T), vectors = column_bytes / sizeof(vector_t);
    if (((size_t)d_A | (size_t)d_y | column_bytes) % sizeof(vector_t))
        return launch_loads<T, T>(rows, rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);
    return launch_loads<T, vector_t>(rows, vectors, cols, d_A, d_x, d_y, d_sums, d_words, stream);
}

GEMV_STEP_FOR(GEMV_COL, gemv_v25)
