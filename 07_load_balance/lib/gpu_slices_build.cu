/*
 * gpu_slices_build.cu - the slices, built on the card from CSR arrays that are there.
 *
 *   group     32 neighbours get as many lanes a row as the longest of them needs (near); or
 *   sort      rows by the lanes they get, then by windows of neighbours, then by falling length
 *   measure   a warp per slice: its steps, the narrowest columns that hold it, their sizes
 *   scan      sizes to places
 *   fill      a warp per slice: columns and values to their places; fill again is a refresh
 *
 * The host sees a few numbers in between, and waits for them.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_slices.cuh"

namespace {

enum {
    BLOCK = 256, WARPS = BLOCK / LANES,
    KEYS = 2048,       // lengths that the sort tells apart
    WINDOW = 4096,     // rows that are sorted among themselves
    EMPTY_ROWS = 1024, // rows that a slice of kind SLICE_EMPTY looks through
    SHORTEST_PIECE = 512, // nonzeros of a piece of a long row, at least
    CLASSES = 8,
    DEFAULT_STEPS = 16,
    MOST_FILL = 4,     // places a nonzero, empty ones among them
    MOST_STANDING = 256 // steps of a slice of rows as they stand
};

/* ---- scan ---------------------------------------------------------------------------------------- */

enum { SCAN_ITEMS = 8, SCAN_TILE = SCAN_ITEMS * BLOCK };

// The sum of all threads' values before this one's, and of all of them in *total.
__device__ __forceinline__ uint32_t scan_block(uint32_t value, uint32_t *total)
{
    __shared__ uint32_t warp_sums[WARPS];
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    uint32_t up_to = value;
#pragma unroll
    for (unsigned s = 1; s < LANES; s *= 2) {
        const uint32_t before = __shfl_up_sync(ALL_LANES, up_to, s);
        if (lane >= s) up_to += before;
    }
    if (lane == LANES - 1) warp_sums[warp] = up_to;
    __syncthreads();
    uint32_t before = 0, all = 0;
#pragma unroll
    for (unsigned w = 0; w < WARPS; ++w) {
        const uint32_t sum = warp_sums[w];
        before += w < warp ? sum : 0;
        all += sum;
    }
    __syncthreads();
    *total = all;
    return before + up_to - value;
}

