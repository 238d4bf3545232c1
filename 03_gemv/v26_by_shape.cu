/*
 * gemv v26 - chosen by shape
 *
 * Was     Each of v6, v14, v19 and v24 is the best for some shape and poor for another.
 * Idea    Keep all four and look at the shape before the launch: many short rows, many long
 *         rows, few rows; many rows or few of a column-major A.  What is in flight, in how
 *         many threads, stands in the tables below, one line a case, as measured.
 * Moves   Same as the step it takes.  What was 16 bytes may now be one element: odd rows
 *         or pointers use the same kernels with narrow loads, no longer v2 or v17.
 * Expect  The best of the ladder everywhere, and better on small matrices: blocks get
 *         smaller until every SM has one.
 * Still   alpha, beta, strides: what BLAS also offers.  And zeros are read like
 *         any other number: chapter 04 leaves them out.
 * Needs   Either layout.  Any rows, any cols.  d_words zero.
 * Launch  By the plan: gemv_v26_choice() says it in words.
 * Source  Autotuned BLAS in general; the table, not a search, because the shapes are few.
 */
#include "chapter.h"

#include <cstdio>

enum { MAX_BLOCK = 512, MAX_WARPS = MAX_BLOCK / 32 };

// Blocks of 512 that an SM can hold: 1024 threads on sm_75, 1536 on sm_86, 89 and 120, else 2048.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define AT_MOST_PER_SM(n) ((n) < 2 ? (n) : 2)
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
#define AT_MOST_PER_SM(n) ((n) < 3 ? (n) : 3)
#else
#define AT_MOST_PER_SM(n) (n)
#endif

/* ---- what measuring chose: the lines to edit ------------------------------------------------------------ */

// rows: rows in flight, 16-byte vectors of each in flight, blocks an SM.
struct rows_tuned { int rows, vectors, per_sm; };
static constexpr rows_tuned ROWS_F32[] = {
    {8, 1, 2}, // 4 lanes a row: up to 16 columns
    {4, 1, 4}, // 8
    {8, 1, 2}, // 16
    {8, 1, 2}, // 32, one vector each: up to 128 columns
    {4, 2, 2}, // 32, two vectors each: up to 256 columns
    {1, 8, 1}, // 32, many vectors
};
static constexpr rows_tuned ROWS_F64[] = {
    {4, 1, 3}, // 4 lanes a row: up to 8 columns
    {4, 1, 4}, // 8
    {8, 1, 2}, // 16
    {8, 1, 2}, // 32, one vector each: up to 64 columns
    {4, 2, 2}, // 32, two vectors each: up to 128 columns
    {1, 8, 1}, // 32, many vectors
};
// split: the same for a block that shares each row.
static constexpr rows_tuned SPLIT_F32 = {4, 2, 2}, SPLIT_F64 = {2, 4, 2};
// columns, tall and split: columns in flight, blocks an SM.
struct columns_tuned { int columns, per_sm; };
static constexpr columns_tuned TALL_F32 = {2, 4}, TALL_F64 = {2, 4};
static constexpr columns_tuned WIDE_F32 = {16, 1}, WIDE_F64 = {16, 1};
// Long rows are split between warps of a block, and between blocks, if there are fewer warps of rows than this on an SM.
static constexpr size_t ENOUGH_WARPS = 12;

/* ---- small parts ----------------------------------------------------------------------------------------- */

// The 16 bytes a lane loads: four floats or two doubles.
template <typename T> struct vector_of;
template <> struct vector_of<float> { using type = float4; };
template <> struct vector_of<double> { using type = double2; };

// The same for one element, where nothing says that 16 bytes lie on a 16-byte border.
static __device__ float dot(float a, float b) { return a * b; }
static __device__ double dot(double a, double b) { return a * b; }
static __device__ float dot(float4 a, float4 b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }
static __device__ double dot(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }
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
    add_other_lane(sum.x, far), add_other_lane(sum.y, far), add_other_lane(sum.z, far), add_other_lane(sum.w, far);
}
static __device__ void add_other_lane(double2 &sum, unsigned far) { add_other_lane(sum.x, far), add_other_lane(sum.y, far); }

// The sum over the 32 lanes of a warp, in every lane.
template <typename T>
static __device__ T sum_warp(T sum)
{
#pragma unroll
    for (unsigned s = 16; s > 0; s /= 2) add_other_lane(sum, s);
    return sum;
}

