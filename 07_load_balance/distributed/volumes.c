/* volumes.c - see volumes.h */
#include "volumes.h"

#include <stdlib.h>
#include <string.h>

/* Counts of one grid; arrays [ranks] are for all ranks, arrays [across] for one row of the grid. */
typedef struct counts {
    int ranks, across;
    int32_t *owner;           /* [cols]  the rank that owns this entry of x */
    uint64_t *wanted;         /* [cols bits]  entries that this row of the grid needs */
    int64_t *from;            /* [ranks]  entries of x that this row of the grid needs from each rank */
    int64_t *partial;         /* [across * across]  sums that one rank sends to another */
    int32_t *last, *last_out; /* [across]  the last row counted, and the last with a column of another rank */
    int64_t *nnz, *inside, *halo_rows;    /* [across] */
    int64_t *received, *sent; /* [ranks]  entries of x and sums */
} counts_t;

static void raise_to(int64_t *most, int64_t value)
{
    if (value > *most) *most = value;
}

static void close_counts(counts_t *n)
{
    free(n->owner), free(n->wanted), free(n->from), free(n->partial), free(n->last), free(n->last_out);
    free(n->nnz), free(n->inside), free(n->halo_rows), free(n->received), free(n->sent);
}

static int open_counts(counts_t *n, const csr_t *A, int parts, int across, const int64_t *first_col, err_t *err)
{
    const size_t ranks = (size_t)parts, side = (size_t)across;
    *n = (counts_t){.ranks = parts, .across = across, .owner = malloc((A->cols + 1) * sizeof(int32_t)),
                    .wanted = malloc((A->cols / 64 + 1) * sizeof(uint64_t)), .from = malloc(ranks * sizeof(int64_t)),
                    .partial = malloc(side * side * sizeof(int64_t)), .last = malloc(side * sizeof(int32_t)),
                    .last_out = malloc(side * sizeof(int32_t)), .nnz = malloc(side * sizeof(int64_t)),
                    .inside = malloc(side * sizeof(int64_t)), .halo_rows = malloc(side * sizeof(int64_t)),
                    .received = calloc(ranks, sizeof(int64_t)), .sent = calloc(ranks, sizeof(int64_t))};
    if (!n->owner || !n->wanted || !n->from || !n->partial || !n->last || !n->last_out || !n->nnz || !n->inside ||
        !n->halo_rows || !n->received || !n->sent)
        return err_set(err, "out of memory for a grid of %d ranks", parts);
    for (int k = 0; k < parts; ++k)
        for (int64_t c = first_col[k]; c < first_col[k + 1]; ++c) n->owner[c] = k;
    return 0;
}

/* Counts row r, which belongs to the j-th rank in row i of the grid. */
static void count_row(counts_t *n, const csr_t *A, int64_t r, int i, int j)
{
    for (int64_t nz = A->row_offsets[r]; nz < A->row_offsets[r + 1]; ++nz) {
        const int32_t c = A->col_indices[nz], q = n->owner[c];
        const int at = q % n->across;
        const uint64_t bit = (uint64_t)1 << c % 64;
        ++n->nnz[at];
        if (n->last[at] != (int32_t)r) n->last[at] = (int32_t)r, ++n->partial[at * n->across + j];
        if (q / n->across == i) {
            ++n->inside[at];
            continue;
        }
        if (n->last_out[at] != (int32_t)r) n->last_out[at] = (int32_t)r, ++n->halo_rows[at];
        if (!(n->wanted[c / 64] & bit)) n->wanted[c / 64] |= bit, ++n->from[q];
    }
}

static void add_message(volumes_t *v, counts_t *n, int to, int from, int64_t entries, volumes_t *mine)
{
    const int near = to / VOLUMES_HOST == from / VOLUMES_HOST;
    if (to == from || entries == 0) return;
    n->received[to] += entries, n->sent[from] += entries, v->halo_sum += entries;
    if (near) mine->near += entries, ++mine->near_sources;
    else mine->far += entries, ++mine->far_sources;
}