__global__ void tile_sums_kernel(size_t n, const uint32_t *__restrict__ in, uint32_t *sums)
{
    uint32_t sum = 0, total;
    for (unsigned j = 0; j < SCAN_ITEMS; ++j) {
        const size_t i = (size_t)blockIdx.x * SCAN_TILE + j * BLOCK + threadIdx.x;
        if (i < n) sum += in[i];
    }
    scan_block(sum, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// One block: sums of tiles to places of tiles; the sum of all behind them.
__global__ void scan_sums_kernel(size_t n, uint32_t *sums)
{
    uint32_t before = 0;
    for (size_t first = 0; first < n; first += BLOCK) {
        const size_t i = first + threadIdx.x;
        uint32_t total;
        const uint32_t place = scan_block(i < n ? sums[i] : 0, &total);
        if (i < n) sums[i] = before + place;
        before += total;
    }
    if (threadIdx.x == 0) sums[n] = before;
}

// In place: data[i] becomes the sum of all before it.
__global__ void scan_tiles_kernel(size_t n, uint32_t *data, const uint32_t *__restrict__ sums)
{
    uint32_t value[SCAN_ITEMS], sum = 0, total;
    const size_t first = (size_t)blockIdx.x * SCAN_TILE + threadIdx.x * SCAN_ITEMS;
#pragma unroll
    for (unsigned j = 0; j < SCAN_ITEMS; ++j) {
        value[j] = first + j < n ? data[first + j] : 0;
        sum += value[j];
    }
    uint32_t before = sums[blockIdx.x] + scan_block(sum, &total);
#pragma unroll
    for (unsigned j = 0; j < SCAN_ITEMS; ++j) {
        if (first + j < n) data[first + j] = before;
        before += value[j];
    }
}

/* ---- sort ---------------------------------------------------------------------------------------- */

// Rows of up to `steps` nonzeros get one lane, of up to twice as many two lanes, and so on.  Classes in the order of
// the slices: rows to be cut, 32 lanes, ... 1 lane, empty rows.
enum { CUT = 0, EMPTY = WIDTHS + 1, ROW_CLASSES = WIDTHS + 2 };

struct bounds_t {
    uint32_t shorter[ROW_CLASSES]; // a row of the class is longer than this
};

__device__ __forceinline__ unsigned class_of(uint64_t length, const bounds_t &b)
{
    unsigned c = 0;
    while (c < EMPTY && length <= b.shorter[c]) ++c;
    return c;
}

// counts[class * blocks + block]: rows of that class in the block's window.
template <typename O>
__global__ void count_kernel(uint32_t rows, uint32_t window, bounds_t b, const O *__restrict__ row_offsets,
                             uint32_t *counts)
{
    __shared__ uint32_t mine[ROW_CLASSES];
    if (threadIdx.x < ROW_CLASSES) mine[threadIdx.x] = 0;
    __syncthreads();
    const uint32_t first = blockIdx.x * window, end = min(first + window, rows);
#pragma unroll 1
    for (uint32_t r = first + threadIdx.x; r < end; r += BLOCK)
        atomicAdd(&mine[class_of((uint64_t)(row_offsets[r + 1] - row_offsets[r]), b)], 1u);
    __syncthreads();
    if (threadIdx.x < ROW_CLASSES) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

// places: the same table, scanned.  Within its window a class falls in length.  empty: a bit for every row.
template <typename O>
__global__ void order_kernel(uint32_t rows, uint32_t window, bounds_t b, const O *__restrict__ row_offsets,
                             const uint32_t *__restrict__ places, uint32_t *order, unsigned *empty)
{
    __shared__ uint32_t next[KEYS];
    __shared__ uint32_t longer[ROW_CLASSES]; // rows of the window in earlier classes
    const uint32_t first = blockIdx.x * window;
    for (uint32_t k = threadIdx.x; k < KEYS; k += BLOCK) next[k] = 0;
    if (threadIdx.x < ROW_CLASSES) longer[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 1
    for (uint32_t r = first; r < first + window; r += BLOCK) {
        const uint32_t row = r + threadIdx.x;
        const uint64_t length = row < rows ? (uint64_t)(row_offsets[row + 1] - row_offsets[row]) : 0;
        const unsigned bits = __ballot_sync(ALL_LANES, row < rows && length == 0);
        if (threadIdx.x % LANES == 0 && row < rows) empty[row / LANES] = bits;
        if (row < rows) {
            atomicAdd(&next[length < KEYS ? KEYS - 1 - (uint32_t)length : 0], 1u);
            for (unsigned c = class_of(length, b) + 1; c < ROW_CLASSES; ++c) atomicAdd(&longer[c], 1u);
        }
    }
    __syncthreads();
    // Counts to places within the window.
    uint32_t count[KEYS / BLOCK], sum = 0, total;
#pragma unroll
    for (int j = 0; j < KEYS / BLOCK; ++j) sum += count[j] = next[threadIdx.x * (KEYS / BLOCK) + j];
    uint32_t before = scan_block(sum, &total);
#pragma unroll
    for (int j = 0; j < KEYS / BLOCK; ++j) {
        next[threadIdx.x * (KEYS / BLOCK) + j] = before;
        before += count[j];
    }
    __syncthreads();
#pragma unroll 1
    for (uint32_t r = first; r < first + window; r += BLOCK) { // row by row: neighbours stay close
        const uint32_t row = r + threadIdx.x;
        if (row < rows) {
            const uint64_t length = (uint64_t)(row_offsets[row + 1] - row_offsets[row]);
            const unsigned c = class_of(length, b);
            const uint32_t place = atomicAdd(&next[length < KEYS ? KEYS - 1 - (uint32_t)length : 0], 1u);
            order[places[c * gridDim.x + blockIdx.x] + place - longer[c]] = row;
        }
        __syncthreads();
    }
}

// The first rows of the order, each with its length.
template <typename O>
__global__ void lengths_kernel(uint32_t n, const uint32_t *__restrict__ order, const O *__restrict__ row_offsets,
                               uint2 *lengths)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) lengths[i] = make_uint2(order[i], (uint32_t)(row_offsets[order[i] + 1] - row_offsets[order[i]]));
}

__global__ void class_starts_kernel(const uint32_t *__restrict__ places, uint32_t blocks, uint32_t *starts)
{
    if (threadIdx.x < ROW_CLASSES) starts[threadIdx.x] = places[threadIdx.x * blocks];
}

/* ---- slices -------------------------------------------------------------------------------------- */

// Rows of a sorted matrix that get the same number of lanes, and the slices they are in.
struct class_t {
    uint32_t first_slice, first_row, rows, width_log2, kind; // kind: SLICE_EMPTY, or SLICE_32 for any other
};
struct layout_t {
    class_t classes[CLASSES];
    uint32_t class_count, slices, piece_slices, piece_length;
    const uint4 *pieces;
    const uint32_t *order;  // NULL: rows as they stand
    const uint4 *grouped;   // not NULL: the records say which rows and how many lanes each slice has
};

// A slice before it is measured: which nonzeros each lane has.
struct part_t {
    uint32_t first, rows, width_log2, piece, kind; // first: place in order, or row
    uint64_t start;                                // of the lane's row, or of the piece
    uint32_t length;                               // of the lane's row
    uint32_t row;
};

template <typename O>
__device__ __forceinline__ part_t part_of(uint32_t slice, unsigned lane, const layout_t &l,
                                          const O *__restrict__ row_offsets)
{
    part_t p = {0, 0, 0, 0, SLICE_32, 0, 0, 0};
    if (slice < l.piece_slices) {
        const uint4 piece = l.pieces[slice];
        const uint64_t row_start = row_offsets[piece.x], row_end = row_offsets[piece.x + 1];
        p.width_log2 = 5;
        p.piece = 1;
        p.rows = 1;
        p.start = row_start + (uint64_t)(slice - piece.y) * l.piece_length;
        p.length = (uint32_t)min(row_end - p.start, (uint64_t)l.piece_length);
        return p;
    }
    if (l.grouped) {
        const uint4 r = l.grouped[slice];
        const slice_meta m = unpack_meta(r.w);
        p.first = r.z;
        p.rows = m.rows;
        p.width_log2 = m.width_log2;
        if (lane >> p.width_log2 < p.rows) {
            p.row = p.first + (lane >> p.width_log2);
            p.start = row_offsets[p.row];
            p.length = (uint32_t)(row_offsets[p.row + 1] - p.start);
        }
        return p;
    }
    uint32_t c = 0;
#pragma unroll 1
    while (c + 1 < l.class_count && slice >= l.classes[c + 1].first_slice) ++c;
    const class_t k = l.classes[c];
    const uint32_t per_slice = k.kind == SLICE_EMPTY ? (uint32_t)EMPTY_ROWS : LANES >> k.width_log2;
    const uint32_t before = (slice - k.first_slice) * per_slice;
    p.first = k.first_row + before;
    p.rows = min(per_slice, k.rows - before);
    p.width_log2 = k.width_log2;
    p.kind = k.kind;
    const uint32_t i = lane >> k.width_log2;
    if (k.kind != SLICE_EMPTY && i < p.rows) {
        p.row = l.order ? l.order[p.first + i] : p.first + i;
        p.start = row_offsets[p.row];
        p.length = (uint32_t)(row_offsets[p.row + 1] - p.start);
    }
    return p;
}

// counts[group]: its slices.  all_steps: of all of them.
template <typename O>
__global__ void group_kernel(uint32_t rows, uint32_t steps, const O *__restrict__ row_offsets, uint32_t *counts,
                             unsigned long long *all_steps)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    const uint32_t length = row < rows ? (uint32_t)(row_offsets[row + 1] - row_offsets[row]) : 0;
    const uint32_t w = group_width(max_lanes(length, LANES), steps), of_slice = max_lanes(length, LANES >> w);
    const uint32_t sum = sum_lanes(lane % (LANES >> w) == 0 ? (of_slice + (1u << w) - 1) >> w : 0, LANES);
    if (lane == 0 && row < rows) {
        counts[row / LANES] = 1u << w;
        atomicAdd(all_steps, (unsigned long long)sum);
    }
}

template <typename O>
__global__ void place_groups_kernel(uint32_t rows, uint32_t steps, const O *__restrict__ row_offsets,
                                    const uint32_t *__restrict__ starts, uint4 *records)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x, first = row - lane;
    const uint32_t length = row < rows ? (uint32_t)(row_offsets[row + 1] - row_offsets[row]) : 0;
    const uint32_t w = group_width(max_lanes(length, LANES), steps), per_slice = LANES >> w;
    if (first >= rows || lane >= 1u << w) return;
    const uint32_t mine = first + lane * per_slice, n = mine < rows ? min(per_slice, rows - mine) : 0;
    records[starts[row / LANES] + lane] = make_uint4(0, 0, mine, pack_meta(slice_meta{SLICE_32, w, 0, n, 0}));
}

