/* formats_ell.c - the padded formats with a column per slot: ELL, HYB, SELL-C-sigma; see formats.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats_impl.h"

static size_t row_length(const csr_t *A, size_t r) { return (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]); }

/* Writes the first `width` entries of row r at slot, slot + stride, ..., and PADDING after the last entry. */
static void write_row(int32_t *cols, double *values, size_t slot, size_t stride, size_t width, const csr_t *A, size_t r)
{
    int64_t nz = A->row_offsets[r], end = A->row_offsets[r + 1];
    for (size_t k = 0; k < width; ++k, slot += stride) {
        cols[slot] = nz < end ? A->col_indices[nz] : PADDING;
        values[slot] = nz < end ? A->values[nz] : 0;
        ++nz;
    }
}

/* ---- ELL ------------------------------------------------------------------- */

FORMATS_FREE(ell, M->col_indices, M->values)

/* Makes an ELL matrix of the first `width` entries of every row. */
static ell_t *ell_cut(const csr_t *A, size_t width, size_t max_bytes, err_t *err)
{
    char name[96];
    snprintf(name, sizeof name, "ELL of %zu rows, %zu wide,", A->rows, width);
    if (formats_fits(name, 12.0 * (double)A->rows * (double)width, max_bytes, err)) return NULL;
    ell_t *M = calloc(1, sizeof *M);
    if (M) {
        *M = (ell_t){.rows = A->rows, .cols = A->cols, .width = width};
        M->col_indices = malloc((A->rows * width + 1) * sizeof *M->col_indices);
        M->values = malloc((A->rows * width + 1) * sizeof *M->values);
    }
    if (!M || !M->col_indices || !M->values) {
        formats_no_memory(name, err);
        return ell_free(M);
    }
    for (size_t r = 0; r < A->rows; ++r) write_row(M->col_indices, M->values, r, A->rows, width, A, r);
    return M;
}

ell_t *ell_from_csr(const csr_t *A, size_t max_bytes, err_t *err)
{
    return ell_cut(A, csr_stats(A).max_row, max_bytes, err);
}

size_t ell_bytes(const ell_t *M, dtype_t type) { return M->width * M->rows * (4 + dtype_size(type)); }

/* ---- HYB ------------------------------------------------------------------- */

size_t hyb_width(const csr_t *A)
{
    size_t enough = A->rows / 3 > 4096 ? A->rows / 3 : 4096, width = csr_stats(A).max_row;
    for (size_t low = 0; low < width;) { /* bisect: the number of such rows falls with the length */
        size_t middle = low + (width - low + 1) / 2, longer = 0;
        for (size_t r = 0; r < A->rows; ++r) longer += row_length(A, r) >= middle;
        if (longer >= enough) low = middle;
        else width = middle - 1;
    }
    return width;
}

hyb_t *hyb_free(hyb_t *M)
{
    if (!M) return NULL;
    ell_free(M->ell);
    coo_free(M->rest);
    free(M);
    return NULL;
}

/* Stores the `left` entries beyond the ELL part of this width as COO. */
static coo_t *cut_off(const csr_t *A, size_t width, size_t left, err_t *err)
{
    csr_t *rest = csr_alloc(A->rows, A->cols, left);
    if (!rest) return formats_no_memory("HYB", err);
    int64_t to = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        for (int64_t nz = A->row_offsets[r] + (int64_t)width; nz < A->row_offsets[r + 1]; ++nz) {
            rest->col_indices[to] = A->col_indices[nz];
            rest->values[to++] = A->values[nz];
        }
        rest->row_offsets[r + 1] = to;
    }
    coo_t *M = coo_from_csr(rest, SIZE_MAX, err);
    csr_free(rest);
    return M;
}

hyb_t *hyb_from_csr(const csr_t *A, int64_t width, size_t max_bytes, err_t *err)
{
    size_t columns = width < 0 ? hyb_width(A) : (size_t)width, rest = 0;
    for (size_t r = 0; r < A->rows; ++r) rest += row_length(A, r) > columns ? row_length(A, r) - columns : 0;
    double bytes = 12.0 * (double)A->rows * (double)columns + 16.0 * (double)rest;
    if (formats_fits("HYB", bytes, max_bytes, err)) return NULL;
    hyb_t *M = calloc(1, sizeof *M);
    if (!M) return formats_no_memory("HYB", err);
    M->ell = ell_cut(A, columns, SIZE_MAX, err);
    M->rest = M->ell ? cut_off(A, columns, rest, err) : NULL;
    return M->rest ? M : hyb_free(M);
}

