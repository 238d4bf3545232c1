/* halo.c - finds the nonzeros that need entries of x of other ranks, and lists which rank sends which entries. */
#include <stdlib.h>

#include "dist_impl.h"

/* ---- splitting ---------------------------------------------------------------------------------- */

/* A set of columns that can number its members: one bit per column, and the number of bits set before each word. */
typedef struct set {
    uint64_t *bits;
    uint32_t *before;
    size_t words;
} set_t;

static void set_add(set_t *s, int32_t c) { s->bits[c / 64] |= (uint64_t)1 << c % 64; }

static size_t set_count(set_t *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->words; ++i) {
        s->before[i] = (uint32_t)count;
        count += (size_t)__builtin_popcountll(s->bits[i]);
    }
    return count;
}

static int32_t set_place(const set_t *s, int32_t c)
{
    const uint64_t below = s->bits[c / 64] & (((uint64_t)1 << c % 64) - 1);
    return (int32_t)(s->before[c / 64] + (uint32_t)__builtin_popcountll(below));
}

/* Counts the contents of the parts, so that they can be allocated; marks the columns of other ranks. */
static void count_parts(const csr_t *mine, int64_t first_col, int64_t end_col, set_t *set, size_t *inside_nnz,
                        size_t *halo_rows)
{
    *inside_nnz = *halo_rows = 0;
    for (size_t r = 0; r < mine->rows; ++r) {
        size_t own = 0;
        const int64_t begin = mine->row_offsets[r], end = mine->row_offsets[r + 1];
        for (int64_t nz = begin; nz < end; ++nz) {
            const int32_t c = mine->col_indices[nz];
            if (c >= first_col && c < end_col) ++own;
            else set_add(set, c);
        }
        *inside_nnz += own;
        *halo_rows += own < (size_t)(end - begin);
    }
}

static void deal_out(halo_t *h, const csr_t *mine, int64_t first_col, int64_t end_col, const set_t *set, bool all)
{
    int64_t in = 0, out = 0;
    size_t row = 0;
    for (size_t r = 0; r < mine->rows; ++r) {
        const int64_t before = out;
        for (int64_t nz = mine->row_offsets[r]; nz < mine->row_offsets[r + 1]; ++nz) {
            const int32_t c = mine->col_indices[nz];
            if (c >= first_col && c < end_col) {
                h->inside->col_indices[in] = (int32_t)(c - first_col);
                h->inside->values[in++] = mine->values[nz];
            } else {
                h->outside->col_indices[out] = all ? c : set_place(set, c);
                h->outside->values[out++] = mine->values[nz];
            }
        }
        h->inside->row_offsets[r + 1] = in;
        if (out > before) {
            h->rows[row++] = (int32_t)r;
            h->outside->row_offsets[row] = out;
        }
    }
}

static int set_open(set_t *set, size_t cols, err_t *err)
{
    *set = (set_t){.words = cols / 64 + 1};
    set->bits = calloc(set->words, sizeof *set->bits);
    set->before = malloc(set->words * sizeof *set->before);
    return set->bits && set->before ? 0 : err_set(err, "out of memory for a set of %zu columns", cols);
}

static void set_close(set_t *set)
{
    free(set->bits);
    free(set->before);
}

static void set_list(const set_t *set, int32_t *columns)
{
    size_t i = 0;
    for (size_t word = 0; word < set->words; ++word)
        for (uint64_t left = set->bits[word]; left; left &= left - 1)
            columns[i++] = (int32_t)(64 * word + (size_t)__builtin_ctzll(left));
}

int halo_columns(halo_t *h, const csr_t *mine, int64_t first_col, int64_t end_col, size_t *halo_nnz, err_t *err)
{
    set_t set;
    size_t inside_nnz = 0;
    *h = (halo_t){0};
    if (set_open(&set, mine->cols, err) == 0) {
        count_parts(mine, first_col, end_col, &set, &inside_nnz, &h->halo_rows);
        h->halo = h->distinct = set_count(&set);
        h->columns = malloc((h->distinct + 1) * sizeof *h->columns);
        if (h->columns) set_list(&set, h->columns);
        else err_set(err, "out of memory for %zu columns", h->distinct);
    }
    set_close(&set);
    *halo_nnz = mine->nnz - inside_nnz;
    return h->columns ? 0 : -1;
}

int halo_split(halo_t *h, const csr_t *mine, int64_t first_col, int64_t end_col, bool all, err_t *err)
{
    set_t set;
    size_t inside_nnz;
    *h = (halo_t){0};
    if (set_open(&set, mine->cols, err)) {
        set_close(&set);
        return -1;
    }
    count_parts(mine, first_col, end_col, &set, &inside_nnz, &h->halo_rows);
    h->distinct = set_count(&set);
    h->halo = all ? mine->cols : h->distinct;
    h->inside = csr_alloc(mine->rows, (size_t)(end_col - first_col), inside_nnz);
    h->outside = csr_alloc(h->halo_rows, h->halo, mine->nnz - inside_nnz);
    h->rows = malloc((h->halo_rows + 1) * sizeof *h->rows);
    h->columns = malloc((h->distinct + 1) * sizeof *h->columns);
    const bool enough = h->inside && h->outside && h->rows && h->columns;
    if (enough) {
        deal_out(h, mine, first_col, end_col, &set, all);
        set_list(&set, h->columns);
    } else {
        err_set(err, "out of memory for %zu nonzeros in two parts", mine->nnz);
        halo_free(h);
    }
    set_close(&set);
    return enough ? 0 : -1;
}

