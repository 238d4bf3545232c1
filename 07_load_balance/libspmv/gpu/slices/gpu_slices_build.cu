/*
 * gpu_slices_build.cu - builds the slices on the GPU from CSR arrays in its memory.
 *
 *   alike     finds neighbours that share their columns              gpu_slices_bundle.cu
 *   rows      chooses the rows of each slice                         gpu_slices_rows.cu
 *   measure   a warp per slice: its steps, the narrowest columns that hold it, their sizes
 *   scan      turns sizes into places                                gpu_slices_scan.cu
 *   fill      a warp per slice: writes columns and values; a refresh writes the values again
 *
 * Between these kernels the host reads a few numbers, and waits for them.
 */
#include <stdlib.h>

#include "gpu_hot.h"
#include "gpu_slices_build.cuh"

namespace {

// Columns are counted in units of 32 bytes, 4 a step at most, in 32 bits.
constexpr uint64_t MOST_VALUE_STEPS = UINT32_MAX / 4;
enum {
    DEFAULT_STEPS = 16,
    MOST_STANDING = 256, // steps of a slice of consecutive rows,
    SHORT_STANDING = 16, // the same without diagonals (measured: most longer ones lose, up to 4 times)
    TEAM_STEPS = 8,          // least steps of each warp of a team,
    LONG_STEPS = 48,         // and of a slice with a team, if not all warps fit on the GPU at once
    MOST_SMALL = 1 << 20,    // nonzeros of a small matrix
    MOST_EVEN = 1 << 21,     // places of slices that are all alike
    MOST_FLAT = 1 << 20      // the same for sorted rows
};

constexpr double LEAST_DIAGONALS = 0.3; // share of the slices

// A slice before it is measured, as each lane sees it.
struct part_t {
    uint32_t first, rows, width_log2, height, piece, kind; // first: index in order, or row; kind: as in class_t
    uint64_t start;                                // first nonzero of the lane's row, or of the piece
    uint32_t length;                               // nonzeros of the lane's row
    uint32_t row, short_length;
};

template <typename O>
__device__ __forceinline__ part_t part_of(uint32_t slice, unsigned lane, const layout_t &l,
                                          const O *__restrict__ row_offsets)
{
    part_t p = {0, 0, 0, 1, 0, SLICE_32, 0, 0, 0, 0};
    if (slice < l.piece_slices) {
        const uint4 piece = l.pieces[slice];
        const uint64_t row_end = row_offsets[piece.x + 1];
        p.width_log2 = 5;
        p.piece = 1;
        p.first = piece.x;
        p.rows = piece.z > TEAM ? TEAM | SEVERAL_TEAMS : piece.z;
        p.start = row_offsets[piece.x] + (uint64_t)(slice - piece.y) * piece.w;
        p.length = p.start < row_end ? (uint32_t)min(row_end - p.start, (uint64_t)piece.w) : 0;
        return p;
    }
    uint32_t c = 0;
#pragma unroll 1
    while (c + 1 < l.class_count && slice >= l.classes[c + 1].first_slice) ++c;
    const class_t k = l.classes[c];
    const uint32_t before = (slice - k.first_slice) * k.per_slice;
    p.first = k.first_row + before;
    p.rows = min(k.per_slice, k.rows - before);
    p.short_length = k.length;
    p.width_log2 = k.width_log2;
    p.height = k.height;
    p.kind = k.kind;
    const uint32_t i = lane >> k.width_log2;
    if (k.kind == SLICE_32 && i < p.rows) {
        p.row = l.order ? l.order[p.first + i] : p.first + i;
        p.start = row_offsets[p.row];
        p.length = l.lengths ? l.lengths[p.row] : (uint32_t)(row_offsets[p.row + 1] - p.start);
    }
    return p;
}

// Counts the diagonals (column - row) that the 32 rows of a slice have together; stops beyond `most`.  The columns of
// each row must ascend.
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
        if (__any_sync(ALL_LANES, falls)) return most + 1; // columns do not ascend, so diagonals are not possible
    }
}