// How many diagonals (column - row) the 32 rows of a slice have together; stops beyond `most`.  Rows must ascend.
template <typename F>
__device__ __forceinline__ uint32_t walk_diagonals(const part_t &p, const int32_t *__restrict__ col_indices,
                                                   uint32_t most, F visit)
{
    uint32_t k = 0, count = 0;
    int32_t next = p.length ? col_indices[p.start] - (int32_t)p.row : INT32_MAX;
    while (true) {
        const int32_t least = -max_lanes(-next, LANES);
        if (least == INT32_MAX) return count;
        if (count == most) return most + 1;
        const bool has = next == least;
        visit(count, least, has, p.start + k);
        ++count;
        bool falls = false;
        if (has) {
            ++k;
            next = k < p.length ? col_indices[p.start + k] - (int32_t)p.row : INT32_MAX;
            falls = next <= least;
        }
        if (__any_sync(ALL_LANES, falls)) return most + 1; // columns do not ascend: no diagonals here
    }
}

template <typename O>
__global__ void measure_kernel(layout_t l, uint32_t value_size, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, uint32_t *value_steps, uint32_t *columns,
                               uint4 *records, int32_t *bases, uint32_t *summary)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = (blockIdx.x * BLOCK + threadIdx.x) / LANES;
    if (slice >= l.slices) return;
    const part_t p = part_of(slice, lane, l, row_offsets);
    __syncwarp(); // lane 0 writes the record that part_of may have read
    slice_meta m = {p.kind, p.width_log2, p.piece, p.kind == SLICE_EMPTY ? 0 : p.rows, p.rows};
    int32_t base = 0;
    if (p.kind != SLICE_EMPTY) {
        const uint32_t width = 1u << p.width_log2, sub = lane & (width - 1);
        const uint32_t longest = max_lanes(p.length, LANES);
        m.steps = (longest + width - 1) >> p.width_log2;
        int32_t least = INT32_MAX, most = -1, spread = 0;
#pragma unroll 1
        for (uint32_t k = 0; k < m.steps; ++k) {
            const uint32_t nz = (k << p.width_log2) + sub;
            const bool has = nz < p.length;
            const int32_t col = has ? col_indices[p.start + nz] : 0;
            const int32_t low = -max_lanes(has ? -col : -INT32_MAX, LANES), high = max_lanes(has ? col : -1, LANES);
            least = min(least, low);
            most = max(most, high);
            spread = max(spread, high - low);
        }
        if (m.steps == 0) least = 0;
        base = least;
        m.kind = most - least < NONE_16 ? SLICE_16 : SLICE_32;
        if (spread < NONE_8 && column_units(SLICE_8, m.steps) < column_units(m.kind, m.steps)) m.kind = SLICE_8;
        if (p.width_log2 == 0 && !l.order && !l.grouped && m.steps) {
            // Diagonals where they save more columns than they add values.
            const uint32_t most_steps = m.steps + (column_units(m.kind, m.steps) - m.steps / 4) / value_size;
            const uint32_t diagonals = walk_diagonals(p, col_indices, most_steps, [](uint32_t, int32_t, bool, uint64_t) {});
            if (diagonals <= most_steps && column_units(SLICE_DIAGONALS, diagonals) + diagonals * value_size <
                                               column_units(m.kind, m.steps) + m.steps * value_size) {
                m.kind = SLICE_DIAGONALS;
                m.steps = diagonals;
            }
        }
    }
    if (lane) return;
    value_steps[slice] = m.kind == SLICE_EMPTY ? 0 : m.steps;
    columns[slice] = column_units(m.kind, m.steps);
    records[slice] = make_uint4(0, 0, p.first, pack_meta(m));
    bases[slice] = base;
    atomicAdd(&summary[m.kind], 1u);
    atomicMin(&summary[SLICE_KINDS], m.steps << 3 | m.kind);
    atomicMax(&summary[SLICE_KINDS + 1], m.steps << 3 | m.kind);
}

