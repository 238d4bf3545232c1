/* cpu_part.c - see cpu_part.h: chooses the form of each block of rows, and stores it. */
#include "cpu_part.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_ROWS = 2048,        /* rows of a block, which are sorted together; their columns should span 16 bits */
    BLOCK_NONZEROS = 1 << 16,
    MAX_LONGEST = 256,        /* no policy has a larger `longest`, */
    SHORTEST_LONGEST = 16,    /* and none a smaller one */
    MAX_LANES = 16,           /* no instruction set has more */
    LEAST_STRETCH = 8,        /* slices; a shorter stretch saves less than its mispredicted branch costs */
    MAX_DIAGONALS = 1536,     /* more than any slice may have: values of 2 bytes, columns of 4, MAX_LONGEST per row */
    SCATTER_BYTES = 64 << 10, /* an element of x this far from the diagonal was not read by a neighbouring row, ... */
    CACHE_BYTES = 1 << 20,    /* ... and an x of this size is not in a core's cache anyway */
    SMALL_BYTES = 256 << 10   /* bytes of values that a core keeps in its cache, with the columns and x */
};

/* Counts of a block's nonzeros. */
typedef struct shape {
    int32_t min_column, max_column;
    int64_t nonzeros, runs, far;
    int64_t long_nonzeros;    /* in rows longer than `longest` */
    int32_t long_rows, empty_rows;
} shape_t;

static int64_t row_length(const spmv_csr_t *A, int64_t row) { return csr_offset(A, row + 1) - csr_offset(A, row); }

static shape_t look(const spmv_csr_t *A, int32_t row, int32_t rows, int64_t nz, int64_t nz_end, int longest)
{
    shape_t s = {INT32_MAX, 0, nz_end - nz, 0, 0, 0, 0, 0};
    const int64_t away = SCATTER_BYTES / (int64_t)vector_size(A->value_type);
    const double slope = A->rows ? (double)A->cols / (double)A->rows : 0;
    const bool piece = nz_end - nz < csr_offset(A, row + rows) - csr_offset(A, row);
    for (int32_t i = 0; i < rows; ++i) {
        const int64_t start = piece ? nz : csr_offset(A, row + i), end = piece ? nz_end : csr_offset(A, row + i + 1);
        const int64_t middle = (int64_t)((row + i) * slope);
        int32_t before = -2;
        for (int64_t k = start; k < end; ++k) {
            const int32_t column = A->col_indices[k];
            if (column < s.min_column) s.min_column = column;
            if (column > s.max_column) s.max_column = column;
            s.runs += column != before + 1;
            s.far += column != before + 1 && llabs(column - middle) > away;
            before = column;
        }
        s.empty_rows += start == end;
        if (end - start > longest) {
            ++s.long_rows;
            s.long_nonzeros += end - start;
        }
    }
    if (s.nonzeros == 0) s.min_column = 0;
    return s;
}

/* ---- slices ------------------------------------------------------------------------------------- */

/* Lists the rows of a block in the order of its slices: sorted by length, longest first, within windows of `window`
 * rows.  Leaves out long rows, and empty ones if the block is mostly empty.  Returns the number of rows. */
static size_t sort_rows(const spmv_csr_t *A, const cpu_block_t *b, int longest, int32_t window, uint16_t *order)
{
    size_t n = 0;
    if (window == 1) { /* nothing is sorted */
        for (int32_t i = 0; i < b->rows; ++i) {
            const int64_t length = row_length(A, b->row + i);
            if (length <= longest && !(length == 0 && b->mostly_empty)) order[n++] = (uint16_t)i;
        }
        return n;
    }
    for (int32_t from = 0; from < b->rows; from += window) {
        const int32_t to = b->rows - from < window ? b->rows : from + window;
        uint32_t start[MAX_LONGEST + 2] = {0};
        for (int32_t i = from; i < to; ++i) {
            const int64_t length = row_length(A, b->row + i);
            if (length <= longest && !(length == 0 && b->mostly_empty)) ++start[longest - length + 1];
        }
        for (int l = 0; l < longest; ++l) start[l + 1] += start[l];
        const size_t count = start[longest] + start[longest + 1];
        for (int32_t i = from; i < to; ++i) {
            const int64_t length = row_length(A, b->row + i);
            if (length <= longest && !(length == 0 && b->mostly_empty))
                order[n + start[longest - length]++] = (uint16_t)i;
        }
        n += count;
    }
    return n;
}

