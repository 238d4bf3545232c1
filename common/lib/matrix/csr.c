/* csr.c - see csr.h */
#include "csr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostmem.h"

csr_t *csr_alloc(size_t rows, size_t cols, size_t nnz)
{
    if (rows > INT32_MAX || cols > INT32_MAX || nnz > INT64_MAX / 8) return NULL;
    csr_t *A = calloc(1, sizeof *A);
    if (!A) return NULL;
    A->rows = rows;
    A->cols = cols;
    A->nnz = nnz;
    A->row_offsets = calloc(rows + 1, sizeof *A->row_offsets);
    A->col_indices = calloc(nnz + 1, sizeof *A->col_indices); /* + 1: no array is NULL, even if nnz is 0 */
    A->values = calloc(nnz + 1, sizeof *A->values);
    if (!A->row_offsets || !A->col_indices || !A->values) return csr_free(A);
    return A;
}

csr_t *csr_free(csr_t *A)
{
    if (!A) return NULL;
    free(A->row_offsets);
    free(A->col_indices);
    free(A->values);
    free(A);
    return NULL;
}

csr_t *csr_copy(const csr_t *A)
{
    csr_t *B = csr_alloc(A->rows, A->cols, A->nnz);
    if (!B) return NULL;
    memcpy(B->row_offsets, A->row_offsets, (A->rows + 1) * sizeof *A->row_offsets);
    memcpy(B->col_indices, A->col_indices, A->nnz * sizeof *A->col_indices);
    memcpy(B->values, A->values, A->nnz * sizeof *A->values);
    return B;
}

/* Replaces the counts per row in offsets[1..rows] by the starts of the rows; offsets[0] is 0. */
static void counts_to_offsets(int64_t *offsets, size_t rows)
{
    for (size_t r = 0; r < rows; ++r) offsets[r + 1] += offsets[r];
}

/* Filling rows by offsets[r]++ leaves each offset at the start of the next row.  This moves
 * all offsets back by one row. */
static void restore_offsets(int64_t *offsets, size_t rows)
{
    memmove(offsets + 1, offsets, rows * sizeof *offsets);
    offsets[0] = 0;
}

csr_t *csr_transpose(const csr_t *A)
{
    csr_t *T = csr_alloc(A->cols, A->rows, A->nnz);
    if (!T) return NULL;
    for (size_t nz = 0; nz < A->nnz; ++nz) T->row_offsets[A->col_indices[nz] + 1]++;
    counts_to_offsets(T->row_offsets, T->rows);
    for (size_t r = 0; r < A->rows; ++r) {
        for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
            int64_t to = T->row_offsets[A->col_indices[nz]]++;
            T->col_indices[to] = (int32_t)r;
            T->values[to] = A->values[nz];
        }
    }
    restore_offsets(T->row_offsets, T->rows);
    return T;
}

/* Adds up adjacent entries with the same column, in place. */
static void sum_duplicates(csr_t *A)
{
    int64_t to = 0, nz = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        int64_t start = to, end = A->row_offsets[r + 1];
        for (; nz < end; ++nz) {
            if (to > start && A->col_indices[to - 1] == A->col_indices[nz]) {
                A->values[to - 1] += A->values[nz];
            } else {
                A->col_indices[to] = A->col_indices[nz];
                A->values[to++] = A->values[nz];
            }
        }
        A->row_offsets[r + 1] = to;
    }
    A->nnz = (size_t)to;
}

/* Makes two stable counting sorts: by column, which gives the transpose, then csr_transpose
 * sorts by row, which keeps the columns of a row in order. */
csr_t *csr_from_triplets(size_t rows, size_t cols, size_t nnz, const int32_t *row_indices,
                         const int32_t *col_indices, const double *values, err_t *err)
{
    if (rows > INT32_MAX || cols > INT32_MAX)
        return err_null(err, "matrix of %zu x %zu: more than 2147483647 rows or columns", rows, cols);
    for (size_t k = 0; k < nnz; ++k) {
        if (row_indices[k] < 0 || (size_t)row_indices[k] >= rows || col_indices[k] < 0 ||
            (size_t)col_indices[k] >= cols) {
            return err_null(err, "triplet %zu: (%d, %d) is outside the %zu x %zu matrix", k, row_indices[k],
                            col_indices[k], rows, cols);
        }
    }
    char what[128];
    snprintf(what, sizeof what, "a %zu x %zu matrix of %zu nonzeros", rows, cols, nnz);
    const double bytes = hostmem_csr((double)rows, (double)nnz) + hostmem_csr((double)cols, (double)nnz);
    if (hostmem_fits(bytes, what, err)) return NULL;
    csr_t *T = csr_alloc(cols, rows, nnz), *A = NULL;
    if (T) {
        for (size_t k = 0; k < nnz; ++k) T->row_offsets[col_indices[k] + 1]++;
        counts_to_offsets(T->row_offsets, cols);
        for (size_t k = 0; k < nnz; ++k) {
            int64_t to = T->row_offsets[col_indices[k]]++;
            T->col_indices[to] = row_indices[k];
            T->values[to] = values[k];
        }
        restore_offsets(T->row_offsets, cols);
        A = csr_transpose(T);
        csr_free(T);
    }
    if (A) sum_duplicates(A);
    else err_set(err, "out of memory for %s", what);
    return A;
}