size_t hyb_bytes(const hyb_t *M, dtype_t type) { return ell_bytes(M->ell, type) + coo_bytes(M->rest, type); }

/* ---- SELL-C-sigma ----------------------------------------------------------- */

FORMATS_FREE(sell, M->slice_offsets, M->col_indices, M->values, M->row_order)

/* A row and its length.  Sorted longest first, then by row, so that the order is the same on every machine. */
typedef struct sort_key {
    size_t length;
    int32_t row;
} sort_key_t;

static int compare_keys(const void *a, const void *b)
{
    const sort_key_t *p = a, *q = b;
    if (p->length != q->length) return p->length > q->length ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

/* Sets row_order: each window of sigma rows is sorted, longest first.  -1 if memory is short. */
static int sort_windows(const csr_t *A, size_t sigma, int32_t *row_order)
{
    if (sigma > A->rows) sigma = A->rows;
    sort_key_t *keys = malloc((sigma + 1) * sizeof *keys);
    if (!keys) return -1;
    for (size_t start = 0; start < A->rows; start += sigma) {
        size_t count = A->rows - start < sigma ? A->rows - start : sigma;
        for (size_t i = 0; i < count; ++i) keys[i] = (sort_key_t){row_length(A, start + i), (int32_t)(start + i)};
        if (sigma > 1) qsort(keys, count, sizeof *keys, compare_keys);
        for (size_t i = 0; i < count; ++i) row_order[start + i] = keys[i].row;
    }
    free(keys);
    return 0;
}

/* Sets slice_offsets from the longest row of each slice; returns the number of slots. */
static size_t measure_slices(const csr_t *A, sell_t *M)
{
    for (size_t s = 0; s < M->slices; ++s) {
        size_t width = 0;
        for (size_t p = s * M->slice; p < (s + 1) * M->slice && p < A->rows; ++p) {
            size_t length = row_length(A, (size_t)M->row_order[p]);
            if (length > width) width = length;
        }
        M->slice_offsets[s + 1] = M->slice_offsets[s] + (int64_t)(width * M->slice);
    }
    return (size_t)M->slice_offsets[M->slices];
}

/* Returns the first slot of row p of the order; *width gets the width of its slice. */
static size_t place_of(const sell_t *M, size_t p, size_t *width)
{
    size_t s = p / M->slice;
    *width = (size_t)(M->slice_offsets[s + 1] - M->slice_offsets[s]) / M->slice;
    return (size_t)M->slice_offsets[s] + p % M->slice;
}

sell_t *sell_from_csr(const csr_t *A, size_t slice, size_t sigma, size_t max_bytes, err_t *err)
{
    if (slice == 0 || slice > INT32_MAX || sigma == 0 || (sigma != 1 && sigma < A->rows && sigma % slice))
        return err_null(err, "SELL: slices of %zu rows sorted in windows of %zu: both at least 1, the window 1, a "
                             "multiple, or all rows", slice, sigma);
    sell_t *M = calloc(1, sizeof *M);
    if (M) {
        *M = (sell_t){.rows = A->rows, .cols = A->cols, .slice = slice, .sigma = sigma};
        M->slices = (A->rows + slice - 1) / slice;
        M->slice_offsets = calloc(M->slices + 1, sizeof *M->slice_offsets);
        M->row_order = malloc((A->rows + 1) * sizeof *M->row_order);
    }
    if (!M || !M->slice_offsets || !M->row_order || sort_windows(A, sigma, M->row_order)) goto no_memory;
    M->slots = measure_slices(A, M);
    if (formats_fits("SELL", 12.0 * (double)M->slots + 8.0 * (double)M->slices + 4.0 * (double)A->rows, max_bytes, err))
        return sell_free(M);
    M->col_indices = malloc((M->slots + 1) * sizeof *M->col_indices);
    M->values = malloc((M->slots + 1) * sizeof *M->values);
    if (!M->col_indices || !M->values) goto no_memory;
    for (size_t i = 0; i < M->slots; ++i) { /* also fills the slots past the last row */
        M->col_indices[i] = PADDING;
        M->values[i] = 0;
    }
    for (size_t p = 0; p < A->rows; ++p) {
        size_t width, slot = place_of(M, p, &width);
        write_row(M->col_indices, M->values, slot, slice, width, A, (size_t)M->row_order[p]);
    }
    return M;
no_memory:
    formats_no_memory("SELL", err);
    return sell_free(M);
}

size_t sell_bytes(const sell_t *M, dtype_t type)
{
    return (M->slices + 1) * formats_offset_bytes(M->slots) + M->slots * (4 + dtype_size(type)) +
           (M->sigma > 1 ? M->rows * 4 : 0);
}