/* Returns the number of positions that the slices of these rows have, padding included. */
static size_t slots_of(const spmv_csr_t *A, const cpu_block_t *b, const uint16_t *order, size_t rows, int lanes)
{
    size_t slots = 0;
    for (size_t first = 0; first < rows; first += (size_t)lanes) {
        int64_t width = 0;
        for (size_t i = first; i < rows && i < first + (size_t)lanes; ++i) {
            const int64_t length = row_length(A, b->row + order[i]);
            if (length > width) width = length;
        }
        slots += (size_t)width * (size_t)lanes;
    }
    return slots;
}

/* Finds the diagonals of `lanes` neighbouring rows: the distances column - row that any of them has.  Stores each as
 * its column in the first row, in columns[limit].  Each step takes the least of the next diagonals of all rows, so
 * every row meets its nonzeros in its own order.  Returns their number; 0 if they are more than `limit`, or if one
 * leaves the matrix in some row, where x must not be read. */
static uint32_t diagonals_of(const spmv_csr_t *A, int64_t row, int lanes, uint32_t limit, int32_t *columns)
{
    int64_t at[MAX_LANES], end[MAX_LANES];
    for (int i = 0; i < lanes; ++i) at[i] = csr_offset(A, row + i), end[i] = csr_offset(A, row + i + 1);
    for (uint32_t count = 0;; ++count) {
        int64_t least = INT64_MAX;
        for (int i = 0; i < lanes; ++i)
            if (at[i] < end[i] && A->col_indices[at[i]] - i < least) least = A->col_indices[at[i]] - i;
        if (least == INT64_MAX) return count;
        if (count == limit || least < 0 || least + lanes > A->cols) return 0;
        columns[count] = (int32_t)least;
        for (int i = 0; i < lanes; ++i) at[i] += at[i] < end[i] && A->col_indices[at[i]] - i == least;
    }
}

/* Returns the largest number of diagonals that pays for so many rows.  A hole costs a value, but diagonals need no
 * column per position, and x is read without a gather; this is worth a sixth of the bytes, or three quarters if they
 * are in cache. */
static uint32_t most_diagonals(const spmv_csr_t *A, const cpu_block_t *b, int64_t nonzeros, int lanes)
{
    const int64_t size = (int64_t)value_size(A->value_type), column = b->wide ? 4 : 2;
    const bool small = A->nnz * size <= SMALL_BYTES;
    return (uint32_t)(nonzeros * (size + column) * 7 / ((small ? 4 : 6) * size * lanes));
}

/* Describes the slice of `count` rows in order, as a stretch of its own, with its diagonals in
 * diagonals[MAX_DIAGONALS]. */
static cpu_slice_t slice_shape(const spmv_csr_t *A, const cpu_block_t *b, const uint16_t *order, size_t count,
                               int lanes, int32_t *diagonals)
{
    cpu_slice_t s = {.count = 1};
    bool neighbours = count == (size_t)lanes, even = true;
    for (size_t i = 0; i < count; ++i) {
        const int64_t length = row_length(A, b->row + order[i]);
        even = even && (i == 0 || length == (int64_t)s.width);
        if (length > (int64_t)s.width) s.width = (uint16_t)length;
        neighbours = neighbours && order[i] == order[0] + i;
    }
    if (!even || count < (size_t)lanes) s.flags |= SLICE_PADDED;
    if (!neighbours) return s;
    s.flags |= SLICE_NEIGHBOURS;
    const int64_t row = b->row + order[0], nonzeros = csr_offset(A, row + lanes) - csr_offset(A, row);
    const uint32_t width = diagonals_of(A, row, lanes, most_diagonals(A, b, nonzeros, lanes), diagonals);
    if (width == 0) return s;
    s.flags |= SLICE_DIAGONAL;
    if (nonzeros < (int64_t)width * lanes) s.flags |= SLICE_PADDED;
    s.width = (uint16_t)width;
    return s;
}

/* Returns whether a slice continues the stretch before it: whether it has the same width, the next rows and the same
 * diagonals.  The arguments are the rows and diagonals of the stretch's first slice, and of the slice. */