// COUNT sums over LANES lanes, as in v5: lane l ends with those from l / SHARE * HELD on.
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

// Vectors k, k + STRIDE, ... of ROWS rows (GROUP apart, from `row` on) times x, as long as k < end: ROWS * VECTORS loads start
// before the first is used.
template <int ROWS, int VECTORS, unsigned STRIDE, unsigned GROUP, typename T, typename vector_t>
static __device__ void add_rows(T (&sum)[ROWS], size_t row, size_t rows, size_t vectors, size_t k, size_t end,
                                const vector_t *__restrict__ A, const vector_t *__restrict__ x)
{
    const vector_t *from[ROWS];
#pragma unroll
    for (int j = 0; j < ROWS; ++j) from[j] = &A[min(row + j * GROUP, rows - 1) * vectors];
#pragma unroll 1
    for (; k + (VECTORS - 1) * STRIDE < end; k += VECTORS * STRIDE) {
        vector_t a[VECTORS][ROWS], xk[VECTORS];
#pragma unroll
        for (int v = 0; v < VECTORS; ++v) {
#pragma unroll
            for (int j = 0; j < ROWS; ++j) a[v][j] = from[j][k + v * STRIDE];
            xk[v] = x[k + v * STRIDE];
        }
#pragma unroll
        for (int v = 0; v < VECTORS; ++v)
#pragma unroll
            for (int j = 0; j < ROWS; ++j) sum[j] += dot(a[v][j], xk[v]);
    }
#pragma unroll 1
    for (; VECTORS > 1 && k < end; k += STRIDE)
#pragma unroll
        for (int j = 0; j < ROWS; ++j) sum[j] += dot(from[j][k], x[k]);
}

/* ---- rows: v6, with x kept in registers where a row is one or two vectors for each lane ------------------ */

template <int LANES, bool KEEP, int ROWS, int VECTORS, int PER_SM, typename T, typename vector_t>
__global__ void __launch_bounds__(MAX_BLOCK, AT_MOST_PER_SM(PER_SM))
    gemv_v26_rows_kernel(size_t rows, size_t vectors, const vector_t *__restrict__ A, const vector_t *__restrict__ x,
                         T *__restrict__ y)
{
    constexpr unsigned GROUP = 32 / LANES, UNIT = GROUP * ROWS;
    constexpr unsigned HELD = folded<LANES, ROWS>::HELD, SHARE = folded<LANES, ROWS>::SHARE;
    const unsigned lane = threadIdx.x % LANES, warps_per_block = blockDim.x / 32;
    const size_t warp = (size_t)blockIdx.x * warps_per_block + threadIdx.x / 32, warps = (size_t)gridDim.x * warps_per_block;
    vector_t kept[VECTORS] = {};
#pragma unroll
    for (int v = 0; v < VECTORS; ++v)
        if (KEEP && lane + v * LANES < vectors) kept[v] = x[lane + v * LANES];

#pragma unroll 1
    for (size_t first = warp * UNIT; first < rows; first += warps * UNIT) {
        const size_t row = first + threadIdx.x % 32 / LANES;
        T sum[ROWS] = {};
        if (!KEEP) {
            add_rows<ROWS, VECTORS, LANES, GROUP>(sum, row, rows, vectors, lane, vectors, A, x);
        } else {
            vector_t a[VECTORS][ROWS] = {};
#pragma unroll
            for (int v = 0; v < VECTORS; ++v)
#pragma unroll
                for (int j = 0; j < ROWS; ++j)
                    if (lane + v * LANES < vectors) a[v][j] = A[min(row + j * GROUP, rows - 1) * vectors + lane + v * LANES];
#pragma unroll
            for (int v = 0; v < VECTORS; ++v)
#pragma unroll
                for (int j = 0; j < ROWS; ++j) sum[j] += dot(a[v][j], kept[v]);
        }
        fold_sums<LANES>(sum, lane);
#pragma unroll
        for (unsigned h = 0; h < HELD; ++h) {
            const size_t r = row + (lane / SHARE * HELD + h) * GROUP;
            if (lane % SHARE == 0 && r < rows) y[r] = sum[h];
        }
    }
}

/* ---- split: v14 -------------------------------------------------------------------------------------------- */