/* Counts what row i of the grid has and receives. */
static void sum_up(volumes_t *v, counts_t *n, int i)
{
    for (int at = 0; at < n->across; ++at) {
        const int me = i * n->across + at;
        volumes_t mine = {0};
        for (int q = at; q < n->ranks; q += n->across) add_message(v, n, me, q, n->from[q], &mine);
        raise_to(&v->halo, mine.near + mine.far);
        mine.fold = -mine.near - mine.far;
        for (int j = 0; j < n->across; ++j)
            add_message(v, n, me, i * n->across + j, n->partial[j * n->across + at], &mine);
        raise_to(&v->fold, mine.fold + mine.near + mine.far);
        raise_to(&v->nnz, n->nnz[at]);
        raise_to(&v->inside_nnz, n->inside[at]);
        raise_to(&v->halo_nnz, n->nnz[at] - n->inside[at]);
        raise_to(&v->halo_rows, n->halo_rows[at]);
        raise_to(&v->near, mine.near);
        raise_to(&v->far, mine.far);
        raise_to(&v->sources, mine.near_sources + mine.far_sources);
        raise_to(&v->near_sources, mine.near_sources);
        raise_to(&v->far_sources, mine.far_sources);
    }
}

static void clear_row(counts_t *n, size_t cols)
{
    const size_t side = (size_t)n->across;
    memset(n->wanted, 0, (cols / 64 + 1) * sizeof *n->wanted);
    memset(n->from, 0, (size_t)n->ranks * sizeof *n->from);
    memset(n->partial, 0, side * side * sizeof *n->partial);
    memset(n->last, 0xFF, side * sizeof *n->last); /* no row */
    memset(n->last_out, 0xFF, side * sizeof *n->last_out);
    memset(n->nnz, 0, side * sizeof *n->nnz);
    memset(n->inside, 0, side * sizeof *n->inside);
    memset(n->halo_rows, 0, side * sizeof *n->halo_rows);
}

int volumes_count_grid(volumes_t *v, const csr_t *A, int parts, int across, const int64_t *first, err_t *err)
{
    counts_t n = {0};
    int64_t *first_col = malloc(((size_t)parts + 1) * sizeof *first_col);
    *v = (volumes_t){0};
    int failed = first_col ? 0 : err_set(err, "out of memory for %d parts", parts);
    if (!failed) {
        cut_even((int64_t)A->cols, parts, first_col);
        failed = open_counts(&n, A, parts, across, A->rows == A->cols ? first : first_col, err);
    }
    for (int i = 0; i < parts / across && !failed; ++i) {
        clear_row(&n, A->cols);
        for (int j = 0; j < across; ++j) {
            const int64_t end = first[i * across + j + 1];
            raise_to(&v->rows, end - first[i * across + j]);
            for (int64_t r = first[i * across + j]; r < end; ++r) count_row(&n, A, r, i, j);
        }
        sum_up(v, &n, i);
    }
    for (int k = 0; k < parts && !failed; ++k) {
        raise_to(&v->moved, n.received[k]);
        raise_to(&v->moved, n.sent[k]);
    }
    v->max_over_mean = A->nnz ? (double)v->nnz * parts / (double)A->nnz : 1;
    close_counts(&n);
    free(first_col);
    return failed;
}

int volumes_count_parts(volumes_t *v, const csr_t *A, int parts, const int64_t *first, err_t *err)
{
    return volumes_count_grid(v, A, parts, 1, first, err);
}

int volumes_count(volumes_t *v, const csr_t *A, int parts, dist_cut_t how, err_t *err)
{
    int64_t *first = malloc(((size_t)parts + 1) * sizeof *first);
    if (!first) return err_set(err, "out of memory for %d parts", parts);
    cut_rows(A->row_offsets, A->rows, parts, how, first);
    const int failed = volumes_count_parts(v, A, parts, first, err);
    free(first);
    return failed;
}