static bool goes_on(const cpu_slice_t *stretch, const uint16_t *first, const int32_t *diagonals,
                    const cpu_slice_t *slice, const uint16_t *order, const int32_t *its_diagonals, size_t lanes)
{
    const size_t rows = stretch->count * lanes;
    if (stretch->width != slice->width || ((stretch->flags ^ slice->flags) & ~SLICE_PADDED)) return false;
    if (slice->flags & SLICE_NEIGHBOURS && order[0] != first[0] + rows) return false;
    if (slice->flags & SLICE_DIAGONAL)
        for (size_t k = 0; k < slice->width; ++k)
            if (its_diagonals[k] != diagonals[k] + (int32_t)rows) return false;
    return true;
}

/* Returns whether most rows, unsorted, are in diagonals; such rows are not sorted. */
static bool mostly_diagonals(const spmv_csr_t *A, const cpu_block_t *b, const uint16_t *order, size_t rows, int lanes)
{
    int32_t columns[MAX_DIAGONALS];
    size_t diagonals = 0, slices = 0;
    for (size_t first = 0; first + (size_t)lanes <= rows; first += (size_t)lanes, ++slices)
        diagonals += (slice_shape(A, b, order + first, (size_t)lanes, lanes, columns).flags & SLICE_DIAGONAL) != 0;
    return diagonals * 4 > slices * 3;
}

/* Returns whether a block has only short rows, most of them in diagonals. */
static bool is_diagonals(const spmv_csr_t *A, const cpu_block_t *b, const shape_t *s, int lanes, uint16_t *order)
{
    return s->long_rows == 0 && mostly_diagonals(A, b, order, sort_rows(A, b, b->longest, 1, order), lanes);
}

/* Returns the smallest window whose slices are nearly full: if rows move less, more of x is still in cache. */
static size_t choose_order(const spmv_csr_t *A, const cpu_block_t *b, int longest, int64_t nonzeros, int lanes,
                           uint16_t *order)
{
    static const int32_t WINDOWS[] = {1, 64, 256, BLOCK_ROWS};
    size_t rows = 0;
    for (size_t i = 0; i < sizeof WINDOWS / sizeof *WINDOWS; ++i) {
        rows = sort_rows(A, b, longest, WINDOWS[i], order);
        const double slots = (double)slots_of(A, b, order, rows, lanes);
        if (slots <= 1.04 * (double)nonzeros) break;
        if (i == 0 && slots <= 2 * (double)nonzeros && mostly_diagonals(A, b, order, rows, lanes)) break;
    }
    return rows;
}

/* Returns the position of entry k of a stretch's row i among the stretch's values, or columns. */
static size_t place_of(const cpu_slice_t *stretch, size_t lanes, size_t i, size_t k)
{
    const size_t together = stretch->count == 1 ? 1 : TOGETHER, slice = i / lanes;
    return ((slice / together * stretch->width + k) * together + slice % together) * lanes + i % lanes;
}

/* Writes the values of a block's slices; padding is 0. */
static void fill_values(cpu_part_t *part, const spmv_csr_t *A, const cpu_block_t *b, size_t lanes,
                        const cpu_values_t *stored)
{
    const size_t size = stored->size;
    const uint16_t *order = part->order + b->order;
    for (size_t s = 0; s < b->stretches; ++s) {
        const cpu_slice_t *stretch = &part->slices[b->slice + s];
        const int32_t *columns = part->columns32 + b->diagonal + stretch->column;
        char *values = (char *)part->values + (b->value + stretch->value) * size;
        if (stretch->flags & SLICE_PADDED) memset(values, 0, stretch->count * stretch->width * lanes * size);
        for (size_t i = 0; i < stretch->count * lanes; ++i) {
            if (order[i] == UINT16_MAX) continue;
            const int64_t start = csr_offset(A, b->row + order[i]), length = row_length(A, b->row + order[i]);
            if (stretch->flags & SLICE_DIAGONAL) {
                int64_t next = start;
                for (uint32_t k = 0; next < start + length; ++k) /* in the order of diagonals_of() */
                    if (A->col_indices[next] - (int32_t)i == columns[k])
                        cpu_values_store(stored, A, values, place_of(stretch, lanes, i, k), next++);
                continue;
            }
            for (int64_t k = 0; k < length; ++k)
                cpu_values_store(stored, A, values, place_of(stretch, lanes, i, (size_t)k), start + k);
        }
        order += stretch->count * lanes;
    }
}