template <int ROWS, int VECTORS, int PER_SM, typename T, typename vector_t>
__global__ void __launch_bounds__(MAX_BLOCK, AT_MOST_PER_SM(PER_SM))
    gemv_v26_split_kernel(size_t rows, size_t vectors, unsigned pieces, const vector_t *__restrict__ A,
                          const vector_t *__restrict__ x, T *__restrict__ y, T *sums, unsigned *words)
{
    __shared__ T partial[ROWS][MAX_WARPS];
    __shared__ bool last;
    constexpr unsigned SHARE = folded<32, ROWS>::SHARE;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    const size_t units = (rows + ROWS - 1) / ROWS * pieces;
    const size_t length = ((vectors + pieces - 1) / pieces + 31) / 32 * 32; // of a piece: whole lines

#pragma unroll 1
    for (size_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const size_t group = unit / pieces, piece = unit % pieces, row = group * ROWS;
        const size_t end = min(vectors, (piece + 1) * length);
        T sum[ROWS] = {};
        add_rows<ROWS, VECTORS, MAX_BLOCK, 1>(sum, row, rows, vectors, piece * length + tid, end, A, x);

        // Lanes, then warps: warp j ends with the sum of row j.
        fold_sums<32>(sum, lane);
        if (lane % SHARE == 0) partial[lane / SHARE][warp] = sum[0];
        __syncthreads();
        if (warp < ROWS && row + warp < rows) {
            const T all = sum_warp(lane < MAX_WARPS ? partial[warp][lane] : T(0));
            if (lane == 0 && pieces == 1) y[row + warp] = all;
            if (lane == 0 && pieces > 1) {
                sums[(row + warp) * pieces + piece] = all;
                __threadfence(); // whoever sees the count below also sees this sum
            }
        }
        __syncthreads(); // partial may be written again, and all sums are out
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
        __syncthreads(); // `last` may be written again
    }
}

/* ---- tall: v19 -------------------------------------------------------------------------------------------- */

template <int COLUMNS, int PER_SM, typename T, typename vector_t>
__global__ void __launch_bounds__(MAX_BLOCK, AT_MOST_PER_SM(PER_SM))
    gemv_v26_tall_kernel(size_t vectors, size_t cols, const vector_t *__restrict__ A, const T *__restrict__ x,
                         vector_t *__restrict__ y)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;

#pragma unroll 1
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < vectors; k += threads) {
        vector_t sum = {};
        size_t c = 0;
#pragma unroll 1
        for (; c + COLUMNS <= cols; c += COLUMNS) {
            vector_t a[COLUMNS];
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) a[j] = A[(c + j) * vectors + k];
#pragma unroll
            for (int j = 0; j < COLUMNS; ++j) add_product(sum, a[j], x[c + j]);
        }
#pragma unroll 1
        for (; c < cols; ++c) add_product(sum, A[c * vectors + k], x[c]);
        y[k] = sum;
    }
}

/* ---- wide: v24 -------------------------------------------------------------------------------------------- */

// The sum of `parts` rows of partial, element by element; part p of row t is at partial[p * TILE + t].
template <unsigned TILE, typename T>
static __device__ T sum_parts(const T *partial, unsigned parts, unsigned t)
{
    T sum = 0;
    for (unsigned p = 0; p < parts; ++p) sum += partial[p * TILE + t];
    return sum;
}