template <typename V, typename O>
__global__ void fill_kernel(layout_t l, const O *__restrict__ row_offsets,
                            const int32_t *__restrict__ col_indices, const V *__restrict__ from, uint4 *records,
                            const int32_t *__restrict__ bases, const uint32_t *__restrict__ value_starts,
                            const uint32_t *__restrict__ column_starts, unsigned char *columns, V *values,
                            bool refresh)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = (blockIdx.x * BLOCK + threadIdx.x) / LANES;
    if (slice >= l.slices) return;
    const part_t p = part_of(slice, lane, l, row_offsets);
    uint4 r = records[slice];
    __syncwarp();
    const slice_meta m = unpack_meta(r.w);
    if (!refresh) {
        r.x = value_starts[slice];
        r.y = column_starts[slice];
        if (lane == 0) records[slice] = r;
    }
    if (m.kind == SLICE_EMPTY) return;
    unsigned char *at = columns + (uint64_t)r.y * 32;
    values += (uint64_t)r.x * LANES;
    if (m.kind == SLICE_DIAGONALS) {
        walk_diagonals(p, col_indices, m.steps, [&](uint32_t k, int32_t diagonal, bool has, uint64_t nz) {
            values[k * LANES + lane] = has ? from[nz] : V();
            if (refresh) return;
            const unsigned mask = __ballot_sync(ALL_LANES, has);
            if (lane == 0) ((uint2 *)at)[k] = make_uint2((uint32_t)diagonal, mask);
        });
        return;
    }
    const uint32_t width = 1u << p.width_log2, sub = lane & (width - 1);
    const int32_t base = bases[slice];