static void fill_columns(cpu_part_t *part, const spmv_csr_t *A, const cpu_block_t *b, size_t lanes)
{
    const uint16_t *order = part->order + b->order;
    for (size_t s = 0; s < b->stretches; ++s) {
        const cpu_slice_t *stretch = &part->slices[b->slice + s];
        const size_t rows = stretch->count * lanes, first = b->column + stretch->column;
        if (stretch->flags & SLICE_DIAGONAL) {
            int32_t *columns = part->columns32 + b->diagonal + stretch->column;
            diagonals_of(A, b->row + order[0], (int)lanes, stretch->width, columns);
            order += rows;
            continue;
        }
        for (size_t i = 0; i < rows; ++i, ++order) {
            const int64_t start = *order == UINT16_MAX ? 0 : csr_offset(A, b->row + *order);
            const int64_t length = *order == UINT16_MAX ? 0 : row_length(A, b->row + *order);
            for (int64_t k = 0; k < stretch->width; ++k) { /* padding reads what its row reads anyway */
                const int32_t column = k < length ? A->col_indices[start + k]
                                       : length   ? A->col_indices[start + length - 1]
                                                  : b->base;
                const size_t place = first + place_of(stretch, lanes, i, (size_t)k);
                if (b->wide) part->columns32[place] = column;
                else part->columns16[place] = (uint16_t)(column - b->base);
            }
        }
    }
}

/* ---- a part ------------------------------------------------------------------------------------- */

/* The used elements of each array: a first pass counts them, a second pass fills them. */
typedef struct room {
    size_t blocks, columns16, columns32, values, slices, order, long_rows, runs, run_counts;
} room_t;

typedef struct builder {
    cpu_part_t *part;
    const spmv_csr_t *A;
    const cpu_policy_t *policy;
    const cpu_values_t *stored;
    size_t lanes;
    bool fill;
    room_t at;
    size_t gathered; /* positions of slices that are not diagonals */
    uint16_t *scratch; /* [BLOCK_ROWS] */
} builder_t;

/* The elements that the slices of a block use. */
typedef struct taken {
    size_t slices, values, columns, offsets, diagonal_slices; /* offsets: columns of diagonals */
} taken_t;

/* Describes the slices of the block's `rows` rows in w->scratch.  LEAST_STRETCH or more slices that are alike are
 * joined to a stretch. */
static taken_t add_stretches(builder_t *w, cpu_block_t *b, size_t rows)
{
    const size_t lanes = w->lanes;
    int32_t found[2][MAX_DIAGONALS], *of_first = found[0], *of_slice = found[1];
    const uint16_t *first = w->scratch; /* the rows of the stretch's first slice */
    cpu_slice_t alike = {0};
    taken_t all = {.slices = (rows + lanes - 1) / lanes};
    for (size_t s = 0; s < all.slices; ++s) {
        const uint16_t *order = w->scratch + s * lanes;
        const size_t count = rows - s * lanes < lanes ? rows - s * lanes : lanes;
        cpu_slice_t slice = slice_shape(w->A, b, order, count, (int)lanes, of_slice);
        const bool diagonal = slice.flags & SLICE_DIAGONAL;
        slice.value = (uint32_t)all.values, slice.column = (uint32_t)(diagonal ? all.offsets : all.columns);
        all.values += slice.width * lanes;
        if (diagonal) ++all.diagonal_slices;
        else all.columns += slice.width * lanes;
        if (alike.count && goes_on(&alike, first, of_first, &slice, order, of_slice, lanes)) {
            ++alike.count;
            alike.flags |= slice.flags;
        } else {
            alike = slice, first = order;
            int32_t *const spare = of_first;
            of_first = of_slice, of_slice = spare;
        }
        ++b->stretches;
        if (diagonal) all.offsets += slice.width;
        if (alike.count >= LEAST_STRETCH && alike.count % TOGETHER == 0) { /* slices join the stretch */
            const size_t joined = alike.count == LEAST_STRETCH ? LEAST_STRETCH - 1 : TOGETHER;
            b->stretches -= joined;
            if (diagonal) all.offsets -= joined * slice.width;
            slice = alike;
        }
        if (w->fill) w->part->slices[b->slice + b->stretches - 1] = slice;
    }
    return all;
}