template <int LANES, int COLUMNS, int PER_SM, typename T, typename vector_t>
__global__ void __launch_bounds__(MAX_BLOCK, AT_MOST_PER_SM(PER_SM))
    gemv_v26_wide_kernel(size_t vectors, size_t cols, unsigned pieces, const vector_t *__restrict__ A,
                         const T *__restrict__ x, T *__restrict__ y, T *sums, unsigned *words)
{
    constexpr unsigned WIDTH = sizeof(vector_t) / sizeof(T), TILE = LANES * WIDTH, GROUP = 32 / LANES, BATCH = COLUMNS * GROUP;
    __shared__ vector_t partial[MAX_BLOCK];
    __shared__ bool last;
    T *const part = (T *)partial;
    const unsigned tid = threadIdx.x, lane = tid % 32, warp = tid / 32, warps = blockDim.x / 32;
    const size_t rows = vectors * WIDTH, units = (vectors + LANES - 1) / LANES * pieces;
    const size_t length = (cols + pieces - 1) / pieces;

#pragma unroll 1
    for (size_t unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const size_t tile = unit / pieces, piece = unit % pieces, first = tile * TILE;
        const size_t k = min(tile * LANES + lane % LANES, vectors - 1), end = min(cols, (piece + 1) * length);

        // The warp's next BATCH columns; lane l has every GROUP-th of them from l / LANES on.
        vector_t sum = {};
#pragma unroll 1
        for (size_t c = piece * length + warp * BATCH + lane / LANES; c < end; c += warps * BATCH) {
            if (c + (COLUMNS - 1) * GROUP < end) {
                vector_t a[COLUMNS];
#pragma unroll
                for (int j = 0; j < COLUMNS; ++j) a[j] = A[(c + j * GROUP) * vectors + k];
#pragma unroll
                for (int j = 0; j < COLUMNS; ++j) add_product(sum, a[j], x[c + j * GROUP]);
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
        if (pieces > 1) __threadfence(); // whoever sees the count below also sees these sums
        __syncthreads(); // partial may be written again, and all sums are out
        if (pieces == 1) continue;

        if (tid == 0) last = atomicAdd(&words[tile], 1u) == pieces - 1;
        __syncthreads();
        if (last) {
            // `slices` threads for each row, each with every slices-th piece; then their sums.  The block is full here.
            constexpr unsigned SLICES = MAX_BLOCK / TILE;
            const size_t r = min(first + tid % TILE, rows - 1);
            __threadfence();
            T all = 0;
#pragma unroll 8
            for (unsigned p = tid / TILE; p < pieces; p += SLICES) all += __ldcg(&sums[p * rows + r]);
            part[tid] = all;
            __syncthreads();
            if (tid < TILE && first + tid < rows) y[first + tid] = sum_parts<TILE>(part, SLICES, tid);
            if (tid == 0) words[tile] = 0; // ready for the next launch
        }
        __syncthreads(); // `last` and partial may be written again
    }
}

/* ---- the plan --------------------------------------------------------------------------------------------- */

struct plan {
    enum { ROWS, SPLIT, TALL, WIDE } kernel;
    bool wide_loads;   // 16 bytes, else one element
    int lanes;         // a row (ROWS), or 16 bytes of a column each (WIDE)
    int line;          // ROWS: of the tables
    size_t vectors;    // of a row (ROWS, SPLIT) or a column
    unsigned pieces, blocks, threads;
};

static size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }
static size_t clamp(size_t v, size_t low, size_t high) { return v < low ? low : v > high ? high : v; }

// 4, 8, 16 or 32 lanes: the fewest that take `vectors` in one load each; and the line of the tables.
static int lanes_for(size_t vectors) { return vectors <= 4 ? 4 : vectors <= 8 ? 8 : vectors <= 16 ? 16 : 32; }
enum { TWO_VECTORS = 4, MANY_VECTORS = 5 };
static int line_for(size_t vectors)
{
    return vectors <= 4    ? 0
           : vectors <= 8  ? 1
           : vectors <= 16 ? 2
           : vectors <= 32 ? 3
           : vectors <= 64 ? TWO_VECTORS
                           : MANY_VECTORS;
}
static constexpr rows_tuned rows_of(size_t type_size, int line) { return type_size == 8 ? ROWS_F64[line] : ROWS_F32[line]; }
static constexpr rows_tuned split_of(size_t type_size) { return type_size == 8 ? SPLIT_F64 : SPLIT_F32; }
static constexpr columns_tuned tall_of(size_t type_size) { return type_size == 8 ? TALL_F64 : TALL_F32; }
static constexpr columns_tuned wide_of(size_t type_size) { return type_size == 8 ? WIDE_F64 : WIDE_F32; }

// A block for every SM before a block gets more warps; all warps of the card before a warp gets a second unit.
static void spread_warps(plan *p, size_t units, size_t sms, int per_sm)
{
    const size_t warps = clamp(ceil_div(units, sms), 1, MAX_WARPS);
    p->threads = (unsigned)(32 * warps);
    p->blocks = (unsigned)clamp(ceil_div(units, warps), 1, sms * (size_t)per_sm);
}

// Pieces of each of `groups`, so that there is a unit for every block that fits; at most `most`.
static void cut(plan *p, size_t groups, size_t most, size_t rows, size_t resident)
{
    const size_t scratch = gemv_sums_count(rows) / rows;
    size_t pieces = groups > GEMV_WORDS ? 1 : resident / groups;
    pieces = clamp(pieces, 1, most < scratch ? most : scratch);
    p->pieces = (unsigned)(pieces < 1 ? 1 : pieces);
    p->blocks = (unsigned)clamp(groups * p->pieces, 1, resident);
}

static plan plan_for(gemv_layout_t layout, size_t rows, size_t cols, size_t type_size, const void *A, const void *x,
                     const void *y)
{
    int card = 0, count = 1;
    cudaGetDevice(&card);
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, card);
    const size_t sms = (size_t)count, line_bytes = (layout == GEMV_ROW ? cols : rows) * type_size;
    plan p = {};
    p.wide_loads = ((size_t)A | (size_t)(layout == GEMV_ROW ? x : y) | line_bytes) % 16 == 0;
    p.vectors = p.wide_loads ? line_bytes / 16 : line_bytes / type_size;
    p.lanes = lanes_for(p.vectors);
    p.pieces = 1;

    if (layout == GEMV_ROW) {
        p.line = line_for(p.vectors);
        const rows_tuned t = rows_of(type_size, p.line), s = split_of(type_size);
        const size_t units = ceil_div(rows, (size_t)t.rows * 32 / p.lanes);
        // A block shares a row if that keeps it busy for several batches, or if there are too few rows for warps.
        const bool long_rows = p.vectors >= (size_t)4 * MAX_BLOCK * s.vectors;
        const bool few_rows = units < sms * ENOUGH_WARPS && p.vectors >= 2 * MAX_BLOCK;
        if (p.line != MANY_VECTORS || (!long_rows && !few_rows)) {
            p.kernel = plan::ROWS;
            spread_warps(&p, units, sms, t.per_sm);
        } else {
            p.kernel = plan::SPLIT;
            p.threads = MAX_BLOCK;
            cut(&p, ceil_div(rows, s.rows), p.vectors / (MAX_BLOCK * s.vectors) + 1, rows, sms * (size_t)s.per_sm);
        }
        return p;
    }

    const columns_tuned t = tall_of(type_size), w = wide_of(type_size);
    if (p.vectors >= sms * MAX_BLOCK * (size_t)t.per_sm / 2) {
        p.kernel = plan::TALL;
        spread_warps(&p, ceil_div(p.vectors, 32), sms, t.per_sm);
    } else {
        p.kernel = plan::WIDE;
        const size_t batches = ceil_div(cols, (size_t)w.columns * 32 / p.lanes); // of columns, one to a warp
        p.threads = (unsigned)(32 * clamp(batches, 1, MAX_WARPS));
        cut(&p, ceil_div(p.vectors, p.lanes), batches / MAX_WARPS, rows, sms * (size_t)w.per_sm);
    }
    return p;
}