template <typename O>
__global__ void measure_kernel(layout_t l, uint32_t value_size, const O *__restrict__ row_offsets,
                               const int32_t *__restrict__ col_indices, uint32_t *value_steps, uint32_t *columns,
                               uint4 *records, int32_t *bases, uint32_t *summary)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = blockIdx.x * (BLOCK / LANES) + threadIdx.x / LANES;
    if (slice >= l.slices) return;
    const part_t p = part_of(slice, lane, l, row_offsets);
    if (p.height > 1) col_indices = l.columns;
    slice_meta m = {p.kind, p.width_log2, p.piece, p.rows, p.height, 0};
    int32_t base = 0;
    if (p.kind == SLICE_EMPTY || p.kind == SLICE_SHORT) {
        m.steps = p.rows;
        m.rows = p.short_length;
    } else {
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
        if (l.even_steps) m.steps = l.even_steps;
        m.kind = !l.codes && most - least < NONE_16 ? SLICE_16 : SLICE_32;
        if (l.one_kind) {
            m.kind = l.one_kind;
            base = 0;
        } else if (p.height == 1 && !l.codes && spread < NONE_8 &&
                   column_units(SLICE_8, m.steps) < column_units(m.kind, m.steps))
            m.kind = SLICE_8;
        if (p.width_log2 == 0 && !l.order && !l.one_kind && m.steps) {
            // Diagonals are chosen if they save more bytes of columns than they add in values.
            const uint32_t most_steps = m.steps + (column_units(m.kind, m.steps) - m.steps / 4) / value_size;
            const uint32_t diagonals =
                walk_diagonals(p, col_indices, most_steps, [](uint32_t, int32_t, bool, uint64_t) {});
            if (diagonals <= most_steps && column_units(SLICE_DIAGONALS, diagonals) + diagonals * value_size <
                                               column_units(m.kind, m.steps) + m.steps * value_size) {
                m.kind = SLICE_DIAGONALS;
                m.steps = diagonals;
            }
        }
    }
    if (lane) return;
    // If all slices are alike, slices that search for empty rows have places, too.
    const uint32_t places = m.kind == SLICE_EMPTY   ? l.even_steps
                            : m.kind == SLICE_SHORT ? (m.steps + LANES - 1) / LANES * m.rows
                                                    : m.steps * m.height;
    value_steps[slice] = places;
    columns[slice] = m.kind == SLICE_EMPTY   ? column_units(l.one_kind, places)
                     : m.kind == SLICE_SHORT ? column_units(SLICE_32, places)
                                             : column_units(m.kind, m.steps);
    records[slice] = make_uint4(0, 0, p.first, pack_meta(m));
    bases[slice] = base;
    atomicAdd(&summary[m.kind], 1u);
}

// The sign bit alone: -0.
template <typename V> constexpr V HOLE = (V)((V)1 << (8 * sizeof(V) - 1));

// Stores a bundle's values, each row's behind the other's, step after step: a nonzero if the row has the step's column.
template <typename V, typename O>
__device__ __forceinline__ void fill_bundle(const part_t &p, const slice_meta &m, const O *__restrict__ row_offsets,
                                            const int32_t *__restrict__ col_indices, const V *__restrict__ from,
                                            const unsigned char *at, V *values, unsigned lane, int32_t base)
{
    const bool mine = lane >> p.width_log2 < p.rows;
#pragma unroll 1
    for (uint32_t j = 0; j < p.height; ++j) {
        const O start = mine ? row_offsets[p.row + j] : 0, end = mine ? row_offsets[p.row + j + 1] : 0;
#pragma unroll 1
        for (uint32_t k = 0; k < m.steps; ++k) {
            const uint32_t i = k * LANES + lane;
            const uint32_t delta = m.kind == SLICE_16 ? ((const unsigned short *)at)[i] : 0;
            const uint32_t col = m.kind == SLICE_32 ? ((const uint32_t *)at)[i]
                                 : delta == NONE_16 ? NONE_32
                                                    : base + delta;
            O low = start, high = col == NONE_32 ? start : end; // columns ascend
#pragma unroll 1
            while (low < high) {
                const O middle = low + (high - low) / 2;
                if ((uint32_t)col_indices[middle] < col) low = middle + 1;
                else high = middle;
            }
            V value = HOLE<V>;
            if (col != NONE_32 && low < end && (uint32_t)col_indices[low] == col) {
                value = from[low];
                if (value == HOLE<V>) value = 0;
            }
            values[(k * p.height + j) * LANES + lane] = value;
        }
    }
}