static void add_slices(builder_t *w, cpu_block_t *b, const shape_t *shape)
{
    const spmv_csr_t *A = w->A;
    const size_t lanes = w->lanes, size = w->stored->size;
    const int64_t nonzeros = shape->nonzeros - shape->long_nonzeros;
    const size_t rows = choose_order(A, b, b->longest, nonzeros, (int)lanes, w->scratch);

    b->value = w->at.values, b->slice = w->at.slices, b->order = w->at.order, b->long_row = w->at.long_rows;
    b->long_rows = (size_t)shape->long_rows;
    const taken_t taken = add_stretches(w, b, rows);
    b->column = b->wide ? w->at.columns32 : w->at.columns16;
    b->diagonal = w->at.columns32 + (b->wide ? taken.columns : 0);
    if (w->fill) {
        cpu_part_t *part = w->part;
        for (size_t i = 0; i < taken.slices * lanes; ++i)
            part->order[b->order + i] = i < rows ? w->scratch[i] : UINT16_MAX;
        fill_columns(part, A, b, lanes);
        fill_values(part, A, b, lanes, w->stored);
        size_t n = 0;
        for (int32_t i = 0; i < b->rows; ++i)
            if (row_length(A, b->row + i) > b->longest) part->long_rows[b->long_row + n++] = b->row + i;
        part->diagonal_slices += taken.diagonal_slices;
        part->slice_count += taken.slices;
        part->padded += taken.values;
        part->long_nonzeros += (size_t)shape->long_nonzeros;
    }
    w->at.values += (taken.values * size + 63) / 64 * 64 / size; /* blocks start on cache lines */
    if (b->wide) w->at.columns32 += taken.columns;
    else w->at.columns16 += taken.columns;
    w->at.columns32 += taken.offsets;
    w->gathered += taken.columns;
    w->at.slices += b->stretches;
    w->at.order += taken.slices * lanes;
    w->at.long_rows += b->long_rows;
}

static void add_runs(builder_t *w, cpu_block_t *b)
{
    const int32_t rows = b->rows;
    b->run = w->at.runs, b->order = w->at.run_counts;
    for (int32_t i = 0; i < rows; ++i) {
        const int64_t start = b->partial >= 0 ? b->nz : csr_offset(w->A, b->row + i);
        const int64_t end = b->partial >= 0 ? b->nz_end : csr_offset(w->A, b->row + i + 1);
        const size_t first = w->at.runs;
        for (int64_t k = start; k < end; ++k) {
            const int32_t column = w->A->col_indices[k];
            const bool starts = k == start || column != w->A->col_indices[k - 1] + 1;
            if (starts && w->fill) w->part->runs[w->at.runs] = (cpu_run_t){column, 0};
            w->at.runs += starts;
            if (w->fill) ++w->part->runs[w->at.runs - 1].length;
        }
        if (w->fill) w->part->run_counts[w->at.run_counts] = (uint32_t)(w->at.runs - first);
        ++w->at.run_counts;
    }
}

static void add_rows(builder_t *w, cpu_block_t *b)
{
    b->column = w->at.columns16;
    if (b->wide) return;
    if (w->fill)
        for (int64_t k = b->nz; k < b->nz_end; ++k)
            w->part->columns16[b->column + (size_t)(k - b->nz)] = (uint16_t)(w->A->col_indices[k] - b->base);
    w->at.columns16 += (size_t)(b->nz_end - b->nz);
}

/* Returns the longest row that goes into a slice.  A few long rows would leave most positions beside them empty.
 * Assumes that rows are sorted by length over the whole block.  A nonzero of a row that is left out costs as much as
 * 1.25 positions, and the beginning and end of that row as much as 16. */