void halo_middle(const halo_t *h, int64_t *begin, int64_t *end)
{
    int64_t free_from = 0;
    *begin = *end = 0;
    for (size_t i = 0; i <= h->halo_rows; ++i) {
        const int64_t to = i < h->halo_rows ? h->rows[i] : (int64_t)h->inside->rows;
        if (to - free_from > *end - *begin) *begin = free_from, *end = to;
        free_from = to + 1;
    }
}

/* Appends the nonzeros of row r of A to E, with columns counted from `first`. */
static void append_row(csr_t *E, int64_t *nnz, const csr_t *A, size_t r, int32_t first)
{
    for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
        E->col_indices[*nnz] = first + A->col_indices[nz];
        E->values[(*nnz)++] = A->values[nz];
    }
}

csr_t *halo_ends(const halo_t *h, int64_t begin, int64_t end, int32_t *rows, err_t *err)
{
    const csr_t *in = h->inside, *out = h->outside;
    const size_t count = in->rows - (size_t)(end - begin);
    const size_t nnz = out->nnz + in->nnz - (size_t)(in->row_offsets[end] - in->row_offsets[begin]);
    csr_t *E = csr_alloc(count, in->cols + h->halo, nnz);
    if (!E) return err_null(err, "out of memory for %zu nonzeros of rows that need the halo", nnz);
    int64_t at = 0;
    size_t next = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t r = (int64_t)i < begin ? i : i + (size_t)(end - begin);
        append_row(E, &at, in, r, 0);
        if (next < h->halo_rows && h->rows[next] == (int32_t)r) append_row(E, &at, out, next++, (int32_t)in->cols);
        rows[i] = (int32_t)r;
        E->row_offsets[i + 1] = at;
    }
    return E;
}

void halo_free(halo_t *h)
{
    csr_free(h->inside);
    csr_free(h->outside);
    free(h->rows);
    free(h->columns);
    *h = (halo_t){0};
}

/* ---- lists -------------------------------------------------------------------------------------- */

/* Computes where each rank's entries begin from their counts; returns the sum of the counts. */
static size_t offsets_of(const int *counts, int *offsets, int ranks)
{
    size_t sum = 0;
    for (int r = 0; r < ranks; ++r) {
        offsets[r] = (int)sum;
        sum += (size_t)counts[r];
    }
    return sum;
}

dist_status_t lists_open(lists_t *l, const dist_matrix_t *d, const int32_t *columns, err_t *err)
{
    const dist_world_t *w = d->w;
    const size_t ranks = (size_t)w->ranks;
    *l = (lists_t){.source_counts = calloc(ranks, sizeof(int)), .source_offsets = calloc(ranks, sizeof(int)),
                   .target_counts = calloc(ranks, sizeof(int)), .target_offsets = calloc(ranks, sizeof(int))};
    const bool enough = l->source_counts && l->source_offsets && l->target_counts && l->target_offsets;
    dist_status_t status = ENOUGH(w, enough, err, "out of memory for lists of %zu ranks", ranks);
    if (status) return status;

    size_t at = 0; /* columns ascend, and so do the ranks that own them */
    for (int r = 0; r < w->ranks; ++r)
        for (; at < (size_t)d->mine.halo && columns[at] < d->first_col[r + 1]; ++at) ++l->source_counts[r];
    status = mpi_ok(MPI_Alltoall(l->source_counts, 1, MPI_INT, l->target_counts, 1, MPI_INT, w->comm), "MPI_Alltoall",
                    err);
    if (status) return status;
    offsets_of(l->source_counts, l->source_offsets, w->ranks);
    l->sends = offsets_of(l->target_counts, l->target_offsets, w->ranks);
    l->send_index = malloc((l->sends + 1) * sizeof *l->send_index);
    status = ENOUGH(w, l->send_index && l->sends <= INT32_MAX, err,
                    "the rank has %zu entries of x to send, over 2147483647, or no memory is left", l->sends);
    if (!status)
        status = mpi_ok(MPI_Alltoallv(columns, l->source_counts, l->source_offsets, MPI_INT32_T, l->send_index,
                                      l->target_counts, l->target_offsets, MPI_INT32_T, w->comm), "MPI_Alltoallv", err);
    for (size_t i = 0; i < l->sends && !status; ++i) l->send_index[i] -= (int32_t)d->first_col[w->rank];
    return status;
}

void lists_free(lists_t *l)
{
    free(l->source_counts);
    free(l->source_offsets);
    free(l->target_counts);
    free(l->target_offsets);
    free(l->send_index);
    *l = (lists_t){0};
}