/* ---- the launch ------------------------------------------------------------------------------------------- */

template <int LANES, int LINE, typename T, typename vector_t>
static void launch_rows(const plan &p, size_t rows, const vector_t *A, const vector_t *x, T *y, cudaStream_t stream)
{
    constexpr rows_tuned t = rows_of(sizeof(T), LINE);
    const auto kernel = gemv_v26_rows_kernel<LANES, LINE != MANY_VECTORS, t.rows, t.vectors, t.per_sm, T, vector_t>;
    kernel<<<p.blocks, p.threads, 0, stream>>>(rows, p.vectors, A, x, y);
}

template <int LANES, typename T, typename vector_t>
static void launch_wide(const plan &p, size_t cols, const vector_t *A, const T *x, T *y, T *sums, unsigned *words,
                        cudaStream_t stream)
{
    constexpr columns_tuned t = wide_of(sizeof(T));
    gemv_v26_wide_kernel<LANES, t.columns, t.per_sm, T, vector_t><<<p.blocks, p.threads, 0, stream>>>(
        p.vectors, cols, p.pieces, A, x, y, sums, words);
}

template <typename T, typename vector_t>
static cudaError_t launch(const plan &p, size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y, T *d_sums,
                          unsigned *d_words, cudaStream_t stream)
{
    constexpr rows_tuned s = split_of(sizeof(T));
    constexpr columns_tuned t = tall_of(sizeof(T));
    const vector_t *A = (const vector_t *)d_A, *x = (const vector_t *)d_x;
    if (p.kernel == plan::ROWS) {
        if (p.line == 0) launch_rows<4, 0>(p, rows, A, x, d_y, stream);
        else if (p.line == 1) launch_rows<8, 1>(p, rows, A, x, d_y, stream);
        else if (p.line == 2) launch_rows<16, 2>(p, rows, A, x, d_y, stream);
        else if (p.line == 3) launch_rows<32, 3>(p, rows, A, x, d_y, stream);
        else if (p.line == TWO_VECTORS) launch_rows<32, TWO_VECTORS>(p, rows, A, x, d_y, stream);
        else launch_rows<32, MANY_VECTORS>(p, rows, A, x, d_y, stream);
    } else if (p.kernel == plan::SPLIT) {
        gemv_v26_split_kernel<s.rows, s.vectors, s.per_sm, T, vector_t><<<p.blocks, p.threads, 0, stream>>>(
            rows, p.vectors, p.pieces, A, x, d_y, d_sums, d_words);
    } else if (p.kernel == plan::TALL) {
        gemv_v26_tall_kernel<t.columns, t.per_sm, T, vector_t><<<p.blocks, p.threads, 0, stream>>>(
            p.vectors, cols, A, d_x, (vector_t *)d_y);
    } else {
        if (p.lanes == 4) launch_wide<4>(p, cols, A, d_x, d_y, d_sums, d_words, stream);
        else if (p.lanes == 8) launch_wide<8>(p, cols, A, d_x, d_y, d_sums, d_words, stream);
        else if (p.lanes == 16) launch_wide<16>(p, cols, A, d_x, d_y, d_sums, d_words, stream);
        else launch_wide<32>(p, cols, A, d_x, d_y, d_sums, d_words, stream);
    }
    return cudaGetLastError();
}