static int choose_longest(const spmv_csr_t *A, int32_t row, int32_t rows, int most, size_t lanes)
{
    uint32_t count[MAX_LONGEST + 1] = {0};
    uint64_t left_out = 0, best = UINT64_MAX; /* in quarters of a position */
    int longest = most;
    for (int32_t i = 0; i < rows; ++i) {
        const int64_t length = row_length(A, row + i);
        if (length <= most) ++count[length];
    }
    for (int limit = most; limit >= SHORTEST_LONGEST; limit /= 2) {
        uint64_t places = 0, room = 0; /* room: the rows that still fit into the last slice */
        for (int l = limit; l > 0; --l) {
            uint64_t n = count[l];
            const uint64_t beside = n < room ? n : room;
            room -= beside, n -= beside;
            const uint64_t slices = (n + lanes - 1) / lanes;
            places += slices * lanes * (uint64_t)l;
            room += slices * lanes - n;
        }
        const uint64_t cost = 4 * places + left_out;
        if (cost < best - (best == UINT64_MAX ? 0 : best / 16)) best = cost, longest = limit;
        for (int l = limit; l > limit / 2; --l) left_out += count[l] * (5 * (uint64_t)l + 64);
    }
    return longest;
}

/* Returns whether slices pay.  They save the mispredicted branch at the end of each short row, but the long rows beside
 * them then have columns of 32 bits instead of 16.  One such branch costs as much as 24 of these columns. */
static bool worth_slices(const shape_t *s, int32_t rows)
{
    return s->long_nonzeros * 2 <= s->nonzeros || s->long_nonzeros <= (int64_t)(rows - s->long_rows) * 24;
}

/* Adds a block of whole rows, beginning at `row`, or (partial >= 0) a block of nonzeros nz .. nz_end - 1 of one row. */
static void add_block(builder_t *w, int32_t row, int32_t rows, int64_t nz, int64_t nz_end, int partial)
{
    const cpu_policy_t *policy = w->policy;
    cpu_block_t b = {.form = CPU_ROWS, .wide = true, .partial = partial, .row = row, .rows = rows,
                     .nz = nz, .nz_end = nz_end, .longest = policy->longest, .gathers = policy->gather == 1};
    if (policy->store_anew) {
        if (policy->slices && partial < 0) b.longest = choose_longest(w->A, row, rows, policy->longest, w->lanes);
        const shape_t s = look(w->A, row, rows, nz, nz_end, b.longest);
        b.base = s.min_column;
        b.wide = s.max_column - s.min_column > UINT16_MAX;
        const bool slices = policy->slices && partial < 0 && worth_slices(&s, rows);
        const bool runs = policy->runs && s.nonzeros > 0 && s.runs * 12 <= s.nonzeros;
        if (runs && !(slices && is_diagonals(w->A, &b, &s, (int)w->lanes, w->scratch))) b.form = CPU_RUNS;
        else if (slices) b.form = CPU_SLICES;
        b.mostly_empty = b.form == CPU_SLICES && s.empty_rows > rows / 2;
        b.scattered = b.gathers ||
                      (policy->gather < 0 && s.far * 4 > s.nonzeros * 3 &&
                       (size_t)w->A->cols * vector_size(w->A->value_type) > CACHE_BYTES);
        switch (b.form) {
        case CPU_SLICES: add_slices(w, &b, &s); break;
        case CPU_RUNS: add_runs(w, &b); break;
        default: add_rows(w, &b);
        }
    }
    if (w->fill) {
        w->part->blocks[w->at.blocks] = b;
        w->part->nonzeros[b.form] += (size_t)(nz_end - nz);
        if (!b.wide && b.form != CPU_RUNS) w->part->narrow_nonzeros += (size_t)(nz_end - nz);
    }
    ++w->at.blocks;
}

static void add_all(builder_t *w, const cpu_range_t *range)
{
    const spmv_csr_t *A = w->A;
    const cpu_cut_t *from = &range->from, *to = &range->to;
    int32_t row = from->row;
    const int32_t end = to->row;
    int partial = range->partial;
    w->at = (room_t){0};
    if (from->inside) { /* the rest of a row, or a piece of its middle */
        const bool same = to->inside && to->row == from->row;
        add_block(w, row, 1, from->nz, same ? to->nz : csr_offset(A, row + 1), partial++);
        if (same) return;
        ++row;
    }
    while (row < end) {
        const int64_t nz = csr_offset(A, row);
        int32_t rows = 1;
        if (w->policy->store_anew)
            while (row + rows < end && rows < BLOCK_ROWS && csr_offset(A, row + rows + 1) - nz <= BLOCK_NONZEROS)
                ++rows;
        else
            rows = end - row;
        add_block(w, row, rows, nz, csr_offset(A, row + rows), -1);
        row += rows;
    }
    if (to->inside && to->nz > csr_offset(A, end)) add_block(w, end, 1, csr_offset(A, end), to->nz, partial);
}