template <typename V, typename O>
__global__ void fill_kernel(layout_t l, const O *__restrict__ row_offsets,
                            const int32_t *__restrict__ col_indices, const V *__restrict__ from, uint4 *records,
                            const int32_t *__restrict__ bases, const uint32_t *__restrict__ value_starts,
                            const uint32_t *__restrict__ column_starts, unsigned char *columns, V *values,
                            bool refresh)
{
    const unsigned lane = threadIdx.x % LANES;
    const uint32_t slice = blockIdx.x * (BLOCK / LANES) + threadIdx.x / LANES;
    if (slice >= l.slices) return;
    const part_t p = part_of(slice, lane, l, row_offsets);
    uint4 r = records[slice];
    const slice_meta m = unpack_meta(r.w);
    if (!refresh) {
        r.x = value_starts[slice];
        r.y = column_starts[slice];
        __syncwarp();
        if (lane == 0) records[slice] = r;
    }
    if (m.kind == SLICE_EMPTY) {
        for (uint32_t k = 0; k < l.even_steps && !refresh; ++k) {
            ((unsigned short *)(columns + (uint64_t)r.y * 32))[k * LANES + lane] = NONE_16;
            values[((uint64_t)r.x + k) * LANES + lane] = V();
        }
        return;
    }
    unsigned char *at = columns + (uint64_t)r.y * 32;
    values += (uint64_t)r.x * LANES;
    if (m.kind == SLICE_SHORT) {
#pragma unroll 1
        for (uint32_t i = 0; i * LANES < m.steps; ++i) {
            const bool has = i * LANES + lane < m.steps;
            const O start = has ? row_offsets[l.order[p.first + i * LANES + lane]] : 0;
            for (uint32_t k = 0; k < m.rows; ++k) {
                const uint32_t place = (i * m.rows + k) * LANES + lane;
                if (!has && !refresh) values[place] = V(); // plans with the option `values` read all places
                if (!has) continue;
                values[place] = from[start + k];
                const uint32_t col = (uint32_t)col_indices[start + k];
                if (!refresh) ((uint32_t *)at)[place] = l.codes ? l.codes[col] : col;
            }
        }
        return;
    }
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
    if (p.height > 1 && refresh) {
        fill_bundle(p, m, row_offsets, col_indices, from, at, values, lane, base);
        return;
    }
    const int32_t *columns_from = p.height > 1 ? l.columns : col_indices;
#pragma unroll 1
    for (uint32_t k = 0; k < m.steps; ++k) {
        const uint32_t nz = (k << p.width_log2) + sub;
        const bool has = nz < p.length;
        if (p.height == 1) values[k * LANES + lane] = has ? from[p.start + nz] : V();
        if (refresh) continue;
        const int32_t col = has ? columns_from[p.start + nz] : 0;
        if (m.kind == SLICE_8) {
            const int32_t low = -max_lanes(has ? -col : -INT32_MAX, LANES);
            at[(m.steps + 7) / 8 * 32 + k * LANES + lane] = (unsigned char)(has ? col - low : NONE_8);
            if (lane == 0) ((int32_t *)at)[k] = low;
        } else if (m.kind == SLICE_16) {
            ((unsigned short *)at)[k * LANES + lane] = (unsigned short)(has ? col - base : NONE_16);
        } else {
            const uint32_t code = has && l.codes ? l.codes[col] : (uint32_t)col;
            ((uint32_t *)at)[k * LANES + lane] = has ? code : NONE_32;
        }
    }
    if (p.height > 1) fill_bundle(p, m, row_offsets, col_indices, from, at, values, lane, base);
}

/* ---- host ---------------------------------------------------------------------------------------- */