#pragma unroll 1
    for (uint32_t k = 0; k < m.steps; ++k) {
        const uint32_t nz = (k << p.width_log2) + sub;
        const bool has = nz < p.length;
        values[k * LANES + lane] = has ? from[p.start + nz] : V();
        if (refresh) continue;
        const int32_t col = has ? col_indices[p.start + nz] : 0;
        if (m.kind == SLICE_8) {
            const int32_t low = -max_lanes(has ? -col : -INT32_MAX, LANES);
            at[(m.steps + 7) / 8 * 32 + k * LANES + lane] = (unsigned char)(has ? col - low : NONE_8);
            if (lane == 0) ((int32_t *)at)[k] = low;
        } else if (m.kind == SLICE_16) {
            ((unsigned short *)at)[k * LANES + lane] = (unsigned short)(has ? col - base : NONE_16);
        } else {
            ((uint32_t *)at)[k * LANES + lane] = has ? (uint32_t)col : NONE_32;
        }
    }
}

/* ---- host ---------------------------------------------------------------------------------------- */

#define TRY(call)                                        \
    do {                                                 \
        const cudaError_t status_ = (call);              \
        if (status_ != cudaSuccess) return status_;      \
    } while (0)

// Memory that lives as long as the build.
struct scratch_t {
    enum { MOST = 24 };
    void *d[MOST];
    int used;
};

cudaError_t take(void **d, size_t bytes, scratch_t *scratch)
{
    const cudaError_t status = cudaMalloc(d, bytes ? bytes : 1);
    if (status == cudaSuccess) scratch->d[scratch->used++] = *d;
    else *d = NULL;
    return status;
}

cudaError_t keep(void **d, size_t bytes, slices_t *s)
{
    const cudaError_t status = cudaMalloc(d, bytes ? bytes : 1);
    if (status == cudaSuccess) s->bytes += bytes;
    else *d = NULL;
    return status;
}

unsigned blocks_for(size_t n, size_t per_block) { return (unsigned)((n + per_block - 1) / per_block); }

cudaError_t to_host(void *host, const void *d, size_t bytes, cudaStream_t stream)
{
    TRY(cudaMemcpyAsync(host, d, bytes, cudaMemcpyDeviceToHost, stream));
    return cudaStreamSynchronize(stream);
}

// data[0..n-1] to places; sums needs blocks_for(n, SCAN_TILE) + 1 numbers, the last becomes the total.
cudaError_t scan(uint32_t *data, size_t n, uint32_t *sums, cudaStream_t stream)
{
    const unsigned tiles = blocks_for(n, SCAN_TILE);
    tile_sums_kernel<<<tiles, BLOCK, 0, stream>>>(n, data, sums);
    scan_sums_kernel<<<1, BLOCK, 0, stream>>>(tiles, sums);
    scan_tiles_kernel<<<tiles, BLOCK, 0, stream>>>(n, data, sums);
    return cudaPeekAtLastError();
}