/* Returns the next `bytes` of the memory that a part's arrays share, on a cache line; NULL before it is allocated. */
static void *next_array(char *memory, size_t *used, size_t bytes)
{
    char *array = memory ? memory + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return array;
}

/* Sets the arrays of a part in `memory`, unless that is NULL, and returns the bytes of all arrays.  They are in one
 * allocation, each on a cache line, so a small matrix uses few pages. */
static size_t place_arrays(cpu_part_t *part, const room_t *room, size_t value_size, char *memory)
{
    size_t used = 0;
    part->blocks = next_array(memory, &used, room->blocks * sizeof *part->blocks);
    part->slices = next_array(memory, &used, room->slices * sizeof *part->slices);
    part->order = next_array(memory, &used, room->order * sizeof *part->order);
    part->run_counts = next_array(memory, &used, room->run_counts * sizeof *part->run_counts);
    part->runs = next_array(memory, &used, room->runs * sizeof *part->runs);
    part->long_rows = next_array(memory, &used, room->long_rows * sizeof *part->long_rows);
    part->columns16 = next_array(memory, &used, room->columns16 * sizeof *part->columns16);
    part->columns32 = next_array(memory, &used, room->columns32 * sizeof *part->columns32);
    part->values = next_array(memory, &used, room->values * value_size);
    return used;
}

void cpu_part_build(cpu_part_t *part, const spmv_csr_t *A, const cpu_range_t *range, int lanes,
                    const cpu_policy_t *policy, const cpu_values_t *stored)
{
    uint16_t *scratch = malloc(BLOCK_ROWS * sizeof *scratch);
    builder_t w = {part, A, policy, stored, (size_t)lanes, false, {0}, 0, scratch};
    part->failed = !scratch;
    part->stored = stored->stored, part->table = stored->table;
    if (!part->failed) add_all(&w, range);
    room_t room = w.at;
    room.slices += LEAST_STRETCH; /* written before they join a stretch */
    char *memory = NULL;
    if (!part->failed) {
        part->bytes = place_arrays(part, &room, stored->size, NULL) + 64;
        memory = aligned_alloc(64, part->bytes);
        part->failed = !memory;
    }
    if (memory) {
        place_arrays(part, &room, stored->size, memory);
        part->memory = memory;
        part->block_count = room.blocks;
        w.fill = true;
        add_all(&w, range);
    }
    free(scratch);
}

double cpu_part_cost(const spmv_csr_t *A, int32_t row, int32_t rows, int lanes, const cpu_policy_t *policy)
{
    enum { STEP = 2, SLICE = 8 }; /* costs, in single loads of x: of a diagonal's vector; of a slice's start and end */
    uint16_t scratch[BLOCK_ROWS];
    const cpu_values_t stored = {.size = value_size(A->value_type)};
    builder_t w = {NULL, A, policy, &stored, (size_t)lanes, false, {0}, 0, scratch};
    if (rows > BLOCK_ROWS) rows = BLOCK_ROWS;
    add_block(&w, row, rows, csr_offset(A, row), csr_offset(A, row + rows), -1);
    const double steps = (double)(w.at.values - w.gathered) / lanes;
    return (double)w.gathered * (policy->gather == 1 ? 0.5 : 1) + STEP * steps + SLICE * (double)w.at.slices;
}

void cpu_part_values(cpu_part_t *part, const spmv_csr_t *A, int lanes, const cpu_values_t *stored)
{
    part->table = stored->table;
    for (size_t b = 0; b < part->block_count; ++b)
        if (part->blocks[b].form == CPU_SLICES) fill_values(part, A, &part->blocks[b], (size_t)lanes, stored);
}

void cpu_part_free(cpu_part_t *part)
{
    free(part->memory);
}