/* Checks the columns and values of row r. */
static int check_row(const csr_t *A, size_t r, err_t *err)
{
    int64_t previous = -1;
    for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
        int32_t col = A->col_indices[nz];
        if (col < 0 || (size_t)col >= A->cols)
            return err_set(err, "row %zu: column %d in a matrix of %zu columns", r, col, A->cols);
        if (col == previous) return err_set(err, "row %zu: column %d appears twice", r, col);
        if (col < previous) return err_set(err, "row %zu: columns must ascend, but %d follows %d", r, col,
                                           (int)previous);
        if (!isfinite(A->values[nz]))
            return err_set(err, "row %zu: the value in column %d is %g", r, col, A->values[nz]);
        previous = col;
    }
    return 0;
}

int csr_check(const csr_t *A, err_t *err)
{
    if (!A || !A->row_offsets || (A->nnz && (!A->col_indices || !A->values)))
        return err_set(err, "the matrix has no arrays");
    if (A->rows > INT32_MAX || A->cols > INT32_MAX)
        return err_set(err, "matrix of %zu x %zu: more than 2147483647 rows or columns", A->rows, A->cols);
    if (A->row_offsets[0] != 0)
        return err_set(err, "row 0 starts at %lld, not 0", (long long)A->row_offsets[0]);
    if (A->row_offsets[A->rows] != (int64_t)A->nnz)
        return err_set(err, "row %zu ends at %lld, but there are %zu nonzeros", A->rows,
                       (long long)A->row_offsets[A->rows], A->nnz);
    /* check all offsets before any column: with a wrong offset check_row would leave the arrays */
    for (size_t r = 0; r < A->rows; ++r)
        if (A->row_offsets[r + 1] < A->row_offsets[r])
            return err_set(err, "row %zu ends at %lld, before its start %lld", r,
                           (long long)A->row_offsets[r + 1], (long long)A->row_offsets[r]);
    for (size_t r = 0; r < A->rows; ++r)
        if (check_row(A, r, err)) return -1;
    return 0;
}

csr_stats_t csr_stats(const csr_t *A)
{
    csr_stats_t s = {0};
    if (A->rows == 0) return s;
    s.min_row = SIZE_MAX;
    s.mean_row = (double)A->nnz / (double)A->rows;
    double squares = 0;
    for (size_t r = 0; r < A->rows; ++r) {
        size_t length = (size_t)(A->row_offsets[r + 1] - A->row_offsets[r]);
        if (length < s.min_row) s.min_row = length;
        if (length > s.max_row) s.max_row = length;
        squares += ((double)length - s.mean_row) * ((double)length - s.mean_row);
        if (length == 0) {
            ++s.empty_rows;
            continue;
        }
        /* columns ascend, so the first and the last are the farthest from the diagonal */
        int64_t first = (int64_t)r - A->col_indices[A->row_offsets[r]];
        int64_t last = A->col_indices[A->row_offsets[r + 1] - 1] - (int64_t)r;
        int64_t farthest = first > last ? first : last;
        if (farthest > (int64_t)s.bandwidth) s.bandwidth = (size_t)farthest;
    }
    s.stddev_row = sqrt(squares / (double)A->rows);
    return s;
}

void csr_round(csr_t *A, dtype_t t)
{
    for (size_t nz = 0; nz < A->nnz; ++nz) A->values[nz] = dtype_round(t, A->values[nz]);
}

/* Allocates n bytes, 64-byte aligned; at least one cache line, so that an empty array is not NULL. */
static void *alloc_lines(size_t bytes) { return aligned_alloc(64, (bytes / 64 + 1) * 64); }

int csr_arrays_from(csr_arrays_t *out, const csr_t *A, dtype_t value_type, int offset_bits, err_t *err)
{
    *out = (csr_arrays_t){0};
    if (offset_bits != 32 && offset_bits != 64)
        return err_set(err, "offsets of %d bits: 32 or 64", offset_bits);
    if (offset_bits == 32 && A->nnz > INT32_MAX)
        return err_set(err, "%zu nonzeros do not fit in 32-bit offsets: use 64-bit offsets", A->nnz);
    csr_arrays_t a = {A->rows, A->cols, A->nnz, value_type, offset_bits, NULL, NULL, NULL};
    a.row_offsets = alloc_lines((A->rows + 1) * (size_t)(offset_bits / 8));
    a.col_indices = alloc_lines(A->nnz * sizeof *a.col_indices);
    a.values = alloc_lines(A->nnz * dtype_size(value_type));
    if (!a.row_offsets || !a.col_indices || !a.values) {
        csr_arrays_free(&a);
        return err_set(err, "out of memory for a %zu x %zu matrix of %zu nonzeros", A->rows, A->cols, A->nnz);
    }
    if (offset_bits == 64)
        memcpy(a.row_offsets, A->row_offsets, (A->rows + 1) * sizeof *A->row_offsets);
    else
        for (size_t r = 0; r <= A->rows; ++r) ((int32_t *)a.row_offsets)[r] = (int32_t)A->row_offsets[r];
    memcpy(a.col_indices, A->col_indices, A->nnz * sizeof *A->col_indices);
    dtype_from_double(value_type, a.values, A->values, A->nnz);
    *out = a;
    return 0;
}

void csr_arrays_free(csr_arrays_t *a)
{
    free(a->row_offsets);
    free(a->col_indices);
    free(a->values);
    *a = (csr_arrays_t){0};
}

size_t csr_spmv_bytes(size_t rows, size_t cols, size_t nnz, dtype_t value_type, int offset_bits)
{
    size_t vector = dtype_size(dtype_vector(value_type));
    return nnz * (dtype_size(value_type) + sizeof(int32_t)) + (rows + 1) * (size_t)(offset_bits / 8) +
           (rows + cols) * vector;
}