template <typename V, typename O>
cudaError_t fill(const slices_t *s, const gpu_csr_t *A, const layout_t *l, const uint32_t *value_starts,
                 const uint32_t *column_starts, bool refresh, cudaStream_t stream)
{
    fill_kernel<V, O><<<blocks_for(l->slices, WARPS), BLOCK, 0, stream>>>(
        *l, (const O *)A->row_offsets, A->col_indices, (const V *)A->values, s->records, s->bases,
        value_starts, column_starts, s->columns, (V *)s->values, refresh);
    return cudaPeekAtLastError();
}

struct measured_t {
    uint32_t *value_starts, *column_starts;
    uint32_t *sums, *summary; // sums of the scans; number of slices of each kind
};

cudaError_t make_room(slices_t *s, unsigned tiles, measured_t *m, scratch_t *scratch)
{
    TRY(take((void **)&m->value_starts, s->count * sizeof *m->value_starts, scratch));
    TRY(take((void **)&m->column_starts, s->count * sizeof *m->column_starts, scratch));
    TRY(take((void **)&m->sums, 2 * (tiles + 1) * sizeof *m->sums, scratch));
    TRY(take((void **)&m->summary, SLICE_KINDS * sizeof *m->summary, scratch));
    TRY(keep((void **)&s->records, s->count * sizeof *s->records, s, scratch->stream));
    return keep((void **)&s->bases, s->count * sizeof *s->bases, s, scratch->stream);
}

// Measures the steps and columns of each slice, and finds their places.
template <typename O>
cudaError_t measure(slices_t *s, const gpu_csr_t *A, const layout_t *l, measured_t *m, scratch_t *scratch,
                    cudaStream_t stream)
{
    uint32_t totals[2];
    const unsigned tiles = blocks_for(l->slices, SCAN_TILE);
    s->count = l->slices;
    TRY(make_room(s, tiles, m, scratch));
    TRY(cudaMemsetAsync(m->summary, 0, sizeof s->kinds, stream));
    measure_kernel<O><<<blocks_for(s->count, WARPS), BLOCK, 0, stream>>>(
        *l, (uint32_t)value_size(A->value_type), (const O *)A->row_offsets, A->col_indices, m->value_starts,
        m->column_starts, s->records, s->bases, m->summary);
    TRY(cudaPeekAtLastError());
    TRY(slices_scan(m->value_starts, s->count, m->sums, stream));
    TRY(slices_scan(m->column_starts, s->count, m->sums + tiles + 1, stream));
    TRY(cudaMemcpyAsync(&totals[0], &m->sums[tiles], sizeof *totals, cudaMemcpyDeviceToHost, stream));
    TRY(cudaMemcpyAsync(&totals[1], &m->sums[2 * tiles + 1], sizeof *totals, cudaMemcpyDeviceToHost, stream));
    TRY(to_host(s->kinds, m->summary, sizeof s->kinds, stream));
    s->value_steps = totals[0];
    s->column_bytes = (uint64_t)totals[1] * 32;
    return cudaSuccess;
}

// Lengths have 32 bits here, and a row that may have only one team must fit into its slices.
bool can_be_sliced(const slices_choice_t *choice)
{
    const double longest = choice->features->longest;
    return longest < UINT32_MAX && (choice->exclusive || longest <= (double)MAX_STEPS * LANES * TEAM);
}

// Tries slices that are all alike, with lanes for the longest row, if there is a kernel for so many steps.  Returns the
// lanes' log2.
uint32_t try_even(slices_t *s, uint32_t rows, const slices_choice_t *choice)
{
    const double longest = choice->features->longest;
    const uint32_t most = choice->steps ? (uint32_t)choice->steps : 8u;
    uint32_t width_log2 = 0;
    while (width_log2 < WIDTHS - 1 && longest > (double)(most << width_log2)) ++width_log2;
    const uint32_t steps = ((uint32_t)longest + (1u << width_log2) - 1) >> width_log2;
    const uint32_t even = steps > 4 ? (steps + 1) / 2 * 2 : steps; // kernels exist for these numbers of steps
    if (even <= most && (double)((uint64_t)even << width_log2) * rows <= MOST_EVEN) s->even_steps = even;
    if (s->even_steps && !s->one_kind) s->one_kind = SLICE_32;
    return width_log2;
}

