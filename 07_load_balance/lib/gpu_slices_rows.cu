/*
 * gpu_slices_rows.cu - which rows a slice has, and how many lanes each of them.
 *
 *   sort      rows by the lanes they get, then by windows of neighbours, then by falling length; long ones are cut
 *   group     32 neighbours get as many lanes a row as the longest of them needs
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_slices_build.cuh"

namespace {

enum {
    KEYS = 2048,         // lengths that the sort tells apart
    WINDOW = 4096        // rows that are sorted among themselves
};

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
    __shared__ uint32_t warp_sums[WARPS];
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
    uint32_t before = scan_block(sum, warp_sums, &total);
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
    if (i < n) lengths[i] = make_uint2(order[i], row_length(row_offsets, order[i]));
}

__global__ void class_starts_kernel(const uint32_t *__restrict__ places, uint32_t blocks, uint32_t *starts)
{
    if (threadIdx.x < ROW_CLASSES) starts[threadIdx.x] = places[threadIdx.x * blocks];
}

// Into how many slices a long row is cut.
uint32_t parts_of(uint32_t length, uint32_t piece, bool one_team)
{
    for (uint32_t parts = 2; parts < TEAM; parts *= 2)
        if (length <= parts * piece) return parts;
    return one_team ? (uint32_t)TEAM : TEAM * ((length - 1) / (TEAM * piece) + 1);
}

// Pieces of the n rows, the larger teams first so that none reaches from one block into the next; then fillers, to whole
// blocks.  Without `pieces` it only counts.
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

// Long rows are cut into pieces, each a slice of its own; they are the first n of the order.
template <typename O>
cudaError_t cut_rows(slices_t *s, const gpu_csr_t *A, uint32_t n, uint32_t piece, bool one_team, scratch_t *scratch,
                     cudaStream_t stream)
{
    uint2 *d_rows, *rows = (uint2 *)malloc(n * sizeof *rows);
    uint4 *pieces = NULL;
    cudaError_t status = rows ? take((void **)&d_rows, n * sizeof *d_rows, scratch) : cudaErrorMemoryAllocation;
    if (status == cudaSuccess) {
        lengths_kernel<O><<<blocks_for(n, BLOCK), BLOCK, 0, stream>>>(n, s->order, (const O *)A->row_offsets, d_rows);
        status = to_host(rows, d_rows, n * sizeof *rows, stream);
    }
    if (status == cudaSuccess) {
        s->cut_rows = n;
        place_teams(s, rows, n, piece, one_team, NULL);
        if (!(pieces = (uint4 *)malloc(s->piece_slices * sizeof *pieces))) status = cudaErrorMemoryAllocation;
    }
    if (status == cudaSuccess) status = keep((void **)&s->pieces, s->piece_slices * sizeof *s->pieces, s);
    if (status == cudaSuccess && s->shared_teams) {
        const size_t bytes = pieces_bytes(s->shared_teams, vector_size(A->value_type));
        status = keep(&s->scratch, bytes, s);
        if (status == cudaSuccess) status = cudaMemsetAsync(s->scratch, 0, bytes, stream);
    }
    if (status == cudaSuccess) {
        place_teams(s, rows, n, piece, one_team, pieces);
        status = cudaMemcpyAsync(s->pieces, pieces, s->piece_slices * sizeof *pieces, cudaMemcpyHostToDevice, stream);
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
    const uint32_t piece = min(LANES * steps, (uint32_t)KEYS - 2); // the sort must tell cut rows from others
    const O *row_offsets = (const O *)A->row_offsets;
    const size_t counters = (size_t)blocks * ROW_CLASSES;
    uint32_t *counts, *sums, *starts, class_starts[ROW_CLASSES + 1];
    bounds_t b;
    b.shorter[CUT] = piece;
    for (int w = 0; w < WIDTHS; ++w) b.shorter[WIDTHS - w] = w ? steps << (w - 1) : 0;
    b.shorter[EMPTY] = 0;

    TRY(take((void **)&counts, counters * sizeof *counts, scratch));
    TRY(take((void **)&sums, (blocks_for(counters, SCAN_TILE) + 1) * sizeof *sums, scratch));
    TRY(take((void **)&starts, ROW_CLASSES * sizeof *starts, scratch));
    TRY(keep((void **)&s->order, rows * sizeof *s->order, s));
    TRY(keep((void **)&s->empty, ((size_t)rows / LANES + 1) * sizeof *s->empty, s));
    count_kernel<O><<<blocks, BLOCK, 0, stream>>>(rows, window, b, row_offsets, counts);
    TRY(slices_scan(counts, counters, sums, stream));
    order_kernel<O><<<blocks, BLOCK, 0, stream>>>(rows, window, b, row_offsets, counts, s->order, s->empty);
    class_starts_kernel<<<1, LANES, 0, stream>>>(counts, blocks, starts);
    TRY(to_host(class_starts, starts, ROW_CLASSES * sizeof *starts, stream));
    class_starts[ROW_CLASSES] = rows;
    if (class_starts[1]) TRY(cut_rows<O>(s, A, class_starts[1], piece, !choice->exclusive, scratch, stream));
    l->order = s->order;
    l->pieces = s->pieces;
    l->piece_slices = l->slices = s->piece_slices;
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

/* ---- group --------------------------------------------------------------------------------------- */

// counts[group]: its slices.  all_steps: of all of them.
template <typename O>
__global__ void group_kernel(uint32_t rows, uint32_t steps, const O *__restrict__ row_offsets, uint32_t *counts,
                             unsigned long long *all_steps)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
    const uint32_t length = row < rows ? row_length(row_offsets, row) : 0;
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
    const uint32_t length = row < rows ? row_length(row_offsets, row) : 0;
    const uint32_t w = group_width(max_lanes(length, LANES), steps), per_slice = LANES >> w;
    if (first >= rows || lane >= 1u << w) return;
    const uint32_t mine = first + lane * per_slice, n = mine < rows ? min(per_slice, rows - mine) : 0;
    records[starts[row / LANES] + lane] = make_uint4(0, 0, mine, pack_meta(slice_meta{SLICE_32, w, 0, n, 0}));
}

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
    TRY(slices_scan(starts, groups, sums, stream));
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

} // namespace

cudaError_t slices_sort(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, uint32_t steps, layout_t *l,
                        scratch_t *scratch, cudaStream_t stream)
{
    return A->offset_bits == 64 ? sort_rows<uint64_t>(s, A, choice, steps, l, scratch, stream)
                                : sort_rows<uint32_t>(s, A, choice, steps, l, scratch, stream);
}

cudaError_t slices_group(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, uint32_t steps, layout_t *l,
                         scratch_t *scratch, cudaStream_t stream)
{
    if (choice->features->longest >= KEYS) return cudaSuccess;
    return A->offset_bits == 64 ? group_rows<uint64_t>(s, A, steps, l, scratch, stream)
                                : group_rows<uint32_t>(s, A, steps, l, scratch, stream);
}