template <typename T>
static cudaError_t launch_type(gemv_layout_t layout, size_t rows, size_t cols, const T *d_A, const T *d_x, T *d_y,
                               T *d_sums, unsigned *d_words, cudaStream_t stream)
{
    const plan p = plan_for(layout, rows, cols, sizeof(T), d_A, d_x, d_y);
    if (p.wide_loads) return launch<T, typename vector_of<T>::type>(p, rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);
    return launch<T, T>(p, rows, cols, d_A, d_x, d_y, d_sums, d_words, stream);
}

extern "C" cudaError_t gemv_v26(GEMV_ARGS)
{
    if (rows == 0) return cudaSuccess;
    if (dtype == DTYPE_F64)
        return launch_type(layout, rows, cols, (const double *)d_A, (const double *)d_x, (double *)d_y, (double *)d_sums,
                           d_words, stream);
    return launch_type(layout, rows, cols, (const float *)d_A, (const float *)d_x, (float *)d_y, (float *)d_sums, d_words,
                       stream);
}

extern "C" const char *gemv_v26_choice(dtype_t dtype, gemv_layout_t layout, size_t rows, size_t cols, const void *d_A,
                                       const void *d_x, const void *d_y)
{
    static char text[160];
    if (rows == 0) return "nothing to do";
    const size_t type_size = dtype == DTYPE_F64 ? 8 : 4;
    const plan p = plan_for(layout, rows, cols, type_size, d_A, d_x, d_y);
    const rows_tuned r = rows_of(type_size, p.line), s = split_of(type_size);
    const columns_tuned t = tall_of(type_size), w = wide_of(type_size);
    const char *loads = p.wide_loads ? "16-byte loads" : "one element a load";
    const int at = snprintf(text, sizeof text, "%u blocks of %u, %s: ", p.blocks, p.threads, loads);
    char *rest = text + at;
    const size_t room = sizeof text - (size_t)at;
    if (p.kernel == plan::ROWS)
        snprintf(rest, room, "%d lanes a row, %d rows x %d in flight (v6)", p.lanes, r.rows, r.vectors);
    else if (p.kernel == plan::SPLIT)
        snprintf(rest, room, "a block to %d rows in %u pieces, %d x %d in flight (v14)", s.rows, p.pieces, s.rows, s.vectors);
    else if (p.kernel == plan::TALL)
        snprintf(rest, room, "a thread to 16 bytes of rows, %d columns in flight (v19)", t.columns);
    else
        snprintf(rest, room, "%d lanes of rows, columns in %u pieces, %d in flight (v24)", p.lanes, p.pieces, w.columns);
    return text;
}