// Returns whether slices of consecutive rows are possible: a lane on each row, for diagonals.
bool may_stand(const slices_choice_t *choice)
{
    const gpu_features_t *f = choice->features;
    const bool straight = f->diagonals >= LEAST_DIAGONALS || f->longest <= SHORT_STANDING;
    return choice->slicing == SLICES_IN_ORDER && straight && f->in_order_fill <= MOST_FILL &&
           f->longest <= MOST_STANDING;
}

// Lays out all rows in their order, as one class.
void lay_unsorted(slices_t *s, uint32_t rows, uint32_t width_log2, layout_t *l)
{
    s->width_log2 = width_log2;
    l->classes[0] = class_t{0, 0, rows, width_log2, 1, SLICE_32, (uint32_t)LANES >> width_log2, 0};
    l->class_count = 1;
    l->slices = blocks_for(rows, LANES >> width_log2);
}

// Finds the hot columns (gpu_hot.h), if the matrix has some.
cudaError_t find_hot(slices_t *s, const gpu_csr_t *A, layout_t *l, scratch_t *scratch, cudaStream_t stream)
{
    gpu_hot_t hot;
    int major = 0;
    TRY(gpu_hot_find(&hot, A, stream));
    s->hot_columns = hot.columns;
    s->hot_count = hot.count;
    if (hot.count == 0) return cudaSuccess;
    scratch->d[scratch->used++] = hot.codes;
    l->codes = hot.codes;
    l->one_kind = s->one_kind = 0;
    s->bytes += hot.count * sizeof *s->hot_columns;
    TRY(keep(&s->hot, hot.count * vector_size(A->value_type), s, stream));
    TRY(gpu_attribute(&major, cudaDevAttrComputeCapabilityMajor));
    s->hot_overlaps = major >= 9;
    return cudaSuccess;
}

cudaError_t lay_sorted(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, layout_t *l, scratch_t *scratch,
                       cudaStream_t stream)
{
    s->steps = choice->steps ? (uint32_t)choice->steps : (uint32_t)DEFAULT_STEPS;
    // One team finishes its row in its block; of several teams the last adds up the sums, which takes 1 us (measured).
    // With more steps one team takes a longer row, as long as these steps take less than that.
    for (uint32_t steps = s->steps; steps <= DEFAULT_STEPS; steps *= 2)
        if (choice->features->longest <= (double)TEAM * LANES * steps) {
            s->steps = steps;
            break;
        }
    if (choice->slicing == SLICES_HOT && choice->exclusive) TRY(find_hot(s, A, l, scratch, stream));
    l->has_short = !s->one_kind && (A->cols >= NONE_16 || s->hot_count); // columns of short rows have 32 bits
    TRY(slices_sort(s, A, choice, s->steps, l, scratch, stream));
    const uint64_t places = (uint64_t)l->slices * s->steps * LANES;
    // Pieces have at most s->steps steps.
    const bool fit = choice->exclusive || choice->features->longest <= (double)TEAM * LANES * s->steps;
    if (s->one_kind && !s->alike_rows && (s->steps == 4 || s->steps == 8) && places <= MOST_FLAT && fit)
        l->even_steps = s->even_steps = s->steps;
    return cudaSuccess;
}

// Finds the rows of each slice.
cudaError_t lay_out(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, layout_t *l, scratch_t *scratch,
                    cudaStream_t stream)
{
    const uint32_t rows = (uint32_t)A->rows;
    if (A->nnz <= MOST_SMALL && A->cols < NONE_16) s->one_kind = SLICE_16; // small: columns of one kind, counted from 0
    const uint32_t width_log2 = choice->slicing == SLICES_EVEN ? try_even(s, rows, choice) : 0;
    s->sorted = !s->even_steps && !may_stand(choice);
    if (!s->sorted && !s->even_steps) s->one_kind = 0;
    l->one_kind = s->one_kind;
    l->even_steps = s->even_steps;
    if (s->sorted) return lay_sorted(s, A, choice, l, scratch, stream);
    lay_unsorted(s, rows, width_log2, l);
    return cudaSuccess;
}

