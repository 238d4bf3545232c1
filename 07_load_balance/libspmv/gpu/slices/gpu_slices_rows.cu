/*
 * gpu_slices_rows.cu - chooses the rows of each slice, and the lanes of each row.
 *
 * Rows are sorted: bundles of like rows come before single rows; then by their number of lanes; then by windows of
 * neighbours; then by length, the longest first.  Long rows are cut.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_slices_build.cuh"

namespace {

enum {
    LONGEST = 2046,      // longer rows are always cut, so the sort needs no keys beyond
    LONGEST_BUNDLE = 1022,
    WINDOW = 4096,       // rows that are sorted among themselves
    FEW_SHORT = 16384    // up to so many short rows of one length get a lane each, because there are enough warps
};

// Rows of up to `steps` nonzeros get one lane, rows of up to twice as many two lanes, and so on.  The classes are in
// the order of the slices: rows to be cut, bundles of 4 with 32, ... 1 lanes, bundles of 3 and of 2, single rows, rows
// of 4, 3, 2, 1 nonzeros (if short rows have their own slices), empty rows.
enum { CUT = 0, SHORT = 1 + MAX_HEIGHT * WIDTHS, EMPTY = SHORT + SHORT_ROW, ROW_CLASSES = EMPTY + 1 };

// Keys that a window is sorted by ascend with the classes.
enum {
    KEYS_OF_ALONE = 1 + (MAX_HEIGHT - 1) * (LONGEST_BUNDLE + 1),
    KEYS = (KEYS_OF_ALONE + LONGEST + BLOCK) / BLOCK * BLOCK
};

struct unit_t { // a bundle or a single row
    uint32_t height, length;
};

template <typename O>
__device__ __forceinline__ unit_t unit_of(uint32_t row, const layout_t &l, const O *__restrict__ row_offsets)
{
    if (l.heights) return unit_t{l.heights[row], l.lengths[row]};
    return unit_t{1, row_length(row_offsets, row)};
}

__device__ __forceinline__ unsigned class_of(unit_t u, uint32_t steps, uint32_t piece, bool has_short)
{
    if (u.length == 0) return EMPTY;
    if (has_short && u.height == 1 && u.length <= SHORT_ROW) return SHORT + SHORT_ROW - u.length;
    if (u.length > piece) return CUT;
    unsigned w = 0;
    while (u.length > steps << w) ++w;
    return 1 + (MAX_HEIGHT - u.height) * WIDTHS + WIDTHS - 1 - w;
}

__device__ __forceinline__ unsigned key_of(unit_t u, uint32_t piece)
{
    if (u.length > piece) return 0;
    if (u.height > 1) return 1 + (MAX_HEIGHT - u.height) * (LONGEST_BUNDLE + 1) + LONGEST_BUNDLE - u.length;
    return KEYS_OF_ALONE + LONGEST - u.length;
}

// counts[class * blocks + block]: the number of bundles and rows of that class in the block's window.
template <typename O>
__global__ void count_kernel(uint32_t rows, uint32_t steps, uint32_t piece, layout_t l,
                             const O *__restrict__ row_offsets, uint32_t *counts)
{
    __shared__ uint32_t mine[ROW_CLASSES];
    if (threadIdx.x < ROW_CLASSES) mine[threadIdx.x] = 0;
    __syncthreads();
    const uint32_t first = blockIdx.x * WINDOW, end = min(first + WINDOW, rows);
#pragma unroll 1
    for (uint32_t r = first + threadIdx.x; r < end; r += BLOCK) {
        const unit_t u = unit_of(r, l, row_offsets);
        if (u.height) atomicAdd(&mine[class_of(u, steps, piece, l.has_short)], 1u);
    }
    __syncthreads();
    if (threadIdx.x < ROW_CLASSES) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

// places: the same table, scanned.  In each window the rows of a class are sorted by length, the longest first.  empty:
// a bit for every row.
template <typename O>
__global__ void order_kernel(uint32_t rows, uint32_t steps, uint32_t piece, layout_t l,
                             const O *__restrict__ row_offsets, const uint32_t *__restrict__ places, uint32_t *order,
                             unsigned *empty)
{
    __shared__ uint32_t warp_sums[WARPS];
    __shared__ uint32_t next[KEYS];
    __shared__ uint32_t earlier[ROW_CLASSES + 1]; // number of the window's rows in earlier classes
    const uint32_t first = blockIdx.x * WINDOW;
    for (uint32_t k = threadIdx.x; k < KEYS; k += BLOCK) next[k] = 0;
    if (threadIdx.x <= ROW_CLASSES) earlier[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 1
    for (uint32_t r = first; r < first + WINDOW; r += BLOCK) {
        const uint32_t row = r + threadIdx.x;
        const unit_t u = row < rows ? unit_of(row, l, row_offsets) : unit_t{0, 0};
        const unsigned bits = __ballot_sync(ALL_LANES, u.height && u.length == 0);
        if (threadIdx.x % LANES == 0 && row < rows) empty[row / LANES] = bits;
        if (u.height) {
            atomicAdd(&next[key_of(u, piece)], 1u);
            atomicAdd(&earlier[class_of(u, steps, piece, l.has_short) + 1], 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (unsigned c = 0; c < ROW_CLASSES; ++c) earlier[c + 1] += earlier[c];
    // Turns counts into places within the window.
    uint32_t count[KEYS / BLOCK], sum = 0, total;
#pragma unroll
    for (int j = 0; j < KEYS / BLOCK; ++j) sum += count[j] = next[threadIdx.x * (KEYS / BLOCK) + j];
    uint32_t before = scan_block(sum, warp_sums, &total);
#pragma unroll
    for (int j = 0; j < KEYS / BLOCK; ++j) {
        next[threadIdx.x * (KEYS / BLOCK) + j] = before;
        before += count[j];
    }
    __syncthreads();
#pragma unroll 1
    for (uint32_t r = first; r < first + WINDOW; r += BLOCK) { // row by row, so that neighbours stay near
        const uint32_t row = r + threadIdx.x;
        const unit_t u = row < rows ? unit_of(row, l, row_offsets) : unit_t{0, 0};
        if (u.height) {
            const unsigned c = class_of(u, steps, piece, l.has_short);
            const uint32_t place = atomicAdd(&next[key_of(u, piece)], 1u);
            order[places[c * gridDim.x + blockIdx.x] + place - earlier[c]] = row;
        }
        __syncthreads();
    }
}

// Gets the first rows of the order, each with its length.
template <typename O>
__global__ void lengths_kernel(uint32_t n, const uint32_t *__restrict__ order, const O *__restrict__ row_offsets,
                               uint2 *lengths)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) lengths[i] = make_uint2(order[i], row_length(row_offsets, order[i]));
}

__global__ void class_starts_kernel(const uint32_t *__restrict__ places, uint32_t blocks, uint32_t *starts)
{
    if (threadIdx.x < ROW_CLASSES) starts[threadIdx.x] = places[threadIdx.x * blocks];
}

// Returns the number of slices into which a long row is cut.
uint32_t parts_of(uint32_t length, uint32_t piece, bool one_team)
{
    for (uint32_t parts = 2; parts < TEAM; parts *= 2)
        if (length <= parts * piece) return parts;
    return one_team ? (uint32_t)TEAM : TEAM * ((length - 1) / (TEAM * piece) + 1);
}

// Makes the pieces of the n rows, the larger teams first, so that no team reaches from one block into the next; then
// fillers, so that blocks are whole.  Without `pieces` it only counts.
void place_teams(slices_t *s, const uint2 *rows, uint32_t n, uint32_t piece, bool one_team, uint4 *pieces)
{
    uint32_t count = 0;
    for (uint32_t team = TEAM; team >= 2; team /= 2) {
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t parts = parts_of(rows[i].y, piece, one_team), share = (rows[i].y - 1) / parts + 1;
            if (min(parts, (uint32_t)TEAM) != team) continue;
            if (parts > TEAM) s->shared_teams = (count + parts) / TEAM;
            for (uint32_t k = 0; k < parts; ++k)
                if (pieces) pieces[count + k] = make_uint4(rows[i].x, count, parts, share);
            count += parts;
        }
    }
    for (; count % TEAM; ++count)
        if (pieces) pieces[count] = make_uint4(0, count, 0, 0);
    s->piece_slices = count;
}

// Allocates n elements on the host, freed at the end of the scope; `at` is NULL if memory is short.
template <typename T> struct on_host {
    T *const at;
    explicit on_host(size_t n) : at((T *)malloc(n * sizeof(T))) {}
    ~on_host() { free(at); }
};

// Cuts long rows into pieces, each a slice of its own; long rows are the first n of the order.
template <typename O>
cudaError_t cut_rows(slices_t *s, const gpu_csr_t *A, uint32_t n, uint32_t piece, bool one_team, scratch_t *scratch,
                     cudaStream_t stream)
{
    uint2 *d_rows;
    const on_host<uint2> rows(n);
    if (!rows.at) return cudaErrorMemoryAllocation;
    TRY(take((void **)&d_rows, n * sizeof *d_rows, scratch));
    lengths_kernel<O><<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>(n, s->order, (const O *)A->row_offsets, d_rows);
    TRY(to_host(rows.at, d_rows, n * sizeof *d_rows, stream));
    s->cut_rows = n;
    place_teams(s, rows.at, n, piece, one_team, NULL);
    const on_host<uint4> pieces(s->piece_slices);
    const size_t piece_bytes = s->piece_slices * sizeof(uint4),
                 sum_bytes = s->shared_teams * vector_size(A->value_type);
    if (!pieces.at) return cudaErrorMemoryAllocation;
    TRY(keep((void **)&s->pieces, piece_bytes, s, stream));
    if (s->shared_teams) {
        TRY(keep(&s->left_sums, sum_bytes, s, stream));
        TRY(cudaMemsetAsync(s->left_sums, 0xff, sum_bytes, stream)); // NO_SUM
    }
    place_teams(s, rows.at, n, piece, one_team, pieces.at);
    TRY(cudaMemcpyAsync(s->pieces, pieces.at, piece_bytes, cudaMemcpyHostToDevice, stream));
    return cudaStreamSynchronize(stream);
}

// The counters of the sort: each window's rows of each class, and the start of each class.
struct counters_t {
    uint32_t *counts, *sums, *starts;
    size_t n;
    unsigned tiles; // tiles of the scan over counts; sums[tiles] is the total
};

cudaError_t make_room(slices_t *s, uint32_t rows, uint32_t windows, counters_t *c, scratch_t *scratch)
{
    c->n = (size_t)windows * ROW_CLASSES;
    c->tiles = blocks_for(c->n, SCAN_TILE);
    TRY(take((void **)&c->counts, c->n * sizeof *c->counts, scratch));
    TRY(take((void **)&c->sums, (c->tiles + 1) * sizeof *c->sums, scratch));
    TRY(take((void **)&c->starts, ROW_CLASSES * sizeof *c->starts, scratch));
    TRY(keep((void **)&s->order, rows * sizeof *s->order, s, scratch->stream));
    return keep((void **)&s->empty, ((size_t)rows / LANES + 1) * sizeof *s->empty, s, scratch->stream);
}

// Makes s->order, and on the host the start of each class in it; the last number is the number of units.
template <typename O>
cudaError_t order_rows(slices_t *s, const gpu_csr_t *A, uint32_t steps, uint32_t piece, const layout_t *l,
                       scratch_t *scratch, uint32_t class_starts[ROW_CLASSES + 1], cudaStream_t stream)
{
    const uint32_t rows = (uint32_t)A->rows, windows = blocks_for(rows, WINDOW);
    const O *row_offsets = (const O *)A->row_offsets;
    counters_t c;
    TRY(make_room(s, rows, windows, &c, scratch));
    count_kernel<O><<<windows, BLOCK, 0, stream>>>(rows, steps, piece, *l, row_offsets, c.counts);
    TRY(slices_scan(c.counts, c.n, c.sums, stream));
    order_kernel<O><<<windows, BLOCK, 0, stream>>>(rows, steps, piece, *l, row_offsets, c.counts, s->order, s->empty);
    class_starts_kernel<<<1, LANES, 0, stream>>>(c.counts, windows, c.starts);
    TRY(cudaMemcpyAsync(&class_starts[ROW_CLASSES], &c.sums[c.tiles], sizeof *c.sums, cudaMemcpyDeviceToHost, stream));
    return to_host(class_starts, c.starts, ROW_CLASSES * sizeof *c.starts, stream);
}

// Lists the slices of each class, behind those of the pieces.
void list_classes(slices_t *s, uint32_t rows, const uint32_t class_starts[ROW_CLASSES + 1], layout_t *l)
{
    l->order = s->order;
    l->pieces = s->pieces;
    l->piece_slices = l->slices = s->piece_slices;
    for (uint32_t c = 1; c < ROW_CLASSES; ++c) {
        const uint32_t count = class_starts[c + 1] - class_starts[c];
        const uint32_t height = c < SHORT ? MAX_HEIGHT - (c - 1) / WIDTHS : 1,
                       w = c < SHORT ? WIDTHS - 1 - (c - 1) % WIDTHS : 0;
        if (count == 0) continue;
        class_t *k = &l->classes[l->class_count++];
        if (c == EMPTY) *k = class_t{l->slices, 0, rows, 0, 1, SLICE_EMPTY, EMPTY_ROWS, 0}; // searches all rows
        else if (c >= SHORT) {
            const uint32_t length = SHORT_ROW - (c - SHORT);
            const uint32_t per_lane = count <= FEW_SHORT ? 1 : SHORT_PER_LANE(length);
            *k = class_t{l->slices, class_starts[c], count, 0, 1, SLICE_SHORT, per_lane * LANES, length};
        } else *k = class_t{l->slices, class_starts[c], count, w, height, SLICE_32, (uint32_t)LANES >> w, 0};
        l->slices += blocks_for(k->rows, k->per_slice);
        if (height > 1) s->alike_rows += count * height;
    }
}

// Sorts bundles and rows by class, window and length, and finds the slices of each class.
template <typename O>
cudaError_t sort_rows(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, uint32_t steps, layout_t *l,
                      scratch_t *scratch, cudaStream_t stream)
{
    const uint32_t piece = min(LANES * steps, (uint32_t)LONGEST);
    uint32_t class_starts[ROW_CLASSES + 1];
    if (choice->slicing == SLICES_BUNDLE)
        TRY(slices_bundle(A, min(piece, (uint32_t)LONGEST_BUNDLE), l, scratch, stream));
    TRY(order_rows<O>(s, A, steps, piece, l, scratch, class_starts, stream));
    if (class_starts[1]) TRY(cut_rows<O>(s, A, class_starts[1], piece, !choice->exclusive, scratch, stream));
    list_classes(s, (uint32_t)A->rows, class_starts, l);
    return cudaSuccess;
}

} // namespace

cudaError_t slices_sort(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, uint32_t steps, layout_t *l,
                        scratch_t *scratch, cudaStream_t stream)
{
    return BY_OFFSETS(A, sort_rows, s, A, choice, steps, l, scratch, stream);
}
