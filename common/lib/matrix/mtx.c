/* mtx.c - see mtx.h; mtx_text.c parses the lines */
#include "mtx.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mtx_text.h"

/* ---- reading ------------------------------------------------------------- */

typedef struct triplets {
    int32_t *rows, *cols;
    double *values;
    size_t count;
} triplets_t;

/* Reads the entries of the text in their order; of a dense array only the nonzeros. */
static int read_triplets(mtx_text_t *s, triplets_t *t)
{
    mtx_entry_t e;
    t->rows = malloc((s->room + 1) * sizeof *t->rows);
    t->cols = malloc((s->room + 1) * sizeof *t->cols);
    t->values = malloc((s->room + 1) * sizeof *t->values);
    if (!t->rows || !t->cols || !t->values) return mtx_text_fail(s, "out of memory for %zu entries", s->room);
    while (mtx_text_next(s, &e)) {
        if (s->is_array && e.value == 0) continue;
        t->rows[t->count] = e.row;
        t->cols[t->count] = e.col;
        t->values[t->count++] = e.value;
    }
    return s->failed ? -1 : 0;
}

/* Returns the index of (row, col) in A. */
static size_t find(const csr_t *A, int32_t row, int32_t col)
{
    int64_t low = A->row_offsets[row], high = A->row_offsets[row + 1] - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (A->col_indices[middle] < col) low = middle + 1;
        else high = middle;
    }
    return (size_t)low;
}

/* Checks the sums of duplicates in A: integers must have added up exactly, and no sum may exceed the largest double.
 * Real sums may be rounded. */
static int check_sums(mtx_text_t *s, const triplets_t *t, const csr_t *A)
{
    double all = 0;
    for (size_t k = 0; k < t->count; ++k) all += fabs(t->values[k]);
    const bool exact = s->field != FIELD_INTEGER || all < 0x1p53;
    if (A->nnz == t->count || (exact && isfinite(all))) return 0;
    double *sums = calloc(A->nnz, sizeof *sums);
    if (!sums) return mtx_text_fail(s, "out of memory");
    for (size_t k = 0; k < t->count; ++k) {
        double *sum = &sums[find(A, t->rows[k], t->cols[k])];
        const double before = *sum, value = t->values[k];
        *sum += value;
        if (isfinite(*sum) && (exact || (*sum - before == value && *sum - value == before))) continue;
        mtx_text_fail(s, "entry (%d, %d): its duplicates add up to %s", t->rows[k] + 1, t->cols[k] + 1,
                      isfinite(*sum) ? "an integer that no double holds" : "more than the largest double");
        break;
    }
    free(sums);
    return s->failed ? -1 : 0;
}

/* Merges L and its transpose T into a symmetric (sign 1) or skew-symmetric (-1) matrix.  If both have an entry at one
 * position, the two must agree.  Writes the entries to A unless that is NULL; returns their number, -1 after a
 * failure. */
static int64_t merge_halves(mtx_text_t *s, const csr_t *L, const csr_t *T, double sign, csr_t *A)
{
    int64_t to = 0;
    for (size_t r = 0; r < L->rows; ++r) {
        int64_t l = L->row_offsets[r], t = T->row_offsets[r];
        const int64_t l_end = L->row_offsets[r + 1], t_end = T->row_offsets[r + 1];
        while (l < l_end || t < t_end) {
            const int32_t in_l = l < l_end ? L->col_indices[l] : INT32_MAX;
            const int32_t in_t = t < t_end ? T->col_indices[t] : INT32_MAX;
            const int32_t col = in_l < in_t ? in_l : in_t;
            if (in_l == in_t && L->values[l] != sign * T->values[t])
                return mtx_text_fail(s, "entry (%zu, %d) is %.17g, but (%d, %zu) is %.17g: the matrix is not %s",
                                     r + 1, col + 1,
                                     L->values[l], col + 1, r + 1, T->values[t],
                                     sign < 0 ? "skew-symmetric" : "symmetric");
            if (A) A->col_indices[to] = col, A->values[to] = in_l == col ? L->values[l] : sign * T->values[t];
            ++to;
            l += in_l == col;
            t += in_t == col;
        }
        if (A) A->row_offsets[r + 1] = to;
    }
    return to;
}

/* Makes both halves of a symmetric or skew-symmetric matrix from L, the entries in the file; takes ownership of L. */
static csr_t *mirror(mtx_text_t *s, csr_t *L)
{
    const double sign = s->symmetry == SKEW ? -1 : 1;
    csr_t *T = csr_transpose(L), *A = NULL;
    const int64_t nnz = T ? merge_halves(s, L, T, sign, NULL) : -1;
    if (nnz >= 0) A = csr_alloc(L->rows, L->cols, (size_t)nnz);
    if (A) merge_halves(s, L, T, sign, A);
    else mtx_text_fail(s, "out of memory for the other half");
    csr_free(T);
    csr_free(L);
    return A;
}

static csr_t *read_matrix(mtx_text_t *s)
{
    triplets_t t = {0};
    csr_t *A = NULL;
    err_t reason;
    if (read_triplets(s, &t) == 0) {
        s->line = 0; /* later errors concern more than one line */
        A = csr_from_triplets(s->rows, s->cols, t.count, t.rows, t.cols, t.values, &reason);
        if (!A) mtx_text_fail(s, "%s", reason.text);
        else if (check_sums(s, &t, A)) A = csr_free(A);
    }
    free(t.rows);
    free(t.cols);
    free(t.values);
    return A && s->symmetry != GENERAL ? mirror(s, A) : A;
}

/* Reads in the C locale, because in other locales strtod may expect a decimal comma. */
static csr_t *read_file(const char *path, bool as_listed, err_t *err)
{
    mtx_text_t text;
    csr_t *A = NULL;
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", NULL);
    locale_t old = c_locale ? uselocale(c_locale) : NULL;
    if (mtx_text_open(&text, path, as_listed, err) == 0) A = read_matrix(&text);
    mtx_text_close(&text);
    if (c_locale) {
        uselocale(old);
        freelocale(c_locale);
    }
    return A;
}

csr_t *mtx_read(const char *path, err_t *err) { return read_file(path, false, err); }

csr_t *mtx_read_as_listed(const char *path, err_t *err) { return read_file(path, true, err); }