// Long rows are cut into pieces, each a slice of its own; they are the first n of the order.
template <typename O>
cudaError_t cut_rows(slices_t *s, const gpu_csr_t *A, uint32_t n, uint32_t piece, scratch_t *scratch,
                     cudaStream_t stream)
{
    const size_t sum_size = A->value_type == SPMV_F64 ? 8 : 4;
    uint2 *d_rows, *rows = (uint2 *)malloc(n * sizeof *rows);
    uint4 *pieces = NULL;
    uint32_t count = 0;
    cudaError_t status = rows ? take((void **)&d_rows, n * sizeof *d_rows, scratch) : cudaErrorMemoryAllocation;
    if (status == cudaSuccess) {
        lengths_kernel<O><<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>(n, s->order, (const O *)A->row_offsets, d_rows);
        status = to_host(rows, d_rows, n * sizeof *rows, stream);
    }
    for (uint32_t i = 0; i < n && status == cudaSuccess; ++i) count += (rows[i].y - 1) / piece + 1;
    if (status == cudaSuccess && !(pieces = (uint4 *)malloc(count * sizeof *pieces))) status = cudaErrorMemoryAllocation;
    if (status == cudaSuccess) status = keep((void **)&s->pieces, count * sizeof *s->pieces, s);
    if (status == cudaSuccess) status = keep(&s->scratch, pieces_bytes(count, sum_size), s);
    if (status == cudaSuccess) status = cudaMemsetAsync(s->scratch, 0, pieces_bytes(count, sum_size), stream);
    if (status == cudaSuccess) {
        s->piece_count = count;
        count = 0;
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t parts = (rows[i].y - 1) / piece + 1;
            for (uint32_t k = 0; k < parts; ++k) pieces[count + k] = make_uint4(rows[i].x, count, parts, 0);
            count += parts;
        }
        status = cudaMemcpyAsync(s->pieces, pieces, count * sizeof *pieces, cudaMemcpyHostToDevice, stream);
        if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    }
    free(rows);
    free(pieces);
    return status;
}

// Rows by class, window and length, and the slices of each class.
template <typename O>
cudaError_t sort_rows(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, uint32_t steps, layout_t *l,
                      scratch_t *scratch, cudaStream_t stream)
{
    const uint32_t rows = (uint32_t)A->rows, window = WINDOW;
    const uint32_t blocks = blocks_for(rows, window);
    const uint32_t two_batches = 2 * LANES * steps;
    const uint32_t piece = two_batches < SHORTEST_PIECE ? (uint32_t)SHORTEST_PIECE
                           : two_batches < KEYS - 2     ? two_batches
                                                        : (uint32_t)KEYS - 2; // the sort must tell cut rows from others
    const O *row_offsets = (const O *)A->row_offsets;
    const size_t counters = (size_t)blocks * ROW_CLASSES;
    uint32_t *counts, *sums, *starts, class_starts[ROW_CLASSES + 1];
    bounds_t b;
    b.shorter[CUT] = choice->exclusive ? piece : UINT32_MAX;
    for (int w = 0; w < WIDTHS; ++w) b.shorter[WIDTHS - w] = w ? steps << (w - 1) : 0;
    b.shorter[EMPTY] = 0;

    TRY(take((void **)&counts, counters * sizeof *counts, scratch));
    TRY(take((void **)&sums, (blocks_for(counters, SCAN_TILE) + 1) * sizeof *sums, scratch));
    TRY(take((void **)&starts, ROW_CLASSES * sizeof *starts, scratch));
    TRY(keep((void **)&s->order, rows * sizeof *s->order, s));
    TRY(keep((void **)&s->empty, ((size_t)rows / LANES + 1) * sizeof *s->empty, s));
    count_kernel<O><<<blocks, BLOCK, 0, stream>>>(rows, window, b, row_offsets, counts);
    TRY(scan(counts, counters, sums, stream));
    order_kernel<O><<<blocks, BLOCK, 0, stream>>>(rows, window, b, row_offsets, counts, s->order, s->empty);
    class_starts_kernel<<<1, LANES, 0, stream>>>(counts, blocks, starts);
    TRY(to_host(class_starts, starts, ROW_CLASSES * sizeof *starts, stream));
    class_starts[ROW_CLASSES] = rows;
    if (class_starts[1]) TRY(cut_rows<O>(s, A, class_starts[1], piece, scratch, stream));
    l->order = s->order;
    l->pieces = s->pieces;
    l->piece_length = s->piece_length = piece;
    l->piece_slices = l->slices = s->piece_count;
    for (int c = 1; c < ROW_CLASSES; ++c) {
        const uint32_t count = class_starts[c + 1] - class_starts[c], w = c < EMPTY ? (uint32_t)(WIDTHS - c) : 0;
        if (count == 0) continue;
        class_t *k = &l->classes[l->class_count++];
        if (c == EMPTY) *k = class_t{l->slices, 0, rows, 0, SLICE_EMPTY}; // looks through all rows
        else *k = class_t{l->slices, class_starts[c], count, w, SLICE_32};
        l->slices += blocks_for(k->rows, c == EMPTY ? (uint32_t)EMPTY_ROWS : (uint32_t)LANES >> w);
    }
    return cudaSuccess;
}

template <typename V, typename O>
cudaError_t fill(const slices_t *s, const gpu_csr_t *A, const layout_t *l, const uint32_t *value_starts,
                 const uint32_t *column_starts, bool refresh, cudaStream_t stream)
{
    fill_kernel<V, O><<<blocks_for(l->slices, WARPS), BLOCK, 0, stream>>>(
        *l, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, s->records, s->bases,
        value_starts, column_starts, s->columns, (V *)s->values, refresh);
    return cudaPeekAtLastError();
}