// Keeps the part of the layout that a refresh needs; a refresh finds the columns in the plan.
cudaError_t keep_layout(slices_t *s, const layout_t *l)
{
    layout_t *kept = (layout_t *)malloc(sizeof *kept);
    if (!kept) return cudaErrorMemoryAllocation;
    *kept = *l;
    kept->heights = NULL; // freed when the build returns
    kept->lengths = NULL;
    kept->columns = NULL;
    kept->codes = NULL;
    s->layout = kept;
    return cudaSuccess;
}

// Returns the log2 of the warps on each slice of consecutive rows: as many as fit on the GPU, with TEAM_STEPS steps
// each or more.  Measured (H200): 81 steps of 2800 slices took 19.4 us by one warp each, 13.6 by two (fp64 24.9, 20.0);
// if slices are long and just fill the GPU, four warps are a tenth faster.
uint32_t team_for(const slices_t *s, uint32_t sms, size_t sum_size)
{
    const uint64_t room = (uint64_t)sms * (sum_size == 8 ? 48 : 64); // warps that fit
    uint32_t log2 = 0;
    if (!slices_teams || !slices_in_order(s) || s->count == 0) return 0;
    const uint64_t steps = s->value_steps / s->count;
    while ((2u << log2) <= TEAM && (uint64_t)s->count << (log2 + 1) <= room && steps >> (log2 + 1) >= TEAM_STEPS)
        ++log2;
    return log2 == 0 && steps >= LONG_STEPS && s->count <= room ? 2 : log2;
}

// Returns the threads of a block: few if the grid has few warps, so that every SM has some.
uint32_t block_for(const slices_t *s, uint32_t sms)
{
    enum { SMALL = 64 };
    const uint32_t team = LANES << s->team_log2;
    if ((uint64_t)s->count << s->team_log2 > (uint64_t)sms * 16 || s->piece_slices) return TEAM * LANES;
    return team > SMALL ? team : (uint32_t)SMALL;
}

template <typename O>
cudaError_t build(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, scratch_t *scratch,
                  cudaStream_t stream)
{
    int sms = 0;
    TRY(gpu_attribute(&sms, cudaDevAttrMultiProcessorCount));
    measured_t m;
    layout_t l = {};
    if (!can_be_sliced(choice)) return cudaErrorNotSupported;
    TRY(lay_out(s, A, choice, &l, scratch, stream));
    TRY(measure<O>(s, A, &l, &m, scratch, stream));
    if (s->value_steps > MOST_VALUE_STEPS) return cudaErrorNotSupported;
    s->sms = (uint32_t)sms;
    s->left = choice->beside ? s->sms / 4 : 0;
    s->team_log2 = team_for(s, s->sms, vector_size(A->value_type));
    s->block = block_for(s, s->sms);
    TRY(keep(&s->values, s->value_steps * LANES * value_size(A->value_type), s, stream));
    TRY(keep((void **)&s->columns, s->column_bytes, s, stream));
    TRY(BY_SIZE_AND_OFFSETS(A, fill, s, A, &l, m.value_starts, m.column_starts, false, stream));
    TRY(keep_layout(s, &l));
    return cudaStreamSynchronize(stream);
}

} // namespace

int slices_teams = 1;

cudaError_t slices_build(slices_t *s, const gpu_csr_t *A, const slices_choice_t *choice, cudaStream_t stream)
{
    return build_plan(s, slices_free, stream, [&](scratch_t *scratch) {
        return BY_OFFSETS(A, build, s, A, choice, scratch, stream);
    });
}

cudaError_t slices_refresh(const slices_t *s, const gpu_csr_t *A, cudaStream_t stream)
{
    const layout_t *l = (const layout_t *)s->layout;
    return BY_SIZE_AND_OFFSETS(A, fill, s, A, l, NULL, NULL, true, stream);
}

void slices_free(slices_t *s)
{
    free(s->layout);
    free_plan(s, s->records, s->bases, s->order, s->empty, s->columns, s->values, s->pieces, s->table, s->pairs,
              s->left_sums, s->hot_columns, s->hot);
}
