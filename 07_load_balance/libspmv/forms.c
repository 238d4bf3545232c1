/*
 * forms.c - see forms.h.
 *
 * In every form a nonzero has a row, a column and an index among the values.  A counting sort by row brings them into
 * CSR in O(rows + nonzeros).  It is stable, so the result is always the same.  For a symmetric matrix it also adds the
 * mirrored nonzeros.  Sorting by column and then by row (two transposes) sorts the columns within each row.
 */
#include "forms.h"

#include <stdlib.h>
#include <string.h>

/* The rows and columns of the nonzeros: nonzero k is in row rows[k] - base and column cols[k] - base. */
typedef struct places {
    const int32_t *rows, *cols;
    int64_t base, nnz;
    bool mirror; /* nonzero k is also in row cols[k] and column rows[k], unless it is on the diagonal */
} places_t;

static int64_t get(const void *array, int bits, int64_t i)
{
    return bits == 64 ? ((const int64_t *)array)[i] : ((const int32_t *)array)[i];
}

static void put(void *array, int bits, int64_t i, int64_t value)
{
    if (bits == 64) ((int64_t *)array)[i] = value;
    else ((int32_t *)array)[i] = (int32_t)value;
}

bool form_allocate(form_t *f, int64_t rows, int64_t cols, int64_t nnz)
{
    *f = (form_t){.rows = rows, .cols = cols, .nnz = nnz, .bits = nnz > INT32_MAX ? 64 : 32};
    f->offsets = calloc((size_t)rows + 1, (size_t)f->bits / 8);
    f->columns = calloc((size_t)nnz + 1, sizeof *f->columns);
    f->origin = calloc((size_t)nnz + 1, (size_t)f->bits / 8);
    if (f->offsets && f->columns && f->origin) return true;
    form_free(f);
    return false;
}

void form_free(form_t *f)
{
    free(f->offsets);
    free(f->columns);
    free(f->origin);
    memset(f, 0, sizeof *f);
}

/* Stores one nonzero at the next free position of its row.  offsets[row] is that position until all are stored. */
static void store_nonzero(form_t *f, int64_t row, int64_t col, int64_t origin)
{
    const int64_t at = get(f->offsets, f->bits, row);
    put(f->offsets, f->bits, row, at + 1);
    f->columns[at] = (int32_t)col;
    put(f->origin, f->bits, at, origin);
}

/* Replaces the number of nonzeros of each row by the start of the row. */
static void begin_rows(form_t *f)
{
    int64_t before = 0;
    for (int64_t row = 0; row <= f->rows; ++row) {
        const int64_t count = get(f->offsets, f->bits, row);
        put(f->offsets, f->bits, row, before);
        before += count;
    }
}

/* After all nonzeros are stored, the offsets are the ends of the rows: replaces them by the starts. */
static void end_rows(form_t *f)
{
    for (int64_t row = f->rows; row > 0; --row) put(f->offsets, f->bits, row, get(f->offsets, f->bits, row - 1));
    put(f->offsets, f->bits, 0, 0);
}

static bool deal_all(form_t *f, const places_t *p, int64_t rows, int64_t cols)
{
    int64_t nnz = p->nnz;
    for (int64_t k = 0; p->mirror && k < p->nnz; ++k) nnz += p->rows[k] != p->cols[k];
    if (!form_allocate(f, rows, cols, nnz)) return false;
    for (int64_t k = 0; k < p->nnz; ++k) {
        const int64_t row = p->rows[k] - p->base, col = p->cols[k] - p->base;
        put(f->offsets, f->bits, row, get(f->offsets, f->bits, row) + 1);
        if (p->mirror && row != col) put(f->offsets, f->bits, col, get(f->offsets, f->bits, col) + 1);
    }
    begin_rows(f);
    for (int64_t k = 0; k < p->nnz; ++k) {
        const int64_t row = p->rows[k] - p->base, col = p->cols[k] - p->base;
        store_nonzero(f, row, col, k);
        if (p->mirror && row != col) store_nonzero(f, col, row, k);
    }
    end_rows(f);
    return true;
}

bool form_turn(form_t *to, const form_t *f)
{
    if (!form_allocate(to, f->cols, f->rows, f->nnz)) return false;
    for (int64_t k = 0; k < f->nnz; ++k)
        put(to->offsets, to->bits, f->columns[k], get(to->offsets, to->bits, f->columns[k]) + 1);
    begin_rows(to);
    for (int64_t row = 0; row < f->rows; ++row)
        for (int64_t k = get(f->offsets, f->bits, row); k < get(f->offsets, f->bits, row + 1); ++k)
            store_nonzero(to, f->columns[k], row, get(f->origin, f->bits, k));
    end_rows(to);
    return true;
}

static bool is_sorted(const form_t *f)
{
    for (int64_t row = 0; row < f->rows; ++row)
        for (int64_t k = get(f->offsets, f->bits, row) + 1; k < get(f->offsets, f->bits, row + 1); ++k)
            if (f->columns[k - 1] > f->columns[k]) return false;
    return true;
}

static bool sort_columns(form_t *f)
{
    form_t turned;
    const bool is_there = form_turn(&turned, f);
    form_free(f);
    if (!is_there) return false;
    const bool done = form_turn(f, &turned);
    form_free(&turned);
    return done;
}

/* Returns the row of each nonzero of a CSR matrix, or the column of each nonzero of a CSC matrix, from the offsets. */
static int32_t *spread_offsets(const spmv_matrix_t *A)
{
    const int64_t lines = A->format == SPMV_CSC ? A->cols : A->rows;
    int32_t *line_of = calloc((size_t)A->nnz + 1, sizeof *line_of);
    for (int64_t line = 0; line_of && A->nnz > 0 && line < lines; ++line)
        for (int64_t k = matrix_offset(A, line) - A->index_base; k < matrix_offset(A, line + 1) - A->index_base; ++k)
            line_of[k] = (int32_t)(line + A->index_base);
    return line_of;
}

bool form_make(form_t *form, const spmv_matrix_t *A, bool transpose)
{
    int32_t *spread = A->format == SPMV_COO ? NULL : spread_offsets(A);
    if (A->format != SPMV_COO && !spread) return false;
    const int32_t *rows = A->format == SPMV_CSR ? spread : A->row_indices,
                  *cols = A->format == SPMV_CSC ? spread : A->col_indices;
    const places_t places = {transpose ? cols : rows, transpose ? rows : cols, A->index_base, A->nnz,
                             A->part != SPMV_ALL};
    bool done = deal_all(form, &places, transpose ? A->cols : A->rows, transpose ? A->rows : A->cols);
    free(spread);
    if (done && A->format == SPMV_COO && !is_sorted(form)) done = sort_columns(form);
    return done;
}

#define GATHER(TYPE)                                                                        \
    for (int64_t i = 0; i < n; ++i) ((TYPE *)values)[i] = ((const TYPE *)source)[get(origin, bits, i)]

void form_gather(void *values, const void *source, const void *origin, int bits, int64_t n, size_t size)
{
    if (size == 8) GATHER(uint64_t);
    else if (size == 4) GATHER(uint32_t);
    else GATHER(uint16_t);
}