// Values are moved, not computed with: only their size counts.
template <typename O>
cudaError_t fill_any(const slices_t *s, const gpu_csr_t *A, const layout_t *l, const uint32_t *value_starts,
                     const uint32_t *column_starts, bool refresh, cudaStream_t stream)
{
    switch (A->value_type) {
    case SPMV_F64: return fill<unsigned long long, O>(s, A, l, value_starts, column_starts, refresh, stream);
    case SPMV_F32: return fill<uint32_t, O>(s, A, l, value_starts, column_starts, refresh, stream);
    default: return fill<unsigned short, O>(s, A, l, value_starts, column_starts, refresh, stream);
    }
}

uint32_t value_size(const gpu_csr_t *A) { return A->value_type == SPMV_F64 ? 8 : A->value_type == SPMV_F32 ? 4 : 2; }

struct measured_t {
    uint32_t *value_starts, *column_starts;
};

// Every slice's steps and columns, and where they will lie.
template <typename O>
cudaError_t measure(slices_t *s, const gpu_csr_t *A, const layout_t *l, measured_t *m, scratch_t *scratch,
                    cudaStream_t stream)
{
    uint32_t *sums, *d_summary, summary[SLICE_KINDS + 2], totals[2];
    const unsigned tiles = blocks_for(l->slices, SCAN_TILE);
    s->count = l->slices;
    TRY(take((void **)&m->value_starts, s->count * sizeof *m->value_starts, scratch));
    TRY(take((void **)&m->column_starts, s->count * sizeof *m->column_starts, scratch));
    TRY(take((void **)&sums, 2 * (tiles + 1) * sizeof *sums, scratch));
    TRY(take((void **)&d_summary, sizeof summary, scratch));
    if (!s->records) TRY(keep((void **)&s->records, s->count * sizeof *s->records, s));
    TRY(keep((void **)&s->bases, s->count * sizeof *s->bases, s));
    memset(summary, 0, sizeof summary);
    summary[SLICE_KINDS] = UINT32_MAX;
    TRY(cudaMemcpyAsync(d_summary, summary, sizeof summary, cudaMemcpyHostToDevice, stream));
    measure_kernel<O><<<blocks_for(s->count, WARPS), BLOCK, 0, stream>>>(
        *l, value_size(A), (const O *)A->row_offsets, A->col_indices, m->value_starts, m->column_starts, s->records,
        s->bases, d_summary);
    TRY(cudaPeekAtLastError());
    TRY(scan(m->value_starts, s->count, sums, stream));
    TRY(scan(m->column_starts, s->count, sums + tiles + 1, stream));
    TRY(cudaMemcpyAsync(&totals[0], &sums[tiles], sizeof *totals, cudaMemcpyDeviceToHost, stream));
    TRY(cudaMemcpyAsync(&totals[1], &sums[2 * tiles + 1], sizeof *totals, cudaMemcpyDeviceToHost, stream));
    TRY(to_host(summary, d_summary, sizeof summary, stream));
    memcpy(s->kinds, summary, sizeof s->kinds);
    s->value_steps = totals[0];
    s->column_bytes = (uint64_t)totals[1] * 32;
    s->uniform = 0;
    if (!l->order && !l->grouped && summary[SLICE_KINDS] == summary[SLICE_KINDS + 1]) {
        s->uniform = summary[SLICE_KINDS];
        s->column_units = column_units(s->uniform & 7u, s->uniform >> 3);
    }
    return cudaSuccess;
}

// Slices of neighbours; s->count stays 0 where they would leave most places empty.
template <typename O>
cudaError_t group_rows(slices_t *s, const gpu_csr_t *A, uint32_t steps, layout_t *l, scratch_t *scratch,
                       cudaStream_t stream)
{
    const uint32_t rows = (uint32_t)A->rows, groups = blocks_for(rows, LANES), blocks = blocks_for(rows, BLOCK);
    const unsigned tiles = blocks_for(groups, SCAN_TILE);
    const O *row_offsets = (const O *)A->row_offsets;
    uint32_t *starts, *sums, slices;
    unsigned long long *d_steps, all_steps;
    TRY(take((void **)&starts, groups * sizeof *starts, scratch));
    TRY(take((void **)&sums, (tiles + 1) * sizeof *sums, scratch));
    TRY(take((void **)&d_steps, sizeof *d_steps, scratch));
    TRY(cudaMemsetAsync(d_steps, 0, sizeof *d_steps, stream));
    group_kernel<O><<<blocks, BLOCK, 0, stream>>>(rows, steps, row_offsets, starts, d_steps);
    TRY(scan(starts, groups, sums, stream));
    TRY(cudaMemcpyAsync(&slices, &sums[tiles], sizeof slices, cudaMemcpyDeviceToHost, stream));
    TRY(to_host(&all_steps, d_steps, sizeof all_steps, stream));
    if ((double)all_steps * LANES > MOST_FILL * (double)A->nnz) return cudaSuccess;
    TRY(keep((void **)&s->records, slices * sizeof *s->records, s));
    place_groups_kernel<O><<<blocks, BLOCK, 0, stream>>>(rows, steps, row_offsets, starts, s->records);
    memset(l, 0, sizeof *l);
    l->grouped = s->records;
    l->slices = s->count = slices;
    return cudaPeekAtLastError();
}

template <typename O>
cudaError_t build(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, scratch_t *scratch,
                  cudaStream_t stream)
{
    const uint32_t rows = (uint32_t)A->rows;
    const gpu_features_t *f = choice->features;
    int device = 0, sms = 0;
    TRY(cudaGetDevice(&device));
    TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    measured_t m;
    layout_t l;
    memset(&l, 0, sizeof l);

    // A row that is not cut must fit one slice.
    if (!choice->exclusive && f->longest > (double)MAX_STEPS * LANES) return cudaErrorNotSupported;
    // A small matrix as it stands: no record need be read where all slices are alike.  Or one of diagonals.
    const bool stands = choice->form == SLICES_STAND || choice->form == SLICES_WIDE;
    const uint32_t width_log2 = choice->form == SLICES_WIDE ? wide_width(f->mean) : 0;
    const double fill = choice->form == SLICES_WIDE ? f->wide_fill : f->stand_fill;
    s->sorted = !stands || fill > MOST_FILL || f->longest > (double)(MOST_STANDING << width_log2);
    if (!s->sorted) {
        s->width_log2 = width_log2;
        l.classes[0] = class_t{0, 0, rows, width_log2, SLICE_32};
        l.class_count = 1;
        l.slices = blocks_for(rows, LANES >> width_log2);
    } else {
        const uint32_t steps = choice->steps ? (uint32_t)choice->steps : (uint32_t)DEFAULT_STEPS;
        if (choice->form == SLICES_NEAR && f->longest < KEYS) TRY(group_rows<O>(s, A, steps, &l, scratch, stream));
        if (s->count == 0) TRY(sort_rows<O>(s, A, choice, steps, &l, scratch, stream));
    }
    TRY(measure<O>(s, A, &l, &m, scratch, stream));
    s->roomy = choice->roomy;
    s->block = s->count <= (uint32_t)sms * 16 ? 64 : 256;
    TRY(keep(&s->values, s->value_steps * LANES * value_size(A), s));
    TRY(keep((void **)&s->columns, s->column_bytes, s));
    TRY(fill_any<O>(s, A, &l, m.value_starts, m.column_starts, false, stream));
    s->layout = malloc(sizeof l);
    if (!s->layout) return cudaErrorMemoryAllocation;
    memcpy(s->layout, &l, sizeof l);
    return cudaStreamSynchronize(stream);
}

} // namespace

cudaError_t slices_build(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, cudaStream_t stream)
{
    scratch_t scratch;
    memset(&scratch, 0, sizeof scratch);
    memset(s, 0, sizeof *s);
    const cudaError_t status = A->offset_bits == 64 ? build<uint64_t>(s, A, choice, &scratch, stream)
                                                    : build<uint32_t>(s, A, choice, &scratch, stream);
    for (int i = 0; i < scratch.used; ++i) cudaFree(scratch.d[i]);
    if (status != cudaSuccess) slices_free(s);
    return status;
}

cudaError_t slices_refresh(const slices_t *s, const gpu_csr_t *A, cudaStream_t stream)
{
    const layout_t *l = (const layout_t *)s->layout;
    return A->offset_bits == 64 ? fill_any<uint64_t>(s, A, l, NULL, NULL, true, stream)
                                : fill_any<uint32_t>(s, A, l, NULL, NULL, true, stream);
}

void slices_free(slices_t *s)
{
    free(s->layout);
    void *const owned[] = {s->records, s->bases, s->order, s->empty, s->columns, s->values, s->pieces, s->scratch};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i)
        if (owned[i]) cudaFree(owned[i]);
    memset(s, 0, sizeof *s);
}
